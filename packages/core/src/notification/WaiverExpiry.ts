/** Which waivers are notified before they end, to which recipients, and how. SPEC §6.2 */
import type { OrgName } from "../shared/Identifier.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { Waiver } from "../waiver/Waiver.js"
import * as ExpiryThreshold from "./ExpiryThreshold.js"
import type { WaiverExpiryNotification } from "./Notification.js"

/** A waiver that was approved and not revoked, with its last notification. */
export interface ExpiringWaiver extends ExpiryThreshold.Expiring {
  readonly number: number
  readonly policy_name: string
  /** The login of the owner. */
  readonly owner: string
  readonly owner_id: string
  /** The id of the requester, which need not be a user. */
  readonly requester_id: string
}

/**
 * The waivers that count and end by an instant: approved, not revoked, and not extended by another one that counts and
 * ends later.
 */
export const ending = <
  W extends Pick<Waiver, "number" | "extends" | "expires_at" | "revoked" | "activated_at">
>(
  waivers: ReadonlyArray<W>,
  until: Timestamp
): ReadonlyArray<W> => {
  const counting = waivers.filter(
    ({ activated_at, revoked }) => activated_at !== null && revoked === null
  )
  return counting.filter(
    ({ expires_at, number }) =>
      expires_at <= until &&
      !counting.some((other) => other.extends === number && other.expires_at > expires_at)
  )
}

/** The derived recipients: the owner, else the requester, else the admins. */
export const recipients = (
  { owner_id, requester_id }: Pick<ExpiringWaiver, "owner_id" | "requester_id">,
  members: ReadonlyArray<ExpiryThreshold.Mailbox>
): ReadonlyArray<string> => ExpiryThreshold.recipients([owner_id, requester_id], members)

/** The notification about a waiver. */
export const notificationOf = (
  { number, policy_name, owner, expires_at }: ExpiringWaiver,
  scan: { readonly org: OrgName; readonly at: Timestamp }
): WaiverExpiryNotification => {
  const days = ExpiryThreshold.daysLeft(expires_at, scan.at)
  const step =
    days === 0
      ? "make the artifacts compliant that it covered, or request another one"
      : "remove the cause, or request an extension"
  return {
    event_type: "WAIVER_EXPIRY",
    ...scan,
    description:
      `waiver ${number} of policy ${policy_name}, owned by ${owner}, ` +
      `${ExpiryThreshold.inWords(days)}: ${step}`,
    waiver: { number, policy_name, owner, expires_at, days_left: days }
  }
}
