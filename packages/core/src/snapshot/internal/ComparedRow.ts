/** A row with the keys by which two snapshots differ. */
import type { FlowView } from "../FlowView.js"
import * as RowDecision from "../RowDecision.js"
import type { SnapshotRow } from "../Snapshot.js"
import type { EvaluatedResult } from "../SnapshotAnnotation.js"
import { provenanceKey } from "../SnapshotDiff.js"

/** A text that is equal exactly when the provenance of two rows is. */
export const provenanceOf = (views: ReadonlyArray<FlowView>): string =>
  provenanceKey(
    views.map((view) => ({
      flow: view.flow_id,
      trail: view.trail_id,
      slot: view.slot,
      artifact: view.artifact_id,
      status: view.status
    }))
  )

/** A row with the keys by which two snapshots differ, computed when asked for. */
export class ComparedRow implements EvaluatedResult {
  constructor(readonly row: SnapshotRow) {}
  get name() {
    return this.row.name
  }
  get fingerprint() {
    return this.row.fingerprint
  }
  get creationTimestamp() {
    return this.row.creationTimestamp
  }
  get verdict() {
    return this.row.verdict
  }
  get decisionKey() {
    return RowDecision.keyOf(this.row.verdict, this.row.decisions)
  }
  get provenanceKey() {
    return provenanceOf(this.row.flows)
  }
}

/** The row with its keys. */
export const make = (row: SnapshotRow): ComparedRow => new ComparedRow(row)
