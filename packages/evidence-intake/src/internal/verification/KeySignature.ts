/** Whether a signature of an envelope is by a key. */
import { constants, type KeyObject, verify } from "node:crypto"
import type { VerificationKey } from "../../verification/VerificationKey.js"

/** A signature over bytes. */
export interface SignedBytes {
  readonly data: Uint8Array
  readonly signature: Uint8Array
}

/** The hashes that signers use with a curve, the usual one first. */
const curveHashes = (bits: number): ReadonlyArray<string> =>
  bits === 256 ? ["sha256"] : bits === 384 ? ["sha384", "sha256"] : ["sha512", "sha256"]

const RSA_HASHES = ["sha256", "sha384", "sha512"]

const PKCS1 = { padding: constants.RSA_PKCS1_PADDING }
const PSS = {
  padding: constants.RSA_PKCS1_PSS_PADDING,
  saltLength: constants.RSA_PSS_SALTLEN_AUTO
}

interface Way {
  readonly hash: string | null
  readonly options: { readonly padding?: number; readonly saltLength?: number }
}

const ways = ({ algorithm, bits }: VerificationKey): ReadonlyArray<Way> => {
  switch (algorithm) {
    case "ed25519":
      return [{ hash: null, options: {} }]
    case "ecdsa":
      return curveHashes(bits).map((hash) => ({ hash, options: {} }))
    case "rsa":
      return RSA_HASHES.flatMap((hash) => [
        { hash, options: PKCS1 },
        { hash, options: PSS }
      ])
    case "rsa-pss":
      return RSA_HASHES.map((hash) => ({ hash, options: PSS }))
  }
}

const holdsWith = (way: Way, key: KeyObject, { data, signature }: SignedBytes): boolean => {
  try {
    return verify(way.hash, data, { key, ...way.options }, signature)
  } catch {
    // WHY: a key that restricts its hash, and some malformed signatures, make `verify` throw.
    return false
  }
}

/** Whether the signature is by this key. */
export const holds = (key: VerificationKey, signed: SignedBytes): boolean =>
  ways(key).some((way) => holdsWith(way, key.key, signed))
