/** Where rows of one state are in another, whether they are equal, and which rows differ. */
import {
  keyOf,
  type Pod,
  type Pods,
  type RowIdentity,
  type RunningRow
} from "../../environment/RunningRow.js"
import * as CanonicalJson from "../../shared/CanonicalJson.js"

type Rows = ReadonlyArray<RowIdentity>

const isSame = (row: RowIdentity, other: RowIdentity | undefined): boolean =>
  row.fingerprint === other?.fingerprint && row.name === other.name

/** Finds rows of a list by fingerprint and name. WHY not by `keyOf`: few rows share a fingerprint. */
const indexOf = (among: Rows): ((row: RowIdentity) => number) => {
  const first = new Map<string, number>()
  /** Rows whose fingerprint an earlier row has. */
  const others = new Map<string, number>()
  among.forEach((row, place) => {
    if (first.has(row.fingerprint)) others.set(keyOf(row), place)
    else first.set(row.fingerprint, place)
  })
  return (row) => {
    const place = first.get(row.fingerprint) ?? -1
    return place < 0 || isSame(row, among[place]) ? place : (others.get(keyOf(row)) ?? -1)
  }
}

/**
 * For each row its place among others: that of the row with its name and fingerprint; -1 when there is none.
 *
 * INVARIANT: no two rows of a list have the same name and fingerprint. Both lists are mostly in one order, so the row
 * after the last match is tried before the index.
 */
export const places = (among: Rows, rows: Rows): ReadonlyArray<number> => {
  let index: ((row: RowIdentity) => number) | undefined
  let next = 0
  return rows.map((row) => {
    if (!isSame(row, among[next])) {
      index ??= indexOf(among)
      const place = index(row)
      if (place < 0) return place
      next = place
    }
    next += 1
    return next - 1
  })
}

type Owner = Pod["owners"][number]

const sameTimes = (left: ReadonlyArray<number>, right: ReadonlyArray<number>): boolean =>
  left.length === right.length && left.every((time, index) => time === right[index])

const sameOwner = (left: Owner, right: Owner | undefined): boolean =>
  right !== undefined &&
  left.apiVersion === right.apiVersion &&
  left.kind === right.kind &&
  left.name === right.name &&
  left.uid === right.uid &&
  left.controller === right.controller &&
  left.blockOwnerDeletion === right.blockOwnerDeletion

const samePod = (left: Pod, right: Pod): boolean =>
  left.namespace === right.namespace &&
  left.creationTimestamp === right.creationTimestamp &&
  left.owners.length === right.owners.length &&
  left.owners.every((owner, index) => sameOwner(owner, right.owners[index]))

/** WHY not `CanonicalJson.equals`: it takes twice as long, and every report compares every row. */
const samePods = (left: Pods | null, right: Pods | null): boolean => {
  if (left === null || right === null) return left === right
  const [names, others] = [Object.keys(left), Object.keys(right)]
  return (
    names.length === others.length &&
    names.every((name) => {
      const [pod, other] = [left[name], Object.hasOwn(right, name) ? right[name] : undefined]
      return pod !== undefined && other !== undefined && samePod(pod, other)
    })
  )
}

/** Whether an artifact runs as it did: when and where its instances began. */
export const runsAlike = (row: RunningRow, known: RunningRow): boolean =>
  row === known ||
  (sameTimes(row.creationTimestamp, known.creationTimestamp) &&
    samePods(row.pods, known.pods) &&
    CanonicalJson.equals(row.container_task_context, known.container_task_context) &&
    CanonicalJson.equals(row.serverless_run_context, known.serverless_run_context) &&
    CanonicalJson.equals(row.cloudx_app_context, known.cloudx_app_context))

/** What runs, and where each row of it ran before. */
export interface Placed<Row, Next> {
  readonly before: ReadonlyArray<Row>
  readonly after: ReadonlyArray<Next>
  /** For each row of what runs, its place in what ran before; -1 when it did not run. */
  readonly places: ReadonlyArray<number>
}

/** The rows of either state that are not the same object in the other. */
export const unshared = <Row>({
  before,
  after,
  places
}: Placed<Row, Row>): {
  readonly removed: ReadonlyArray<Row>
  readonly added: ReadonlyArray<Row>
} => {
  const stays = new Uint8Array(before.length)
  const added = after.filter((row, index) => {
    const place = places[index] ?? -1
    if (before[place] !== row) return true
    stays[place] = 1
    return false
  })
  return { removed: before.filter((_, place) => stays[place] === 0), added }
}
