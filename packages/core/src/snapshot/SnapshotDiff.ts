/**
 * Whether what runs now deserves a new snapshot, and what that snapshot says changed. SPEC §4.4
 *
 * Rows come judged and go out annotated; nothing is looked up or evaluated here. Instance counts matter
 * only where scaling is recorded; times, contexts and order never matter.
 */
import * as Option from "effect/Option"
import { byNewest, keyOf } from "../environment/RunningRow.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import * as SnapshotAnnotation from "./SnapshotAnnotation.js"

/** A row of a snapshot and what changed about it. */
export interface AnnotatedRow<Row> {
  readonly row: Row
  readonly annotation: SnapshotAnnotation.SnapshotAnnotation
}

/** No snapshot is due, or one with these rows, in the order in which it lists them. */
export type SnapshotDiff<Row> =
  | { readonly _tag: "Nothing" }
  | {
      readonly _tag: "Changes"
      readonly running: ReadonlyArray<AnnotatedRow<Row>>
      /** Rows that ran before and no longer do, as they were last judged; listed once. */
      readonly exited: ReadonlyArray<AnnotatedRow<Row>>
    }

/** A policy in the version that was applied. */
export interface AppliedPolicy {
  readonly name: string
  readonly version: number
}

/** One judged state of an environment: its running rows and the policies that judged them. */
export interface JudgedState<Row> {
  readonly running: ReadonlyArray<Row>
  readonly policies: ReadonlyArray<AppliedPolicy>
}

/**
 * Why an environment is looked at: it reported, a policy was attached or detached, or something else
 * that verdicts depend on changed.
 */
export type DiffCause = "report" | "attachment" | "reevaluation"

const nothing = { _tag: "Nothing" } as const

const policiesText = (policies: ReadonlyArray<AppliedPolicy>): string =>
  policies
    .map(({ name, version }) => JSON.stringify([name, version]))
    .sort()
    .join()

const annotate = <Row extends SnapshotAnnotation.JudgedRow>(
  before: ReadonlyArray<Row>,
  after: ReadonlyArray<Row>,
  options: { readonly includeScaling: boolean }
) => {
  // WHY first by identity: most rows stay as they are, and then are the very same.
  const [old, next] = [new Set(before), new Set(after)]
  const leaving = new Map(
    before.filter((row) => !next.has(row)).map((row) => [keyOf(row), row] as const)
  )
  const running = after.map((row): AnnotatedRow<Row> => {
    if (old.has(row)) {
      return { row, annotation: SnapshotAnnotation.continued(row, row, options) }
    }
    const key = keyOf(row)
    const previous = leaving.get(key)
    leaving.delete(key)
    return previous === undefined
      ? { row, annotation: SnapshotAnnotation.started(row) }
      : { row, annotation: SnapshotAnnotation.continued(previous, row, options) }
  })
  const exited = Array.from(
    leaving.values(),
    (row): AnnotatedRow<Row> => ({ row, annotation: SnapshotAnnotation.exited(row) })
  )
  return { running, exited }
}

const inOrder = <Row extends SnapshotAnnotation.JudgedRow>(rows: Array<AnnotatedRow<Row>>) =>
  rows.sort((left, right) => byNewest(left.row, right.row))

/**
 * Compares what runs now with the running rows of the latest snapshot; `before` is none when there is no
 * snapshot yet, and then only a report makes one. DECISION D4.7
 *
 * INVARIANT: keys are unique on each side; an annotation other than `unchanged` is exactly one of the
 * row-wise reasons for a new snapshot.
 */
export const diff = <Row extends SnapshotAnnotation.JudgedRow>(
  before: Option.Option<JudgedState<Row>>,
  after: JudgedState<Row>,
  options: { readonly cause: DiffCause; readonly includeScaling: boolean }
): SnapshotDiff<Row> => {
  const previous = Option.getOrUndefined(before)
  if (previous === undefined && options.cause !== "report") return nothing
  const { running, exited } = annotate(previous?.running ?? [], after.running, options)
  const due =
    previous === undefined ||
    options.cause === "attachment" ||
    exited.length > 0 ||
    running.some(({ annotation }) => SnapshotAnnotation.isEvent(annotation.type)) ||
    policiesText(previous.policies) !== policiesText(after.policies)
  return due ? { _tag: "Changes", running: inOrder(running), exited: inOrder(exited) } : nothing
}

/** The `decisionKey` of a row; the order of policies and of reasons makes no difference. */
export const decisionKey = (decision: {
  readonly statuses: ReadonlyArray<{ readonly policy_name: string; readonly status: string }>
  readonly reasons: ReadonlyArray<unknown>
}): string => {
  const statuses = decision.statuses.map(({ policy_name, status }) =>
    CanonicalJson.print([policy_name, status])
  )
  const reasons = decision.reasons.map(CanonicalJson.print)
  return `[${statuses.sort().join()}][${reasons.sort().join()}]`
}

/** The `provenanceKey` of a row: its flow views in order, without their attestations. DECISION D4.8 */
export const provenanceKey = (
  views: ReadonlyArray<{
    readonly flow: string
    readonly trail: string
    readonly slot: string
    readonly artifact: string
    readonly status: string
  }>
): string =>
  JSON.stringify(
    views.map(({ flow, trail, slot, artifact, status }) => [flow, trail, slot, artifact, status])
  )
