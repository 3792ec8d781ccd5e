/**
 * A public key of a trust policy: read from PEM, with its algorithm and size, or why it cannot verify signatures.
 *
 * Ed25519, ECDSA over P-256, P-384 and P-521, and RSA of 2,048 bits or more are usable.
 */
import { createHash, createPublicKey, type KeyObject } from "node:crypto"
import * as Data from "effect/Data"
import * as Either from "effect/Either"

/** The most characters of a key in PEM. */
export const PEM_LENGTH_MAX = 16_384
/** The least bits of an RSA key. */
export const RSA_BITS_MIN = 2_048
/** The most bits of an RSA key. */
export const RSA_BITS_MAX = 16_384

/** The algorithm of a key; `rsa-pss` verifies signatures of RSASSA-PSS alone. */
export type KeyAlgorithm = "ed25519" | "ecdsa" | "rsa" | "rsa-pss"

/** A key that can verify signatures. */
export interface VerificationKey {
  readonly algorithm: KeyAlgorithm
  readonly bits: number
  /** The SHA-256 of the key (SubjectPublicKeyInfo in DER) in hexadecimal. */
  readonly fingerprint: string
  readonly key: KeyObject
}

/** Why a key cannot verify signatures. */
export type UnusableReason = "not_a_public_key" | "private_key" | "algorithm" | "curve" | "bits"

const SENTENCES: { readonly [Reason in UnusableReason]: string } = {
  not_a_public_key: "this is not one public key in PEM",
  private_key: "this is a private key: give the public key",
  algorithm: "the key must be Ed25519, ECDSA or RSA",
  curve: "the curve must be P-256, P-384 or P-521",
  bits: `an RSA key must have ${RSA_BITS_MIN} to ${RSA_BITS_MAX} bits`
}

/** A key that cannot verify signatures. */
export class UnusableKey extends Data.TaggedError("UnusableKey")<{
  readonly reason: UnusableReason
}> {
  override get message(): string {
    return SENTENCES[this.reason]
  }
}

const CURVES: ReadonlyMap<string, number> = new Map([
  ["prime256v1", 256],
  ["secp384r1", 384],
  ["secp521r1", 521]
])

/** One block, and nothing but base64 and white space in it. */
const PUBLIC_KEY = /^\s*-----BEGIN PUBLIC KEY-----[A-Za-z0-9+/=\s]+-----END PUBLIC KEY-----\s*$/

const unusable = (reason: UnusableReason) => Either.left(new UnusableKey({ reason }))

/** Reads a key of `node:crypto`. */
export const fromKeyObject = (key: KeyObject): Either.Either<VerificationKey, UnusableKey> => {
  const of = (algorithm: KeyAlgorithm, bits: number) => {
    const der = key.export({ format: "der", type: "spki" })
    const fingerprint = createHash("sha256").update(der).digest("hex")
    return Either.right({ algorithm, bits, fingerprint, key })
  }
  const details = key.asymmetricKeyDetails
  switch (key.asymmetricKeyType) {
    case "ed25519":
      return of("ed25519", 256)
    case "ec": {
      const bits = CURVES.get(details?.namedCurve ?? "")
      return bits === undefined ? unusable("curve") : of("ecdsa", bits)
    }
    case "rsa":
    case "rsa-pss": {
      const bits = details?.modulusLength ?? 0
      const isUsable = bits >= RSA_BITS_MIN && bits <= RSA_BITS_MAX
      return isUsable ? of(key.asymmetricKeyType, bits) : unusable("bits")
    }
    default:
      return unusable("algorithm")
  }
}

/** Reads a key in PEM (SubjectPublicKeyInfo). Total: every text gives a key or the reason that it is not usable. */
export const fromPem = (pem: string): Either.Either<VerificationKey, UnusableKey> => {
  if (pem.length > PEM_LENGTH_MAX) return unusable("not_a_public_key")
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem)) return unusable("private_key")
  if (!PUBLIC_KEY.test(pem)) return unusable("not_a_public_key")
  return Either.try({
    try: () => createPublicKey(pem),
    catch: () => new UnusableKey({ reason: "not_a_public_key" })
  }).pipe(Either.flatMap(fromKeyObject))
}
