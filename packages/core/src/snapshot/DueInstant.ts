/**
 * The next instant at which time alone may change a verdict of an environment. SPEC §3.22
 *
 * Pure. An instant may be too early, because a row that exited had it; the evaluation at it then changes nothing.
 */
import type { Timestamp } from "../shared/Timestamp.js"

/** The sources of the next due instant of an environment; null without one. */
export interface DueSources {
  /** The next change of each row that was evaluated. */
  readonly rows: ReadonlyArray<Timestamp | null>
  /** The due instant before the evaluation, where some rows were not evaluated. */
  readonly kept: Timestamp | null
  /** The next end of an entry of the allow-list. */
  readonly allowed: Timestamp | null
}

/** The earliest instant after the evaluation; null without one. */
export const dueAfter = (
  evaluated: Timestamp,
  { rows, kept, allowed }: DueSources
): Timestamp | null =>
  [...rows, kept, allowed].reduce<Timestamp | null>(
    (first, at) => (at !== null && at > evaluated && (first === null || at < first) ? at : first),
    null
  )
