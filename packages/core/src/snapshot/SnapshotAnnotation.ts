/**
 * The change of one row between two snapshots, as one word. There is one event for each row and snapshot.
 *
 * The first word that applies wins. `EnvironmentEvent` has the classes of filters and the sentences of events.
 */
import * as Schema from "effect/Schema"
import { EventKind } from "../environment/EnvironmentEvent.js"
import type { RowIdentity } from "../environment/RunningRow.js"
import type { Verdict } from "../shared/Verdict.js"

/** The words for changes; all but `unchanged` are events. */
export const AnnotationType = Schema.Literal(...EventKind.literals, "unchanged")
/** The words for changes. */
export type AnnotationType = typeof AnnotationType.Type

/** The change of a row, with its instance counts before and now. */
export const SnapshotAnnotation = Schema.Struct({
  type: AnnotationType,
  was: Schema.Int,
  now: Schema.Int
}).annotations({ identifier: "SnapshotAnnotation" })
/** The change of a row, with its instance counts before and now. */
export type SnapshotAnnotation = typeof SnapshotAnnotation.Type

/** A row with everything that can make two snapshots differ. */
export interface EvaluatedResult extends RowIdentity {
  /** One entry per instance, oldest first. */
  readonly creationTimestamp: ReadonlyArray<number>
  readonly verdict: Verdict
  /** Equal exactly when the statuses of all policies and the reasons are equal. */
  readonly decisionKey: string
  /** Equal exactly when flow, trail, slot, record and record status of all flow views are equal. */
  readonly provenanceKey: string
}

/** Whether an annotation is an event. */
export const isEvent = (type: AnnotationType): type is EventKind => type !== "unchanged"

const STARTED = {
  Compliant: "started-compliant",
  NonCompliant: "started-non-compliant",
  Unknown: "started-unknown"
} as const

/** The annotation of a row that was not running before. */
export const started = (row: EvaluatedResult): SnapshotAnnotation => ({
  type: STARTED[row.verdict],
  was: 0,
  now: row.creationTimestamp.length
})

/** The annotation of a row that no longer runs. */
export const exited = (row: EvaluatedResult): SnapshotAnnotation => ({
  type: "exited",
  was: row.creationTimestamp.length,
  now: 0
})

const continuedType = (
  before: EvaluatedResult,
  after: EvaluatedResult,
  includeScaling: boolean
): AnnotationType => {
  if (before === after) return "unchanged"
  const counts = before.creationTimestamp.length !== after.creationTimestamp.length
  const turned = before.verdict !== after.verdict
  if (turned && after.verdict === "Compliant") return "became-compliant"
  if (turned && after.verdict === "NonCompliant") return "became-non-compliant"
  if (includeScaling && counts) return "scaled"
  if (before.provenanceKey !== after.provenanceKey) return "updated-provenance"
  return turned || before.decisionKey !== after.decisionKey ? "changed" : "unchanged"
}

/** The annotation of a row that was running and still is. */
export const continued = (
  before: EvaluatedResult,
  after: EvaluatedResult,
  { includeScaling }: { readonly includeScaling: boolean }
): SnapshotAnnotation => ({
  type: continuedType(before, after, includeScaling),
  was: before.creationTimestamp.length,
  now: after.creationTimestamp.length
})
