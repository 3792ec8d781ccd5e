/**
 * Whether the running rows need a new snapshot, and the annotations of its rows. SPEC §4.4
 *
 * Pure: rows are evaluated before. Instance counts matter only where scaling is recorded; times, contexts and
 * order never matter.
 */
import * as Option from "effect/Option"
import { byNewest, keyOf } from "../environment/RunningRow.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import * as SnapshotAnnotation from "./SnapshotAnnotation.js"

/** A row of a snapshot with its annotation. */
export interface AnnotatedRow<Row> {
  readonly row: Row
  readonly annotation: SnapshotAnnotation.SnapshotAnnotation
}

/** No new snapshot, or one with these rows, in the order of its list. */
export type SnapshotDiff<Row> =
  | { readonly _tag: "Nothing" }
  | {
      readonly _tag: "Changes"
      readonly running: ReadonlyArray<AnnotatedRow<Row>>
      /** Rows that ran before and no longer do, with their last verdict; listed once. */
      readonly exited: ReadonlyArray<AnnotatedRow<Row>>
    }

/** A policy in the applied version. */
export interface AppliedPolicy {
  readonly name: string
  readonly version: number
}

/** One evaluated state of an environment: its running rows and its policies. */
export interface EvaluatedState<Row> {
  readonly running: ReadonlyArray<Row>
  readonly policies: ReadonlyArray<AppliedPolicy>
  /** The reasons for its verdict that are about no row; none where it is left out. */
  readonly reasons?: ReadonlyArray<unknown> | undefined
}

/** The cause of a diff: a report, an attached or detached policy, or another change of inputs. */
export type DiffCause = "report" | "attachment" | "reevaluation"

const nothing = { _tag: "Nothing" } as const

const policiesText = (policies: ReadonlyArray<AppliedPolicy>): string =>
  policies
    .map(({ name, version }) => JSON.stringify([name, version]))
    .sort()
    .join()

const annotate = <Row extends SnapshotAnnotation.EvaluatedResult>(
  before: ReadonlyArray<Row>,
  after: ReadonlyArray<Row>,
  options: { readonly includeScaling: boolean }
) => {
  // WHY first by identity: most rows continue as the same objects.
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

const inOrder = <Row extends SnapshotAnnotation.EvaluatedResult>(rows: Array<AnnotatedRow<Row>>) =>
  rows.sort((left, right) => byNewest(left.row, right.row))

/**
 * Compares the running rows with those of the latest snapshot; `before` is none without a snapshot, and then
 * only a report makes one. "Reported, and nothing runs" is a fact.
 *
 * INVARIANT: keys are unique on each side; an annotation other than `unchanged` is exactly one of the row-wise
 * reasons for a new snapshot.
 */
export const diff = <Row extends SnapshotAnnotation.EvaluatedResult>(
  before: Option.Option<EvaluatedState<Row>>,
  after: EvaluatedState<Row>,
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
    policiesText(previous.policies) !== policiesText(after.policies) ||
    !CanonicalJson.equals(previous.reasons ?? [], after.reasons ?? [])
  return due ? { _tag: "Changes", running: inOrder(running), exited: inOrder(exited) } : nothing
}

/** The `decisionKey` of a row; the order of policies and of reasons does not matter. */
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

/**
 * The `provenanceKey` of a row: its flow views in order, without their attestations. Evidence that
 * changes no status adds no snapshot.
 */
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
