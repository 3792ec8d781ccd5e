/** Public keys in PEM: which are usable, and why others are not. */
import { createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import * as VerificationKey from "../../src/verification/VerificationKey.js"

const pemOf = (key: KeyObject): string => key.export({ format: "pem", type: "spki" }).toString()
const rsa = (modulusLength: number) => generateKeyPairSync("rsa", { modulusLength })
const curve = (namedCurve: string) => generateKeyPairSync("ec", { namedCurve })
const pair = curve("P-256")
const pem = pemOf(pair.publicKey)

const reasonOf = (text: string): string =>
  Either.match(VerificationKey.fromPem(text), {
    onLeft: (error) => error.reason,
    onRight: ({ algorithm, bits }) => `${algorithm} ${bits}`
  })

describe("a public key in PEM", () => {
  it("has an algorithm and a size", () => {
    for (const [key, expected] of [
      [pair.publicKey, "ecdsa 256"],
      [curve("P-384").publicKey, "ecdsa 384"],
      [curve("P-521").publicKey, "ecdsa 521"],
      [generateKeyPairSync("ed25519").publicKey, "ed25519 256"],
      [rsa(2_048).publicKey, "rsa 2048"],
      [generateKeyPairSync("rsa-pss", { modulusLength: 2_048 }).publicKey, "rsa-pss 2048"]
    ] as const)
      assert.strictEqual(reasonOf(pemOf(key)), expected)
  })

  it("has one fingerprint, however it is written", () => {
    const fingerprint = (text: string) =>
      Either.getOrThrow(VerificationKey.fromPem(text)).fingerprint
    assert.match(fingerprint(pem), /^[0-9a-f]{64}$/)
    assert.strictEqual(fingerprint(`\n${pem.replaceAll("\n", "\r\n")}\n`), fingerprint(pem))
    assert.notStrictEqual(fingerprint(pemOf(curve("P-256").publicKey)), fingerprint(pem))
  })

  it("is not usable for a weak, unknown or wrong key", () => {
    const privatePem = pair.privateKey.export({ format: "pem", type: "pkcs8" }).toString()
    const sec1 = pair.privateKey.export({ format: "pem", type: "sec1" }).toString()
    const pkcs1 = rsa(2_048).publicKey.export({ format: "pem", type: "pkcs1" }).toString()
    for (const [text, expected] of [
      [privatePem, "private_key"],
      [sec1, "private_key"],
      [pem + privatePem, "private_key"],
      [pkcs1, "not_a_public_key"],
      [pem + pem, "not_a_public_key"],
      [`comment\n${pem}`, "not_a_public_key"],
      [pem.replace("MFk", "AAA"), "not_a_public_key"],
      ["", "not_a_public_key"],
      [pemOf(rsa(1_024).publicKey), "bits"],
      [pemOf(curve("secp256k1").publicKey), "curve"],
      [pemOf(generateKeyPairSync("x25519").publicKey), "algorithm"],
      [pemOf(generateKeyPairSync("ed448").publicKey), "algorithm"]
    ] as const)
      assert.strictEqual(reasonOf(text), expected)
  })

  it("has 2,048 to 16,384 bits if it is RSA", () => {
    const ofBits = (bits: number) => {
      const n = Buffer.alloc(bits / 8, 0xff).toString("base64url")
      return pemOf(createPublicKey({ key: { kty: "RSA", n, e: "AQAB" }, format: "jwk" }))
    }
    const { RSA_BITS_MAX, RSA_BITS_MIN } = VerificationKey
    for (const bits of [RSA_BITS_MIN, RSA_BITS_MAX])
      assert.strictEqual(reasonOf(ofBits(bits)), `rsa ${bits}`)
    for (const bits of [RSA_BITS_MIN - 8, RSA_BITS_MAX + 8])
      assert.strictEqual(reasonOf(ofBits(bits)), "bits")
  })

  it("says why in a sentence", () => {
    for (const reason of ["not_a_public_key", "private_key", "algorithm", "curve", "bits"] as const)
      assert.match(new VerificationKey.UnusableKey({ reason }).message, /^[a-z].*[^.]$/i)
  })

  it("has a longest length", () => {
    const padded = (length: number) => pem + "\n".repeat(length - pem.length)
    assert.strictEqual(reasonOf(padded(VerificationKey.PEM_LENGTH_MAX)), "ecdsa 256")
    assert.strictEqual(reasonOf(padded(VerificationKey.PEM_LENGTH_MAX + 1)), "not_a_public_key")
  })

  it.prop(
    "is read in total: a text with a change gives a key or a reason",
    { at: FastCheck.nat(pem.length - 1), more: FastCheck.string({ maxLength: 3 }) },
    ({ at, more }) => {
      assert.isNotEmpty(reasonOf(pem.slice(0, at) + more + pem.slice(at + more.length)))
    }
  )
})
