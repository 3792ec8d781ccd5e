/** Recorded history in parts, each of which is played alone. */
import type { Timestamp } from "../shared/Timestamp.js"
import type { Verdict } from "../shared/Verdict.js"
import type { RecordedRow } from "./RecordedRowStore.js"

/** A snapshot, as far as times and counts go. */
export interface PastHead {
  readonly index: number
  readonly timestamp: Timestamp
  readonly verdict: Verdict
  readonly countFalse: number
}

/** Snapshots one after the other with their rows, within a time. */
export interface HistoryPart {
  /** Oldest first; the first may be older than `from`, and is in force then. */
  readonly heads: ReadonlyArray<PastHead>
  readonly rows: ReadonlyArray<RecordedRow>
  readonly from: Timestamp
  readonly to: Timestamp
  /** Whether the history that is played begins, or ends, with this part. */
  readonly isFirst: boolean
  readonly isLast: boolean
}
