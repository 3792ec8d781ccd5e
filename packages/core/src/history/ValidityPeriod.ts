/**
 * Periods in which an artifact was allowed, a policy attached or an environment a member, and whether one covers a
 * snapshot, by commit positions, or an instant.
 *
 * WHY both: the transaction that changes an allow-list also appends the snapshot that shows the change, and draws
 * their positions in that order, but their instants come from different clocks.
 */
import * as CommitPosition from "../shared/CommitPosition.js"
import type { Timestamp } from "../shared/Timestamp.js"

/** A period from one change until another; `to` is null while it lasts. */
export interface ValidityPeriod {
  readonly from: CommitPosition.CommitPosition
  readonly to: CommitPosition.CommitPosition | null
}

/** Whether a period covers a snapshot. */
export const isValidFor = (
  { from, to }: ValidityPeriod,
  snapshot: CommitPosition.VisibilityBound
): boolean =>
  CommitPosition.isVisible(from, snapshot) &&
  (to === null || !CommitPosition.isVisible(to, snapshot))

/** Whether a period contains an instant; its end is exclusive. */
export const isValidAt = ({ from, to }: ValidityPeriod, instant: Timestamp): boolean =>
  from.at <= instant && (to === null || to.at > instant)
