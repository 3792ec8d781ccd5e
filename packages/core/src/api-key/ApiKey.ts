/**
 * An API key: its stored fields, when it is valid, and the effect of rotation and revocation.
 *
 * The secret is in none of these values; only `ApiKeySecret` handles it.
 */
import * as Schema from "effect/Schema"
import { KeyScope } from "../access/KeyScope.js"
import { ApiKeyId, OrgId, OrgName, ServiceAccountId, UserId } from "../shared/Identifier.js"
import * as Timestamp from "../shared/Timestamp.js"

/** The owner of a key: a user in all orgs of the user, or a service account in its one org. */
export const ApiKeyOwner = Schema.Union(
  Schema.Struct({ kind: Schema.Literal("user"), user_id: UserId }),
  Schema.Struct({
    kind: Schema.Literal("service-account"),
    org_id: OrgId,
    service_account_id: ServiceAccountId
  })
)
/** The owner of a key. */
export type ApiKeyOwner = typeof ApiKeyOwner.Type

const Instant = Schema.NullOr(Timestamp.Timestamp)

/** An API key, with the digest of its text. */
export const ApiKey = Schema.Struct({
  id: ApiKeyId,
  owner: ApiKeyOwner,
  description: Schema.String,
  digest: Schema.String,
  created_at: Timestamp.Timestamp,
  /** When the key expires; `null` is never. */
  expires_at: Instant,
  revoked_at: Instant,
  /** When a rotated key ends; `null` for a key that was not rotated. */
  grace_period_expires_at: Instant,
  /** When the key last authenticated a request, to within a few seconds; `null` is never. */
  last_used_at: Instant,
  /** What the key leaves of its owner's access; absent leaves all. It never changes. */
  scope: Schema.optionalWith(KeyScope, { exact: true }),
  /** Present for a key of an admin for emergencies, which counts in the one org of its scope. */
  emergency: Schema.optionalWith(Schema.Literal(true), { exact: true })
})
/** An API key. */
export type ApiKey = typeof ApiKey.Type

/** A description has at least one character and at most this many. */
export const DESCRIPTION_LENGTH_MAX = 256

/** The most days of a condition on keys. */
export const DAYS_MAX = 3_650

/** The most keys for emergencies that work in an org. */
export const EMERGENCY_KEYS_MAX = 2

/** The latest possible expiry: the first second of the year 2100. */
export const EXPIRES_AT_SECONDS_MAX = 4_102_444_800

/** Bounds of the grace period of a rotated key, in hours. */
export const GRACE_HOURS = { min: 1, max: 720, default: 24 } as const

/**
 * Whether a key is valid at an instant: from its creation until it is revoked, expires, or ends its
 * grace period, whichever comes first (law KEY-1).
 */
export const isValidAt = (
  key: Pick<ApiKey, "expires_at" | "revoked_at" | "grace_period_expires_at">,
  now: Timestamp.Timestamp
): boolean =>
  (key.revoked_at === null || now < key.revoked_at) &&
  (key.expires_at === null || now < key.expires_at) &&
  (key.grace_period_expires_at === null || now < key.grace_period_expires_at)

/** The end of a rotated key: the earlier of its expiry and the end of the grace period. */
export const graceEnd = (
  key: Pick<ApiKey, "expires_at">,
  rotated: { readonly at: Timestamp.Timestamp; readonly graceHours: number }
): Timestamp.Timestamp => {
  const end = Timestamp.plusSeconds(rotated.at, rotated.graceHours * 3600)
  return key.expires_at !== null && key.expires_at < end ? key.expires_at : end
}

/**
 * The credential is missing, malformed, unknown, expired or revoked. The error does not distinguish these, so
 * that responses cannot either. Only an attacker would learn something from the difference.
 */
export class InvalidCredential extends Schema.TaggedError<InvalidCredential>()(
  "InvalidCredential",
  {}
) {
  override get message(): string {
    return "a valid API key is required: send it as `Authorization: Bearer <API_KEY>`"
  }
}

/** There is no such key, or it is revoked or expired. SPEC §3.3 */
export class ApiKeyNotFound extends Schema.TaggedError<ApiKeyNotFound>()("ApiKeyNotFound", {
  id: ApiKeyId
}) {
  override get message(): string {
    return `there is no active API key \`${this.id}\``
  }
}

/** The key was rotated already and is in its grace period. A second rotation would give one key two successors. */
export class ApiKeyInGrace extends Schema.TaggedError<ApiKeyInGrace>()("ApiKeyInGrace", {
  id: ApiKeyId
}) {
  override get message(): string {
    return `API key \`${this.id}\` was rotated already: rotate the key that replaced it`
  }
}

/** The expiry of a new key must be in the future. */
export class ExpiryNotInFuture extends Schema.TaggedError<ExpiryNotInFuture>()(
  "ExpiryNotInFuture",
  {
    expires_at: Timestamp.Timestamp
  }
) {
  override get message(): string {
    return `\`${Timestamp.toSeconds(this.expires_at)}\` is in the past`
  }
}

/** The key would end after the time that an org allows to keys of people, or never. */
export class ExpiryTooLate extends Schema.TaggedError<ExpiryTooLate>()("ExpiryTooLate", {
  org: OrgName,
  days: Schema.Int
}) {
  override get message(): string {
    return `keys of people end within ${this.days} days in org \`${this.org}\``
  }
}

/** The caller cannot have a key of its own. */
export class PersonalKeyRefused extends Schema.TaggedError<PersonalKeyRefused>()(
  "PersonalKeyRefused",
  { reason: Schema.Literal("not-a-person", "no-org") }
) {
  override get message(): string {
    return this.reason === "not-a-person"
      ? "only people have keys of their own: keys of a service account are made at the account"
      : "this session counts in no org, so that a key would open nothing"
  }
}

/** As many keys for emergencies work in the org as there may be. */
export class TooManyEmergencyKeys extends Schema.TaggedError<TooManyEmergencyKeys>()(
  "TooManyEmergencyKeys",
  { org: OrgName }
) {
  override get message(): string {
    return `${EMERGENCY_KEYS_MAX} keys for emergencies work in org \`${this.org}\`: revoke one first`
  }
}

/** The rotation failed and was undone: the old key is unchanged, and there is no new key. */
export class RotationFailed extends Schema.TaggedError<RotationFailed>()("RotationFailed", {
  id: ApiKeyId,
  cleanedUp: Schema.Boolean,
  /** The failure of the store. */
  cause: Schema.Defect
}) {
  override get message(): string {
    return `API key \`${this.id}\` could not be rotated`
  }
}
