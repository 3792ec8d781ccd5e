/** The public keys of an issuer, as its JWK set has them. RFC 7517 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Timestamp } from "../shared/Timestamp.js"
import type { Algorithm } from "./IdToken.js"

/** The most keys of a set that are kept. */
export const KEYS_MAX = 100
/** Keys are used for this long after they were fetched, in seconds. */
export const STALE_SECONDS = 86_400
/** Keys are fetched again after this long, in seconds. */
export const REFRESH_SECONDS = 600
/** An unknown key has the keys fetched again at most this often, in seconds. */
export const WANT_SECONDS = 60

const Text = Schema.String.pipe(Schema.maxLength(4_096))

/** A public key: the members that verifying needs. */
export const PublicKey = Schema.Struct({
  kty: Schema.Literal("RSA", "EC", "OKP"),
  kid: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(256)),
  alg: Schema.optional(Schema.String),
  use: Schema.optional(Schema.String),
  crv: Schema.optional(Schema.String),
  n: Schema.optional(Text),
  e: Schema.optional(Text),
  x: Schema.optional(Text),
  y: Schema.optional(Text)
})
/** A public key. */
export type PublicKey = typeof PublicKey.Type

/** An issuer, with its keys as of their last fetch. */
export const Issuer = Schema.Struct({
  issuer: Schema.String,
  keys: Schema.Array(PublicKey),
  /** When the keys were fetched; `null` is never. */
  fetched_at: Schema.NullOr(Timestamp)
})
/** An issuer. */
export type Issuer = typeof Issuer.Type

const decodeKey = Schema.decodeUnknownOption(PublicKey)
const decodeSet = Schema.decodeUnknownOption(Schema.Struct({ keys: Schema.Array(Schema.Unknown) }))

/** The keys of a JWK set; those of other kinds are left out. None where it is no set. */
export const parse = (value: unknown): Option.Option<ReadonlyArray<PublicKey>> =>
  Option.map(decodeSet(value), ({ keys }) =>
    keys.slice(0, KEYS_MAX).flatMap((key) => Option.toArray(decodeKey(key)))
  )

/** 2,048 bits in base64url, without padding. */
const MODULUS_LENGTH_MIN = 341

const isRsa = ({ kty, n, e }: PublicKey): boolean =>
  kty === "RSA" && e !== undefined && n !== undefined && n.length >= MODULUS_LENGTH_MIN

const isCurve = ({ kty, crv, x, y }: PublicKey, curve: string): boolean =>
  kty === "EC" && crv === curve && x !== undefined && y !== undefined

/** Whether a key may verify signatures of an algorithm: its kind decides, not the token. */
const serves = (key: PublicKey, algorithm: Algorithm): boolean => {
  if (key.use !== undefined && key.use !== "sig") return false
  if (key.alg !== undefined && key.alg !== algorithm) return false
  switch (algorithm) {
    case "RS256":
    case "PS256":
      return isRsa(key)
    case "ES256":
      return isCurve(key, "P-256")
    case "ES384":
      return isCurve(key, "P-384")
    case "EdDSA":
      return key.kty === "OKP" && key.crv === "Ed25519" && key.x !== undefined
  }
}

/** The key of that id; none where the issuer has none. */
export const find = (keys: ReadonlyArray<PublicKey>, keyId: string): Option.Option<PublicKey> =>
  Option.fromNullable(keys.find(({ kid }) => kid === keyId))

/** The key where it may verify the algorithm. */
export const serving = (key: PublicKey, algorithm: Algorithm): Option.Option<PublicKey> =>
  serves(key, algorithm) ? Option.some(key) : Option.none()
