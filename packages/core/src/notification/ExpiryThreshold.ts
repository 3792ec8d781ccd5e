/**
 * When the coming end of a key or a waiver is notified, and to which members. SPEC §6.2
 *
 * Of the thresholds that were crossed only the smallest fires, and only when it is smaller than the last notified one;
 * larger ones are skipped. There is one notification for each stage.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { BaseRole } from "../access/Role.js"
import type { UserId } from "../shared/Identifier.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { EmailAddress } from "./NotificationTarget.js"

const isEmailAddress = Schema.is(EmailAddress)

const DAY_MICROS = 86_400 * 1_000_000

/** Days before the end, falling, down to 0. */
export type Thresholds = readonly [first: number, ...others: ReadonlyArray<number>]

/** A subject that ends, with its last notification. */
export interface Expiring {
  readonly expires_at: Timestamp
  /** The fewest days left that were notified; null without a notification. */
  readonly notified_days: number | null
}

/** A member of the org with the address. */
export interface Mailbox {
  readonly user_id: UserId
  readonly role: BaseRole
  readonly email: string | null
}

/** A scan ignores subjects that end later than this many seconds from now. */
export const horizonSeconds = ([first]: Thresholds): number => 86_400 * first

const crossed = (
  thresholds: Thresholds,
  expiresAt: Timestamp,
  now: Timestamp
): Option.Option<number> => {
  const left = expiresAt - now
  return Option.fromNullable(thresholds.filter((days) => left <= days * DAY_MICROS).at(-1))
}

/** The days that are left, rounded up; 0 exactly when the end has come. */
export const daysLeft = (expiresAt: Timestamp, now: Timestamp): number =>
  Math.max(0, Math.ceil((expiresAt - now) / DAY_MICROS))

/**
 * The threshold to notify now, if there is one.
 *
 * INVARIANT: the days left that are notified with a threshold exceed the next smaller one, so that a threshold
 * is below `notified_days` exactly when it was not notified.
 */
export const due = (
  thresholds: Thresholds,
  { expires_at, notified_days }: Expiring,
  now: Timestamp
): Option.Option<number> =>
  Option.filter(
    crossed(thresholds, expires_at, now),
    (days) => notified_days === null || days < notified_days
  )

/** An end in words: `expires within 5 days`, or `has expired`. */
export const inWords = (days: number): string =>
  days === 0 ? "has expired" : `expires within ${days} day${days === 1 ? "" : "s"}`

const distinct = (emails: ReadonlyArray<string>): ReadonlyArray<string> =>
  [
    ...new Map(emails.map((email) => [email.toLowerCase(), email] as const).reverse()).values()
  ].reverse()

const addressesOf = (
  members: ReadonlyArray<Mailbox>,
  isChosen: (member: Mailbox) => boolean
): ReadonlyArray<string> =>
  distinct(
    members.flatMap((member) =>
      isChosen(member) && isEmailAddress(member.email) ? [member.email] : []
    )
  )

/**
 * The first of these users who is still a member with an address, else every admin with one; each valid address once,
 * without regard to case.
 */
export const recipients = (
  [first, ...others]: ReadonlyArray<string>,
  members: ReadonlyArray<Mailbox>
): ReadonlyArray<string> => {
  if (first === undefined) return addressesOf(members, ({ role }) => role === "admin")
  const own = addressesOf(members, ({ user_id }) => user_id === first)
  return own.length > 0 ? own : recipients(others, members)
}
