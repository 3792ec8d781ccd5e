/**
 * When the coming expiry of a service account's key is notified, and to which recipients.
 *
 * Of the thresholds that a key has crossed only the smallest fires, and only when it is smaller than the last
 * notified one; larger ones are skipped. There is one notification for each stage.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Role } from "../access/Role.js"
import type { ApiKey } from "../api-key/ApiKey.js"
import type { ApiKeyId, OrgName, ServiceAccountName, UserId } from "../shared/Identifier.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { ApiKeyExpiryNotification } from "./Notification.js"
import { EXPIRY_THRESHOLDS_DAYS } from "./NotificationConfig.js"
import { EmailAddress } from "./NotificationTarget.js"

const isEmailAddress = Schema.is(EmailAddress)

const DAY_MICROS = 86_400 * 1_000_000

/** Keys that expire later than this many seconds from now are ignored. */
export const HORIZON_SECONDS = 86_400 * EXPIRY_THRESHOLDS_DAYS[0]

/** A key of a service account that expires, with its last notification. */
export interface ExpiringKey {
  readonly id: ApiKeyId
  readonly description: string
  readonly service_account: ServiceAccountName
  /** The id of the creator of the account, which need not be a user. */
  readonly creating_user_id: string
  readonly expires_at: Timestamp
  /** The fewest days left that were notified; null without a notification. */
  readonly notified_days: number | null
}

/** A member of the org with the address. */
export interface Mailbox {
  readonly user_id: UserId
  readonly role: Role
  readonly email: string | null
}

/** Whether a key is subject to notifications: it expires, and is neither revoked nor rotated. */
export const counts = ({
  owner,
  expires_at,
  revoked_at,
  grace_period_expires_at
}: Pick<ApiKey, "owner" | "expires_at" | "revoked_at" | "grace_period_expires_at">): boolean =>
  owner.kind === "service-account" &&
  expires_at !== null &&
  revoked_at === null &&
  grace_period_expires_at === null

/** The smallest threshold that a key has crossed, in days. */
export const crossed = (expiresAt: Timestamp, now: Timestamp): Option.Option<number> => {
  const left = expiresAt - now
  const days = EXPIRY_THRESHOLDS_DAYS.filter((threshold) => left <= threshold * DAY_MICROS)
  return Option.fromNullable(days.at(-1))
}

/** The days that a key has left, rounded up; 0 exactly when it has expired. */
export const daysLeft = (expiresAt: Timestamp, now: Timestamp): number =>
  Math.max(0, Math.ceil((expiresAt - now) / DAY_MICROS))

/**
 * The threshold to notify now, if there is one.
 *
 * INVARIANT: the days left that are notified with a threshold exceed the next smaller one, so that a threshold
 * is below `notified_days` exactly when it was not notified.
 */
export const due = (
  { expires_at, notified_days }: Pick<ExpiringKey, "expires_at" | "notified_days">,
  now: Timestamp
): Option.Option<number> =>
  Option.filter(crossed(expires_at, now), (days) => notified_days === null || days < notified_days)

/**
 * The intent of a notification: one text per key and threshold. One successful target is enough: a dead target must not
 * repeat the notification for ever.
 */
export const intentOf = (id: ApiKeyId, days: number): string => `api_key_expiry ${id} ${days}`

/** The intents that a smaller threshold makes obsolete. */
export const obsoleteIntents = (id: ApiKeyId, days: number): ReadonlyArray<string> =>
  EXPIRY_THRESHOLDS_DAYS.filter((threshold) => threshold > days).map((threshold) =>
    intentOf(id, threshold)
  )

const distinct = (emails: ReadonlyArray<string>): ReadonlyArray<string> =>
  [
    ...new Map(emails.map((email) => [email.toLowerCase(), email] as const).reverse()).values()
  ].reverse()

/**
 * The derived recipients: the account's creator, if still a member with an address, else every admin with one;
 * each valid address once, without regard to case.
 */
export const recipients = (
  { creating_user_id }: Pick<ExpiringKey, "creating_user_id">,
  members: ReadonlyArray<Mailbox>
): ReadonlyArray<string> => {
  const mail = (chosen: (member: Mailbox) => boolean): ReadonlyArray<string> =>
    distinct(
      members.flatMap((member) =>
        chosen(member) && isEmailAddress(member.email) ? [member.email] : []
      )
    )
  const creator = mail(({ user_id }) => user_id === creating_user_id)
  return creator.length > 0 ? creator : mail(({ role }) => role === "admin")
}

const inWords = (days: number): string =>
  days === 0 ? "has expired" : `expires within ${days} day${days === 1 ? "" : "s"}`

/** The notification about a key. The key's text is not part of it (law NOTIFY-7). */
export const notificationOf = (
  key: ExpiringKey,
  scan: { readonly org: OrgName; readonly at: Timestamp }
): ApiKeyExpiryNotification => {
  const days = daysLeft(key.expires_at, scan.at)
  return {
    event_type: "API_KEY_EXPIRY",
    ...scan,
    description: `API key ${key.id} of service account ${key.service_account} ${inWords(days)}`,
    api_key: {
      id: key.id,
      description: key.description,
      service_account: key.service_account,
      expires_at: key.expires_at,
      days_left: days
    }
  }
}
