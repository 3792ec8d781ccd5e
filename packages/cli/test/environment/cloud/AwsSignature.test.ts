/** Signatures, against the examples that the vendor has published. */
import { assert, describe, it } from "vitest"
import { type Signable, sign } from "../../../src/environment/cloud/AwsSignature.js"

const signatureOf = (request: Signable, accessKeyId: string, nowMs: number): string => {
  const secretAccessKey =
    accessKeyId === "AKIDEXAMPLE"
      ? "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
      : "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
  const headers = sign(request, { accessKeyId, secretAccessKey, sessionToken: undefined }, nowMs)
  return /Signature=([0-9a-f]{64})$/.exec(headers.authorization ?? "")?.[1] ?? ""
}

describe("a signed request", () => {
  it("has the signature of the test suite's plain GET", () => {
    const request: Signable = {
      method: "GET",
      url: new URL("https://example.amazonaws.com/"),
      headers: {},
      body: "",
      service: "service",
      region: "us-east-1"
    }
    assert.strictEqual(
      signatureOf(request, "AKIDEXAMPLE", Date.UTC(2015, 7, 30, 12, 36, 0)),
      "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
    )
  })

  it("has the signatures of the examples for objects and lists", () => {
    const object: Signable = {
      method: "GET",
      url: new URL("https://examplebucket.s3.amazonaws.com/test.txt"),
      headers: { range: "bytes=0-9" },
      body: "",
      service: "s3",
      region: "us-east-1"
    }
    const list: Signable = {
      ...object,
      url: new URL("https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J"),
      headers: {}
    }
    const at = Date.UTC(2013, 4, 24)
    assert.deepStrictEqual(
      [object, list].map((request) => signatureOf(request, "AKIAIOSFODNN7EXAMPLE", at)),
      [
        "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
        "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
      ]
    )
  })
})
