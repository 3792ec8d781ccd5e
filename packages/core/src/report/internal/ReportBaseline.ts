/**
 * A report against which the next one of its environment is read: only units whose text differs are parsed, and
 * only rows that differ are built.
 *
 * INVARIANT: what the next report says does not depend on the baseline; a property compares both ways to read.
 */
import * as Schema from "effect/Schema"
import type { ReportedFingerprint } from "../../artifact/Fingerprint.js"
import type { PhysicalKind } from "../../environment/EnvironmentKind.js"
import { type Unit, units } from "../../environment/ReportedUnit.js"
import * as RunningRow from "../../environment/RunningRow.js"
import * as JsonArrayDiff from "../../shared/internal/JsonArrayDiff.js"
import * as JsonScanner from "../../shared/internal/JsonScanner.js"
import { placeAfter } from "../../shared/internal/Sorted.js"
import * as EnvironmentReport from "../EnvironmentReport.js"

/** A report that was read. */
export interface ReportBaseline {
  readonly kind: PhysicalKind
  readonly items: JsonArrayDiff.ItemList
  /** The rows that it amounts to, in the order of snapshots. */
  readonly rows: ReadonlyArray<RunningRow.RunningRow>
  /** The same rows by key. */
  readonly index: ReadonlyArray<RunningRow.RunningRow>
  /** The sorted lines of its running set, where they have been asked for. */
  readonly lines: SetLines | undefined
}

/** The sorted lines of a running set. */
export interface SetLines extends RunningRow.RunningSetOptions {
  readonly sorted: ReadonlyArray<string>
}

/** How a report differs from the one before it. */
export interface ReportChanges {
  readonly items: JsonArrayDiff.ItemList
  /** Rows of the baseline that are gone or may have changed. */
  readonly removed: ReadonlyArray<RunningRow.RunningRow>
  /** Rows of the next report in their place, and rows that are new. */
  readonly added: ReadonlyArray<RunningRow.RunningRow>
}

const scans = EnvironmentReport.perKind((kind) =>
  JsonScanner.of(Schema.make<unknown>(units[kind].ast))
)

/** The text is searched for the units of at most so many rows; with more, it is read as a whole. */
const SEARCHES_MAX = 64

type AnyUnit = Unit<PhysicalKind>

// WHY: a text that passed the scan parses to this, and the schema leaves it as it is.
const unitOf = (items: JsonArrayDiff.ItemList, item: number): AnyUnit =>
  JSON.parse(JsonArrayDiff.textOf(items, item)) as AnyUnit

/** The items of a text in which something is written. */
const itemsWith = (
  { text, places }: JsonArrayDiff.ItemList,
  written: string
): ReadonlySet<number> => {
  const found = new Set<number>()
  let item = 0
  for (let at = text.indexOf(written); at >= 0; at = text.indexOf(written, at + 1)) {
    while (item < places.length / 2 && (places[2 * item + 1] ?? 0) <= at) item += 1
    found.add(item)
  }
  return found
}

/** How many of some units are instances of each row, by the row's key. */
const instancesIn = (units: ReadonlyArray<AnyUnit>): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const { digests } of units) {
    for (const [name, fingerprint] of Object.entries(digests)) {
      const key = RunningRow.keyOf({ name, fingerprint })
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  return counts
}

/** The order of an index: by fingerprint first, because fewer rows share one. */
const byKey = (left: RunningRow.RowIdentity, right: RunningRow.RowIdentity): number =>
  RunningRow.compareText(left.fingerprint, right.fingerprint) ||
  RunningRow.compareText(left.name, right.name)

/** Rows by key. */
export const indexOf = (
  rows: ReadonlyArray<RunningRow.RunningRow>
): ReadonlyArray<RunningRow.RunningRow> => [...rows].sort(byKey)

/** The rows of which any of some units are instances, in the order of snapshots. */
const rowsWith = (
  { index }: ReportBaseline,
  units: ReadonlyArray<AnyUnit>
): ReadonlyArray<RunningRow.RunningRow> => {
  const found = new Set<RunningRow.RunningRow>()
  for (const { digests } of units) {
    for (const [name, fingerprint] of Object.entries<ReportedFingerprint>(digests)) {
      const row = index[placeAfter<RunningRow.RowIdentity>(index, { name, fingerprint }, byKey) - 1]
      if (row?.name === name && row.fingerprint === fingerprint) found.add(row)
    }
  }
  return [...found].sort(RunningRow.byNewest)
}

/**
 * How the text of the next report differs; nothing when it has to be read as a whole: when it is of another kind,
 * in another order, not scannable, or malformed.
 */
export const changesTo = (
  baseline: ReportBaseline,
  kind: PhysicalKind,
  text: string
): ReportChanges | undefined => {
  const changes =
    baseline.kind === kind ? JsonArrayDiff.between(scans[kind], baseline.items, text) : undefined
  if (changes === undefined) return undefined
  const { items } = changes
  const oldUnits = changes.removed.map((item) => unitOf(baseline.items, item))
  const newUnits = changes.added.map((item) => unitOf(items, item))
  const [ending, beginning] = [instancesIn(oldUnits), instancesIn(newUnits)]
  const removed = rowsWith(baseline, [...oldUnits, ...newUnits])
  // Rows of which some units stay: these units take part in the row that is built anew.
  const partly = removed.filter(
    (row) => row.creationTimestamp.length > (ending.get(RunningRow.keyOf(row)) ?? 0)
  )
  // WHY: an unknown fingerprint is written as an empty string, which stands everywhere in the text.
  if (partly.length > SEARCHES_MAX || partly.some(({ fingerprint }) => fingerprint === "")) {
    return undefined
  }
  const taking = new Set(changes.added)
  for (const { fingerprint } of partly) {
    for (const item of itemsWith(items, `"${fingerprint}"`)) taking.add(item)
  }
  const artifacts =
    taking.size === newUnits.length ? newUnits : Array.from(taking, (item) => unitOf(items, item))
  const added = EnvironmentReport.rows(kind, { artifacts }).filter((row) => {
    const key = RunningRow.keyOf(row)
    return ending.has(key) || beginning.has(key)
  })
  return { items, removed, added }
}

/**
 * A sorted list without some of its items, and with others.
 *
 * WHY not sorted again: few items change, and the order of the others is known.
 */
const exchanged = <A>(
  sorted: ReadonlyArray<A>,
  { removed, added }: { readonly removed: ReadonlyArray<A>; readonly added: ReadonlyArray<A> },
  order: (one: A, other: A) => number
): ReadonlyArray<A> => {
  const all = [...sorted]
  for (const item of removed) all.splice(placeAfter(all, item, order) - 1, 1)
  for (const item of added) all.splice(placeAfter(all, item, order), 0, item)
  return all
}

/** The rows of the next report, in the order of snapshots. */
export const rowsAfter = (
  { rows }: ReportBaseline,
  changes: ReportChanges
): ReadonlyArray<RunningRow.RunningRow> => exchanged(rows, changes, RunningRow.byNewest)

/** The rows of the next report by key. */
export const indexAfter = (
  { index }: ReportBaseline,
  changes: ReportChanges
): ReadonlyArray<RunningRow.RunningRow> => exchanged(index, changes, byKey)

/** The sorted lines of the running set of the next report. */
export const linesAfter = (
  baseline: ReportBaseline,
  { removed, added }: ReportChanges,
  options: RunningRow.RunningSetOptions
): ReadonlyArray<string> => {
  const linesOf = (rows: ReadonlyArray<RunningRow.RunningRow>) =>
    RunningRow.runningSetLines(rows, options)
  const sorted =
    baseline.lines?.includeScaling === options.includeScaling
      ? baseline.lines.sorted
      : linesOf(baseline.rows)
  return exchanged(
    sorted,
    { removed: linesOf(removed), added: linesOf(added) },
    RunningRow.compareText
  )
}
