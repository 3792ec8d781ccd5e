/** The envelopes of decision receipts, by the envelopes and the signatures of Sigstore's own library. */
import { generateKeyPairSync, sign } from "node:crypto"
import * as DecisionReceipt from "@attestry/core/DecisionReceipt"
import * as Dsse from "@attestry/core/Dsse"
import * as Timestamp from "@attestry/core/Timestamp"
import { crypto, dsse } from "@sigstore/core"
import { FastCheck } from "effect"
import { assert, describe, it } from "vitest"

const { privateKey, publicKey } = generateKeyPairSync("ed25519")

const AT = Timestamp.fromSeconds(1_790_000_000)

const receiptOf = (name: string): DecisionReceipt.DecisionReceipt => ({
  org: "acme",
  base: "https://one.example.com",
  subjects: [{ name, sha256: "a".repeat(64) }],
  scope: { type: "environment", name: "prod" },
  at: AT,
  verdict: "Compliant",
  policies: [],
  facts: "c".repeat(64),
  allow_listed: [],
  waivers: [],
  chain: [],
  place: {
    snapshot_index: 1,
    log: { origin: "one.example.com/api/v2/log/acme", index: 3 }
  },
  evaluator: 1
})

describe("the envelope of a decision receipt", () => {
  it("is signed and verified over the same bytes, whatever names are in it", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.string({ unit: "binary" }),
        FastCheck.constantFrom(...(["vsa", "svr"] as const)),
        (name, predicate) => {
          const payload = DecisionReceipt.print(receiptOf(name), predicate)
          const signed = { payloadType: Dsse.IN_TOTO, payload }
          const sig = sign(null, Buffer.from(Dsse.signedText(signed)), privateKey)
          const text = Dsse.print({ ...signed, signatures: [{ keyid: "k", sig }] })
          const read = JSON.parse(text)
          const bytes = dsse.preAuthEncoding(read.payloadType, Buffer.from(read.payload, "base64"))
          const signature = Buffer.from(read.signatures[0].sig, "base64")
          assert.isTrue(crypto.verify(bytes, publicKey, signature))
          const forged = Buffer.from(bytes)
          forged[forged.length - 1] = (forged[forged.length - 1] ?? 0) ^ 1
          assert.isFalse(crypto.verify(forged, publicKey, signature))
        }
      )
    )
  })
})
