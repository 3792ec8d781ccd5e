/**
 * The history of one environment as a slow, plain fold from the specification.
 *
 * Rows are found by linear search, every value is computed anew at each step, and nothing is shared with the
 * modules under test; verdicts come from `EnvironmentWorld`. SPEC §4.4, §4.5
 */
import {
  changeWorld,
  emptyWorld,
  evaluate,
  looksAgain,
  type ModelRow,
  type ModelUnit,
  type ModelWorld,
  policiesOf,
  type Step
} from "./EnvironmentWorld.js"

/** A row of a snapshot. */
export interface ModelSnapshotRow extends ModelRow {
  readonly annotation: { readonly type: string; readonly was: number; readonly now: number }
}

/** A snapshot. */
export interface ModelSnapshot {
  readonly index: number
  readonly timestamp: number
  readonly verdict: ModelRow["verdict"]
  readonly counts: { readonly true: number; readonly false: number; readonly null: number }
  readonly policies: ReadonlyArray<{ readonly name: string; readonly version: number }>
  readonly running: ReadonlyArray<ModelSnapshotRow>
  readonly exited: ReadonlyArray<ModelSnapshotRow>
}

const sameKey = (
  left: Pick<ModelRow, "name" | "fingerprint">,
  right: Pick<ModelRow, "name" | "fingerprint">
): boolean => left.name === right.name && left.fingerprint === right.fingerprint

/** The rows of a report: every pair of name and digest once, with the sorted times of its units. */
export const rowsOf = (units: ReadonlyArray<ModelUnit>) => {
  const pairs = units.flatMap(({ digests, creationTimestamp }) =>
    Object.entries(digests).map(([name, fingerprint]) => ({ name, fingerprint, creationTimestamp }))
  )
  const firsts = pairs.filter((pair, at) => pairs.findIndex((one) => sameKey(one, pair)) === at)
  return firsts.map(({ name, fingerprint }) => ({
    name,
    fingerprint,
    creationTimestamp: pairs
      .filter((pair) => sameKey(pair, { name, fingerprint }))
      .map((pair) => pair.creationTimestamp)
      .sort((left, right) => left - right)
  }))
}

const same = (left: unknown, right: unknown): boolean =>
  JSON.stringify(left) === JSON.stringify(right)

/** The annotation of a key, row by row of the decision table. */
const annotationType = (
  before: ModelRow | undefined,
  after: ModelRow | undefined,
  includeScaling: boolean
): string => {
  if (after === undefined) return "exited"
  if (before === undefined && after.verdict === "Compliant") return "started-compliant"
  if (before === undefined && after.verdict === "NonCompliant") return "started-non-compliant"
  if (before === undefined) return "started-unknown"
  if (before.verdict !== "Compliant" && after.verdict === "Compliant") return "became-compliant"
  if (before.verdict !== "NonCompliant" && after.verdict === "NonCompliant")
    return "became-non-compliant"
  if (includeScaling && before.creationTimestamp.length !== after.creationTimestamp.length)
    return "scaled"
  if (!same(before.views, after.views)) return "updated-provenance"
  return same(
    [before.verdict, before.statuses, before.reasons],
    [after.verdict, after.statuses, after.reasons]
  )
    ? "unchanged"
    : "changed"
}

const inOrder = (rows: ReadonlyArray<ModelSnapshotRow>): ReadonlyArray<ModelSnapshotRow> =>
  [...rows].sort((left, right) => {
    const newest = Math.max(...right.creationTimestamp) - Math.max(...left.creationTimestamp)
    if (newest !== 0) return newest
    if (left.name !== right.name) return left.name < right.name ? -1 : 1
    return left.fingerprint < right.fingerprint ? -1 : 1
  })

const verdictOf = (world: ModelWorld, running: ReadonlyArray<ModelRow>): ModelRow["verdict"] =>
  world.attached.length === 0
    ? "Unknown"
    : running.every(({ verdict }) => verdict === "Compliant")
      ? "Compliant"
      : "NonCompliant"

const candidate = (
  previous: ModelSnapshot | undefined,
  world: ModelWorld,
  after: ReadonlyArray<ModelRow>,
  at: number
): ModelSnapshot => {
  const before = previous?.running ?? []
  const annotated = (row: ModelRow, was: ModelRow | undefined, now: ModelRow | undefined) => ({
    ...row,
    annotation: {
      type: annotationType(was, now, world.includeScaling),
      was: was?.creationTimestamp.length ?? 0,
      now: now?.creationTimestamp.length ?? 0
    }
  })
  const counted = (verdict: string) => after.filter((row) => row.verdict === verdict).length
  return {
    index: (previous?.index ?? 0) + 1,
    timestamp: previous === undefined ? at : Math.max(at, previous.timestamp + 1),
    verdict: verdictOf(world, after),
    counts: {
      true: counted("Compliant"),
      false: counted("NonCompliant"),
      null: counted("Unknown")
    },
    policies: policiesOf(world),
    running: inOrder(
      after.map((row) =>
        annotated(
          row,
          before.find((was) => sameKey(was, row)),
          row
        )
      )
    ),
    exited: inOrder(
      before
        .filter((was) => !after.some((row) => sameKey(was, row)))
        .map((was) => annotated(was, was, undefined))
    )
  }
}

/** The seven reasons for a new snapshot. */
const isDue = (previous: ModelSnapshot | undefined, next: ModelSnapshot, step: Step): boolean =>
  previous === undefined
    ? step.command._tag === "Report"
    : step.command._tag === "Attach" ||
      step.command._tag === "Detach" ||
      next.exited.length > 0 ||
      next.running.some(({ annotation }) => annotation.type !== "unchanged") ||
      !same(previous.policies, next.policies)

/** Every snapshot of a history, and the world at its end. */
export const fold = (steps: ReadonlyArray<Step>) => {
  let world = emptyWorld
  const snapshots: Array<ModelSnapshot> = []
  for (const step of steps) {
    const after = changeWorld(world, step)
    const previous = snapshots.at(-1)
    const rows =
      step.command._tag === "Report" ? rowsOf(step.command.units) : (previous?.running ?? [])
    const next = candidate(
      previous,
      after,
      rows.map((row) => evaluate(after, row)),
      step.at
    )
    if (looksAgain(world, after, step) && isDue(previous, next, step)) snapshots.push(next)
    world = after
  }
  return { world, snapshots }
}
