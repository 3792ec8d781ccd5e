/**
 * An id token of a pipeline: a signed JWT. Reading says nothing about its truth; the signature is checked apart.
 *
 * Reading is total: a text that is no such token is none. RFC 7515, RFC 7519
 */
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as JsonText from "../shared/JsonText.js"
import * as Timestamp from "../shared/Timestamp.js"

/** The most characters of a token. */
export const LENGTH_MAX = 16_384
/** The difference of clocks that is tolerated, in seconds. */
export const LEEWAY_SECONDS = 60
/** A token that is older than this many seconds is refused, whatever it says about its end. */
export const AGE_SECONDS_MAX = 900

/** The algorithms that are accepted: signatures with public keys alone. */
export const ALGORITHMS = ["RS256", "PS256", "ES256", "ES384", "EdDSA"] as const
/** An algorithm that is accepted. */
export type Algorithm = (typeof ALGORITHMS)[number]

/** What a token claims. */
export interface IdTokenClaims {
  readonly issuer: string
  readonly subject: string
  readonly audiences: ReadonlyArray<string>
  readonly issuedAt: number
  readonly notBefore: number | undefined
  readonly expiresAt: number
  readonly id: string | undefined
  /** Every claim, as it was sent. */
  readonly all: { readonly [name: string]: unknown }
}

/** A token that was read and not yet verified. */
export interface IdToken {
  readonly algorithm: Algorithm
  readonly keyId: string
  /** The text that was signed. */
  readonly content: string
  readonly signature: Uint8Array
  readonly claims: IdTokenClaims
}

/**
 * The token is not accepted: malformed, not signed by a key of its issuer, expired, for another audience, or without
 * a rule that it fits. The error does not distinguish these.
 */
export class InvalidIdToken extends Schema.TaggedError<InvalidIdToken>()("InvalidIdToken", {}) {
  override get message(): string {
    return "the id token is not accepted"
  }
}

/** The keys of the issuer are not known yet, or do not hold the key of the token; they are fetched meanwhile. */
export class IssuerKeysPending extends Schema.TaggedError<IssuerKeysPending>()(
  "IssuerKeysPending",
  {}
) {
  override get message(): string {
    return "the keys of the issuer are being fetched: please try again"
  }
}

const Header = Schema.Struct({
  alg: Schema.Literal(...ALGORITHMS),
  kid: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(256)),
  // WHY: an extension that must be understood is not understood here.
  crit: Schema.optional(Schema.Never)
})

const Claims = Schema.Struct({
  iss: Schema.String,
  sub: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(1_024)),
  aud: Schema.Union(Schema.String, Schema.Array(Schema.String)),
  iat: Schema.Finite,
  exp: Schema.Finite,
  nbf: Schema.optional(Schema.Finite),
  jti: Schema.optional(Schema.String.pipe(Schema.maxLength(512)))
})

const Members = Schema.Record({ key: Schema.String, value: Schema.Unknown })

const decodeHeader = Schema.decodeUnknownOption(Header)
const decodeClaims = Schema.decodeUnknownOption(Claims)
const decodeMembers = Schema.decodeUnknownOption(Members)

const jsonOf = (part: string): Option.Option<unknown> =>
  Option.flatMap(Either.getRight(Encoding.decodeBase64UrlString(part)), (text) =>
    Either.getRight(JsonText.parse(text))
  )

const claimsOf = (part: string): Option.Option<IdTokenClaims> =>
  Option.gen(function* () {
    const value = yield* jsonOf(part)
    const all = yield* decodeMembers(value)
    const { iss, sub, aud, iat, exp, nbf, jti } = yield* decodeClaims(value)
    return {
      issuer: iss,
      subject: sub,
      audiences: typeof aud === "string" ? [aud] : aud,
      issuedAt: iat,
      notBefore: nbf,
      expiresAt: exp,
      id: jti,
      all
    }
  })

const SHAPE = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/

/** Reads a token; none where the text is no token whose algorithm is accepted. */
export const parse = (text: string): Option.Option<IdToken> =>
  Option.gen(function* () {
    if (text.length > LENGTH_MAX) return yield* Option.none()
    const [, header = "", payload = "", signed = ""] = SHAPE.exec(text) ?? []
    if (header === "") return yield* Option.none()
    const { alg, kid } = yield* Option.flatMap(jsonOf(header), decodeHeader)
    const claims = yield* claimsOf(payload)
    const signature = yield* Either.getRight(Encoding.decodeBase64Url(signed))
    return { algorithm: alg, keyId: kid, content: `${header}.${payload}`, signature, claims }
  })

/** Whether a token is valid at an instant, and not too old. */
export const isCurrent = (
  { issuedAt, notBefore, expiresAt }: IdTokenClaims,
  now: Timestamp.Timestamp
): boolean => {
  const seconds = Timestamp.toSeconds(now)
  return (
    seconds < expiresAt + LEEWAY_SECONDS &&
    seconds >= issuedAt - LEEWAY_SECONDS &&
    seconds <= issuedAt + AGE_SECONDS_MAX + LEEWAY_SECONDS &&
    (notBefore === undefined || seconds >= notBefore - LEEWAY_SECONDS)
  )
}
