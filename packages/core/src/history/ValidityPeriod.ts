/**
 * Periods in which an artifact was allowed, a policy attached or an environment a member, and whether one covers a
 * snapshot, by commit positions, or an instant.
 *
 * WHY both: the transaction that changes an allow-list also appends the snapshot that shows the change, and draws
 * their positions in that order, but their instants come from different clocks.
 */
import * as AllowListEntry from "../allow-list/AllowListEntry.js"
import * as CommitPosition from "../shared/CommitPosition.js"
import type { Timestamp } from "../shared/Timestamp.js"

/**
 * A period from one change until another; `to` is null while it lasts. From `expires_at` on the period is not in force,
 * although no change ended it; absent or null without such an end.
 */
export interface ValidityPeriod {
  readonly from: CommitPosition.CommitPosition
  readonly to: CommitPosition.CommitPosition | null
  readonly expires_at?: Timestamp | null
}

/** Whether the own end of a period is after an instant. */
export const isInForce = ({ expires_at = null }: ValidityPeriod, instant: Timestamp): boolean =>
  AllowListEntry.isInForce({ expires_at }, instant)

/** Whether a period covers a snapshot. */
export const isValidFor = (
  period: ValidityPeriod,
  snapshot: CommitPosition.VisibilityBound
): boolean =>
  CommitPosition.isVisible(period.from, snapshot) &&
  (period.to === null || !CommitPosition.isVisible(period.to, snapshot)) &&
  isInForce(period, snapshot.at)

/** Whether a period contains an instant; its end is exclusive. */
export const isValidAt = (period: ValidityPeriod, instant: Timestamp): boolean =>
  period.from.at <= instant &&
  (period.to === null || period.to.at > instant) &&
  isInForce(period, instant)

/** The instants at which a period begins or ends. */
export const instantsOf = ({ expires_at, from, to }: ValidityPeriod): ReadonlyArray<Timestamp> =>
  [from.at, to?.at ?? null, expires_at ?? null].filter((at) => at !== null)
