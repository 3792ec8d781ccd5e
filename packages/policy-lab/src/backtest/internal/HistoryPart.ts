/** Parts of a recorded history; each is replayed on its own. */

import type { RecordedRow } from "@attestry/core/HistoryStore"
import type { Timestamp } from "@attestry/core/Timestamp"
import type { Verdict } from "@attestry/core/Verdict"

/** The instant and the verdict of a snapshot. */
export interface HistoryHead {
  readonly index: number
  readonly timestamp: Timestamp
  readonly verdict: Verdict
}

/** Consecutive snapshots within a time. */
export interface PartTime {
  /** Oldest first; the first may be earlier than `from`, and is in force then. */
  readonly heads: ReadonlyArray<HistoryHead>
  readonly from: Timestamp
  readonly to: Timestamp
  /** Whether the replayed history begins or ends with this part. */
  readonly isFirst: boolean
  readonly isLast: boolean
}

/** Consecutive snapshots of a physical environment with their rows. */
export interface HistoryPart extends PartTime {
  readonly rows: ReadonlyArray<RecordedRow>
  /** Rows that are counted and not replayed. */
  readonly hidden?: ReadonlyArray<RecordedRow>
}
