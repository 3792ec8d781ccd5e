/**
 * Whether something held: for a snapshot by numbers, between snapshots by instants.
 *
 * WHY: the transaction that changes an allow-list also appends the snapshot that shows it, and draws its numbers in
 * that order; the instants of both are of different clocks.
 */
import * as Knowledge from "../../shared/Knowledge.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import type { Held } from "../HistoryStore.js"

/** Whether a snapshot was made while it held. */
export const isHeldBy = ({ from, to }: Held, snapshot: Knowledge.VisibilityBound): boolean =>
  Knowledge.isVisible(from, snapshot) && (to === null || !Knowledge.isVisible(to, snapshot))

/** Whether it held at an instant; its end is no part of it. */
export const isHeldAt = ({ from, to }: Held, instant: Timestamp): boolean =>
  from.at <= instant && (to === null || to.at > instant)
