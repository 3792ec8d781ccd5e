/** Every known error code of Node's sockets, of TLS and of undici has its class. */
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as FailureReason from "../../src/node/internal/FailureReason.js"

const classes: Readonly<Record<string, ReadonlyArray<string>>> = {
  connection: [
    "ECONNREFUSED",
    "ECONNRESET",
    "EPIPE",
    "EHOSTUNREACH",
    "ENETUNREACH",
    "EADDRNOTAVAIL",
    "EMFILE",
    "ENOTFOUND",
    "UND_ERR_SOCKET",
    "UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
    "HPE_INVALID_EOF_STATE",
    "UNKNOWN",
    ""
  ],
  timeout: ["ETIMEDOUT"],
  tls: [
    "CERT_HAS_EXPIRED",
    "CERT_NOT_YET_VALID",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    "INVALID_CA",
    "INVALID_PURPOSE",
    "HOSTNAME_MISMATCH",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "ERR_SSL_WRONG_VERSION_NUMBER",
    "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION",
    "EPROTO"
  ],
  "invalid response": ["HPE_INVALID_CONSTANT", "HPE_INVALID_HEADER_TOKEN"],
  "response too large": ["UND_ERR_HEADERS_OVERFLOW", "RESPONSE_TOO_LARGE"],
  "invalid request": ["UND_ERR_INVALID_ARG"]
}

describe("FailureReason", () => {
  for (const [reason, codes] of Object.entries(classes)) {
    it(`classifies codes as ${reason}`, () => {
      deepStrictEqual(
        codes.filter((code) => FailureReason.fromCode(code) !== reason),
        []
      )
    })
  }

  it("gives the code of an error and `UNKNOWN` for other values", () => {
    assert.strictEqual(
      FailureReason.codeOf(Object.assign(new Error("x"), { code: "EPIPE" })),
      "EPIPE"
    )
    const parser = (message: string) =>
      Object.assign(new Error(message), { name: "HTTPParserError" })
    assert.strictEqual(FailureReason.codeOf(parser("(Expected HTTP/)")), "HPE_INVALID")
    assert.strictEqual(FailureReason.codeOf(parser("(Invalid EOF state)")), "HPE_INVALID_EOF_STATE")
    for (const other of [
      new Error("x"),
      Object.assign(new Error("x"), { code: 5 }),
      "EPIPE",
      null
    ]) {
      assert.strictEqual(FailureReason.codeOf(other), "UNKNOWN")
    }
  })
})
