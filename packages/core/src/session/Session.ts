/**
 * A browser session: it authenticates as the API key that opened it, and ends with the key at the latest.
 *
 * The cookie has the id and a secret; the store has a digest. Writes by cookie also need a token that derives
 * from the secret, which another site cannot know.
 */
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { ApiKeyId, type OrgId, SessionId } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"

/** The lifetime of a session. */
export const LIFETIME_SECONDS = 12 * 3600

/** The number of random bytes of a session's secret. */
export const SECRET_BYTES = 32

/** A session with the digest of its cookie. */
export const Session = Schema.Struct({
  id: SessionId,
  key_id: ApiKeyId,
  digest: Schema.String,
  created_at: Timestamp,
  expires_at: Timestamp
})
/** A session. */
export type Session = typeof Session.Type

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

/** The text of a session's cookie. */
export const print = (id: SessionId, secret: Uint8Array): Redacted.Redacted<string> =>
  Redacted.make(
    `${id}.${Array.from(secret, (byte) => byte.toString(16).padStart(2, "0")).join("")}`
  )

/** The id in the text of a cookie; none when the text is no session's. */
export const parse = (text: string): Option.Option<SessionId> =>
  Option.map(Option.fromNullable(SHAPE.exec(text)?.[1]), (id) => SessionId.make(id))

/** The text whose digest is the CSRF token. */
export const csrfSource = (text: Redacted.Redacted<string>): string =>
  `csrf:${Redacted.value(text)}`
