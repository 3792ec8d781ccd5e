/**
 * A session: of an API key, as which it authenticates and with which it ends at the latest, or of a person who
 * signed in with a provider.
 *
 * The text of a session has the id and a secret; the store has a digest. A browser has the text in a cookie, and its
 * writes also need a token that derives from the secret, which another site cannot know. A command line sends the text
 * as bearer token: it claims a session that a browser offers it, which begins and ends with the one of the browser.
 */
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { ApiKeyId, type OrgId, SessionId, UserId } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"
import { ProviderId } from "../sign-in/Provider.js"

/** The longest text that is tried as the code of an offered session. */
export const CODE_LENGTH_MAX = 128

/** For how long a command line can claim the session that a browser offers it. */
export const CLAIM_SECONDS = 60

/** The lifetime of a session of a key. */
export const LIFETIME_SECONDS = 12 * 3600

/** The number of random bytes of a session's secret. */
export const SECRET_BYTES = 32

const common = {
  id: SessionId,
  digest: Schema.String,
  created_at: Timestamp,
  expires_at: Timestamp
}

/** A session of a key, with the digest of its cookie. */
export const KeySession = Schema.Struct({ ...common, key_id: ApiKeyId })
/** A session of a key. */
export type KeySession = typeof KeySession.Type

/** A session of a person, with the digest of its cookie. It ends with the identity that opened it. */
export const PersonSession = Schema.Struct({
  ...common,
  user_id: UserId,
  provider: ProviderId,
  /** When the provider asked the person; `null` where it did not say. */
  auth_time: Schema.NullOr(Timestamp),
  /** How the provider asked; `null` where it did not say. */
  acr: Schema.NullOr(Schema.String)
})
/** A session of a person. */
export type PersonSession = typeof PersonSession.Type

/** A session with the digest of its cookie. */
export const Session = Schema.Union(KeySession, PersonSession)
/** A session. */
export type Session = typeof Session.Type

/** A command line claimed a session with a code that is wrong, was used, or is older than a minute. */
export class ClaimRefused extends Data.TaggedError("ClaimRefused") {
  override get message() {
    return "The code is wrong, was used, or is older than a minute: log in again"
  }
}

/** Whether a session is of a person who signed in with a provider. */
export const isOfPerson = (session: Session): session is PersonSession => "user_id" in session

const SHAPE = /^([0-9a-f-]{32})\.[0-9a-f]{64}$/

/** The memberships in whose orgs a session counts: those that have not ended it since it was opened. */
export const counting = <A extends { readonly org_id: OrgId }>(
  memberships: ReadonlyArray<A>,
  sessionsAfter: ReadonlyMap<OrgId, Timestamp>,
  openedAt: Timestamp
): ReadonlyArray<A> =>
  memberships.filter(({ org_id }) => {
    const ended = sessionsAfter.get(org_id)
    return ended === undefined || openedAt > ended
  })

/** The text of a session. */
export const print = (id: SessionId, secret: Uint8Array): Redacted.Redacted<string> =>
  Redacted.make(
    `${id}.${Array.from(secret, (byte) => byte.toString(16).padStart(2, "0")).join("")}`
  )

/** The id in the text of a session; none when the text is no session's. */
export const parse = (text: string): Option.Option<SessionId> =>
  Option.map(Option.fromNullable(SHAPE.exec(text)?.[1]), (id) => SessionId.make(id))

const CHALLENGE = /^[A-Za-z0-9_-]{43}$/
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

/** Whether a text is a challenge of the method S256. RFC 7636 §4.2 */
export const isChallenge = (text: string): boolean => CHALLENGE.test(text)

/** Whether a text is a code verifier. RFC 7636 §4.1 */
export const isVerifier = (text: string): boolean => VERIFIER.test(text)

/** The challenge of a verifier, of which `digest` is the SHA-256 in hexadecimal. */
export const challengeOf = (digest: string): string =>
  Encoding.encodeBase64Url(Either.getOrElse(Encoding.decodeHex(digest), () => new Uint8Array()))

/** Whether a text has the form of a session's. */
export const isText = (text: string): boolean => SHAPE.test(text)

/** The text whose digest is the CSRF token. */
export const csrfSource = (text: Redacted.Redacted<string>): string =>
  `csrf:${Redacted.value(text)}`
