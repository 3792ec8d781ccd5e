/** Signatures over digests agree with `node:crypto`, which verifies them over the bytes. */
import { createHash, generateKeyPairSync, sign, verify } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as DigestSignature from "../../src/internal/verification/DigestSignature.js"

const pair = (namedCurve: string) => generateKeyPairSync("ec", { namedCurve })
const pairs = [pair("P-256"), pair("P-256"), pair("P-384"), pair("P-384")]
const hashes = ["sha256", "sha384", "sha512"]

describe("a signature over a digest", () => {
  it.prop(
    "holds if and only if it holds over the bytes",
    {
      data: FastCheck.uint8Array({ maxLength: 64 }),
      hash: FastCheck.constantFrom(...hashes),
      signer: FastCheck.nat(3),
      checked: FastCheck.nat(3),
      flipped: FastCheck.option(FastCheck.nat(1_000), { freq: 2 })
    },
    ({ data, hash, signer, checked, flipped }) => {
      const { privateKey } = pairs[signer]!
      const { publicKey } = pairs[checked]!
      const signature = sign(hash, data, privateKey)
      if (flipped !== null) signature[(flipped >> 3) % signature.length]! ^= 1 << (flipped & 7)
      const digest = createHash(hash).update(data).digest()
      const expected = verify(hash, data, publicKey, signature)
      assert.strictEqual(DigestSignature.holds(publicKey, { digest, signature }), expected)
      if (flipped === null) assert.strictEqual(expected, signer === checked)
    },
    { fastCheck: { numRuns: 400 } }
  )

  it.prop(
    "is refused, and nothing throws, if it is any bytes",
    { bytes: FastCheck.uint8Array() },
    ({ bytes }) => {
      const { publicKey } = pairs[0]!
      assert.isFalse(DigestSignature.holds(publicKey, { digest: bytes, signature: bytes }))
    }
  )

  it("is refused with r or s of 0 or beyond the order", () => {
    const { publicKey } = pairs[0]!
    const zero = Buffer.from("3006020100020100", "hex")
    const order = "02210 0ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551".replace(
      " ",
      ""
    )
    const beyond = Buffer.from(`3046${order}${order}`, "hex")
    const digest = Buffer.alloc(32, 1)
    for (const signature of [zero, beyond])
      assert.isFalse(DigestSignature.holds(publicKey, { digest, signature }))
  })

  it("is known for P-256 and P-384 alone", () => {
    assert.isTrue(pairs.every(({ publicKey }) => DigestSignature.isSupported(publicKey)))
    for (const { publicKey } of [pair("P-521"), generateKeyPairSync("ed25519")]) {
      assert.isFalse(DigestSignature.isSupported(publicKey))
      const nothing = { digest: Buffer.alloc(32), signature: Buffer.alloc(64) }
      assert.isFalse(DigestSignature.holds(publicKey, nothing))
    }
  })
})
