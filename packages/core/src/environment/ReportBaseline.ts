/**
 * A report that was accepted: of the next one only what is written otherwise is read, and only rows that
 * differ are built. Every other row is the very same value, by which whatever compares knows it.
 *
 * What a report says never depends on this: a property holds it against reading it by itself. B-123
 */
import type { ReportedFingerprint } from "../artifact/Fingerprint.js"
import { placeAfter } from "../shared/internal/Sorted.js"
import * as JsonArrayDiff from "../shared/JsonArrayDiff.js"
import * as JsonScanner from "../shared/JsonScanner.js"
import type { PhysicalKind } from "./EnvironmentKind.js"
import * as EnvironmentReport from "./EnvironmentReport.js"
import { type Unit, units } from "./ReportedUnit.js"
import * as RunningRow from "./RunningRow.js"

/** What is kept of a report. */
export interface ReportBaseline {
  readonly kind: PhysicalKind
  readonly items: JsonArrayDiff.ItemList
  /** The rows that it amounts to, in the order of snapshots. */
  readonly rows: ReadonlyArray<RunningRow.RunningRow>
  /** Rows that are equal to those, by key: few of them are looked for, and to look at all takes longer. */
  readonly index: ReadonlyArray<RunningRow.RunningRow>
  /** The sorted lines of its running set, where they have been asked for. */
  readonly lines: SetLines | undefined
}

/** The sorted lines of a running set. */
export interface SetLines extends RunningRow.RunningSetOptions {
  readonly sorted: ReadonlyArray<string>
}

/** How a report differs from the one before it. */
export interface NextReport {
  readonly items: JsonArrayDiff.ItemList
  /** Rows of the report before that are no longer there, or are not known to be as they were. */
  readonly leaving: ReadonlyArray<RunningRow.RunningRow>
  /** Rows of this report in the place of those, or new. */
  readonly coming: ReadonlyArray<RunningRow.RunningRow>
}

const scanPlain = JsonScanner.of(units.docker)

const scans: { readonly [K in PhysicalKind]: JsonScanner.Scan } = {
  K8S: JsonScanner.of(units.K8S),
  "container-tasks": JsonScanner.of(units["container-tasks"]),
  "object-store": scanPlain,
  functions: scanPlain,
  server: scanPlain,
  docker: scanPlain,
  "cloudx-apps": JsonScanner.of(units["cloudx-apps"]),
  "serverless-run": JsonScanner.of(units["serverless-run"])
}

/** So many rows of which some units stay are looked for in the text; it is read as a whole when there are more. */
const SEARCHES_MAX = 64

type AnyUnit = Unit<PhysicalKind>

// WHY: what passed the scan parses to this, and the schema would leave it as it is.
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

/** The order of an index; not the one by name, under which more rows are alike. */
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
 * How the text of the next report differs; nothing when it has to be read as a whole, be it because it is of
 * another kind, in another order, not plain or wrong.
 */
export const next = (
  known: ReportBaseline,
  kind: PhysicalKind,
  text: string
): NextReport | undefined => {
  const changes =
    known.kind === kind ? JsonArrayDiff.between(scans[kind], known.items, text) : undefined
  if (changes === undefined) return undefined
  const { items } = changes
  const gone = changes.gone.map((item) => unitOf(known.items, item))
  const come = changes.come.map((item) => unitOf(items, item))
  const [ending, beginning] = [instancesIn(gone), instancesIn(come)]
  const leaving = rowsWith(known, [...gone, ...come])
  // Rows that have units which stay: all of these take part in the row that is built anew.
  const going = leaving.filter(
    (row) => row.creationTimestamp.length > (ending.get(RunningRow.keyOf(row)) ?? 0)
  )
  // WHY: an unknown fingerprint is written as nothing between quotes, which stands everywhere.
  if (going.length > SEARCHES_MAX || going.some(({ fingerprint }) => fingerprint === "")) {
    return undefined
  }
  const taking = new Set(changes.come)
  for (const { fingerprint } of going) {
    for (const item of itemsWith(items, `"${fingerprint}"`)) taking.add(item)
  }
  const artifacts =
    taking.size === come.length ? come : Array.from(taking, (item) => unitOf(items, item))
  const coming = EnvironmentReport.rows(kind, { artifacts }).filter((row) => {
    const key = RunningRow.keyOf(row)
    return ending.has(key) || beginning.has(key)
  })
  return { items, leaving, coming }
}

/**
 * A sorted list without some of its items, and with others.
 *
 * WHY not sorted again: few come and go, and the order of many others is known.
 */
const exchanged = <A>(
  sorted: ReadonlyArray<A>,
  { leaving, coming }: { readonly leaving: ReadonlyArray<A>; readonly coming: ReadonlyArray<A> },
  order: (one: A, other: A) => number
): ReadonlyArray<A> => {
  const all = [...sorted]
  for (const item of leaving) all.splice(placeAfter(all, item, order) - 1, 1)
  for (const item of coming) all.splice(placeAfter(all, item, order), 0, item)
  return all
}

/** The rows of the next report, in the order of snapshots; those that stay are the very same. */
export const rowsAfter = (
  { rows }: ReportBaseline,
  changes: NextReport
): ReadonlyArray<RunningRow.RunningRow> => exchanged(rows, changes, RunningRow.byNewest)

/** The rows of the next report by key. */
export const indexAfter = (
  { index }: ReportBaseline,
  changes: NextReport
): ReadonlyArray<RunningRow.RunningRow> => exchanged(index, changes, byKey)

/** Whether what runs by the next report is something else; what is not can still be written otherwise. */
export const isNews = (
  { leaving, coming }: NextReport,
  options: RunningRow.RunningSetOptions
): boolean =>
  RunningRow.runningSetText(leaving, options) !== RunningRow.runningSetText(coming, options)

/** The sorted lines of the running set of the next report. */
export const linesAfter = (
  known: ReportBaseline,
  { leaving, coming }: NextReport,
  options: RunningRow.RunningSetOptions
): ReadonlyArray<string> => {
  const linesOf = (rows: ReadonlyArray<RunningRow.RunningRow>) =>
    RunningRow.runningSetLines(rows, options)
  const sorted =
    known.lines?.includeScaling === options.includeScaling
      ? known.lines.sorted
      : linesOf(known.rows)
  return exchanged(
    sorted,
    { leaving: linesOf(leaving), coming: linesOf(coming) },
    RunningRow.compareText
  )
}
