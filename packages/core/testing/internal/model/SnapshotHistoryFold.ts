/**
 * The model's histories through the real decisions: rows, diff, counts and timestamps.
 *
 * The inputs of verdicts come from the model, so that a difference can only come from the modules under test.
 */
import * as EnvironmentReport from "@attestry/core/EnvironmentReport"
import type { ReportedFingerprint } from "@attestry/core/Fingerprint"
import type * as SnapshotAnnotation from "@attestry/core/SnapshotAnnotation"
import * as SnapshotCounts from "@attestry/core/SnapshotCounts"
import * as SnapshotDiff from "@attestry/core/SnapshotDiff"
import * as SnapshotTimeline from "@attestry/core/SnapshotTimeline"
import * as Timestamp from "@attestry/core/Timestamp"
import type { Verdict } from "@attestry/core/Verdict"
import * as Option from "effect/Option"
import * as World from "./EnvironmentWorld.js"
import type { ModelSnapshot } from "./SnapshotHistoryModel.js"

/** A row with its facts, in the form of a snapshot. */
export interface FoldRow extends SnapshotAnnotation.EvaluatedResult {
  readonly evaluated: World.ModelRow
}

/** A snapshot of the real decisions. */
export interface FoldSnapshot {
  readonly index: number
  readonly timestamp: Timestamp.Timestamp
  readonly verdict: Verdict
  readonly counts: SnapshotCounts.SnapshotCounts
  readonly policies: ReadonlyArray<SnapshotDiff.AppliedPolicy>
  readonly running: ReadonlyArray<SnapshotDiff.AnnotatedRow<FoldRow>>
  readonly exited: ReadonlyArray<SnapshotDiff.AnnotatedRow<FoldRow>>
}

type Identified = Pick<FoldRow, "name" | "fingerprint" | "creationTimestamp">

/** The rows of a report, from the real module. */
export const rowsOf = (units: ReadonlyArray<World.ModelUnit>): ReadonlyArray<Identified> =>
  EnvironmentReport.rows("cloudx-apps", {
    artifacts: units.map(({ digests, creationTimestamp }) => ({
      // WHY: the model's digests are plain strings, drawn from reported fingerprints.
      digests: digests as { readonly [name: string]: ReportedFingerprint },
      creationTimestamp,
      app_name: "app",
      app_kind: "web",
      digests_source: "registry"
    }))
  })

const evaluate = (world: World.ModelWorld, row: Identified): FoldRow => {
  const evaluated = World.evaluate(world, row)
  return {
    name: row.name,
    fingerprint: row.fingerprint,
    creationTimestamp: row.creationTimestamp,
    verdict: evaluated.verdict,
    decisionKey: SnapshotDiff.decisionKey(evaluated),
    provenanceKey: SnapshotDiff.provenanceKey(evaluated.views),
    evaluated
  }
}

const causeOf = (command: World.Command): SnapshotDiff.DiffCause =>
  command._tag === "Report"
    ? "report"
    : command._tag === "Attach" || command._tag === "Detach"
      ? "attachment"
      : "reevaluation"

const snapshotOf = (
  changes: Extract<SnapshotDiff.SnapshotDiff<FoldRow>, { _tag: "Changes" }>,
  previous: FoldSnapshot | undefined,
  { at, world }: { readonly at: number; readonly world: World.ModelWorld }
): FoldSnapshot => {
  const counts = SnapshotCounts.count(changes.running.map(({ row }) => row))
  return {
    index: (previous?.index ?? 0) + 1,
    timestamp: SnapshotTimeline.nextTimestamp(
      Timestamp.fromMicros(at),
      Option.fromNullable(previous?.timestamp)
    ),
    verdict: SnapshotCounts.verdictOf(counts, { hasPolicies: world.attached.length > 0 }),
    counts,
    policies: World.policiesOf(world),
    running: changes.running,
    exited: changes.exited
  }
}

const runningOf = (snapshot: FoldSnapshot | undefined): ReadonlyArray<FoldRow> =>
  (snapshot?.running ?? []).map(({ row }) => row)

/** Every snapshot of a history, and their number after each step. */
export const fold = (steps: ReadonlyArray<World.Step>) => {
  let world = World.emptyWorld
  const snapshots: Array<FoldSnapshot> = []
  const lengths: Array<number> = []
  for (const step of steps) {
    const after = World.changeWorld(world, step)
    const previous = snapshots.at(-1)
    const { command } = step
    const rows = command._tag === "Report" ? rowsOf(command.units) : runningOf(previous)
    const diff = SnapshotDiff.diff(
      Option.map(Option.fromNullable(previous), (snapshot) => ({
        running: runningOf(snapshot),
        policies: snapshot.policies
      })),
      { running: rows.map((row) => evaluate(after, row)), policies: World.policiesOf(after) },
      { cause: causeOf(command), includeScaling: after.includeScaling }
    )
    if (diff._tag === "Changes" && World.looksAgain(world, after, step))
      snapshots.push(snapshotOf(diff, previous, { at: step.at, world: after }))
    world = after
    lengths.push(snapshots.length)
  }
  return { world, snapshots, lengths }
}

/** A snapshot in the form of the model. */
export const toModel = (snapshot: FoldSnapshot): ModelSnapshot => {
  const plain = ({ row, annotation }: SnapshotDiff.AnnotatedRow<FoldRow>) => ({
    ...row.evaluated,
    annotation
  })
  return {
    ...snapshot,
    running: snapshot.running.map(plain),
    exited: snapshot.exited.map(plain)
  }
}
