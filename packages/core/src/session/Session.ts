/**
 * A browser session: stands for the API key that opened it, and ends with it at the latest.
 *
 * The cookie holds the id and a secret; what is kept is a digest. Writes by cookie also carry a token
 * that another site cannot know, because it follows from the secret. DECISION A-36
 */
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { ApiKeyId, SessionId } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"

/** For how long a session lasts: a working day. */
export const LIFETIME_SECONDS = 12 * 3600

/** How many random bytes the secret of a session has. */
export const SECRET_BYTES = 32

/** A session, with the digest of its cookie's text. */
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

/** The text of a session's cookie. */
export const print = (id: SessionId, secret: Uint8Array): Redacted.Redacted<string> =>
  Redacted.make(
    `${id}.${Array.from(secret, (byte) => byte.toString(16).padStart(2, "0")).join("")}`
  )

/** The id inside a cookie's text; none when the text is no session of ours. */
export const parse = (text: string): Option.Option<SessionId> =>
  Option.map(Option.fromNullable(SHAPE.exec(text)?.[1]), (id) => SessionId.make(id))

/** The text whose digest is the token that writes by cookie must carry. */
export const csrfSource = (text: Redacted.Redacted<string>): string =>
  `csrf:${Redacted.value(text)}`
