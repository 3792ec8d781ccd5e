/**
 * A credential: what is kept of it, and when it is valid.
 *
 * The secret itself is in none of these values; `ApiKeySecret` is the only module that ever holds it.
 */
import * as Schema from "effect/Schema"
import { ApiKeyId, UserId } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"

/** A personal API key, with the digest of its text. */
export const ApiKey = Schema.Struct({
  id: ApiKeyId,
  user_id: UserId,
  description: Schema.String,
  digest: Schema.String,
  created_at: Timestamp,
  expires_at: Schema.NullOr(Timestamp),
  revoked_at: Schema.NullOr(Timestamp)
})
/** A personal API key. */
export type ApiKey = typeof ApiKey.Type

/** Whether a key is valid at an instant: from its creation until it is revoked or expires (law K-1). */
export const isValidAt = (
  key: Pick<ApiKey, "expires_at" | "revoked_at">,
  now: Timestamp
): boolean => key.revoked_at === null && (key.expires_at === null || now < key.expires_at)

/**
 * The credential does not open anything: it is missing, malformed, unknown, expired or revoked. Which of
 * these it is stays unsaid, here and on the wire. DECISION A-02
 */
export class InvalidCredential extends Schema.TaggedError<InvalidCredential>()(
  "InvalidCredential",
  {}
) {
  override get message(): string {
    return "a valid API key is required: send it as `Authorization: Bearer <API_KEY>`"
  }
}
