/**
 * What a report says, read off its text without building its value.
 *
 * Most reports say what the one before them said, in another order: for those the names and digests are taken
 * out of the text, and nothing is built of the rest. Of a report that says something new, only the units that
 * differ from a baseline are read (`ReportBaseline`).
 */
import * as Option from "effect/Option"
import type { PhysicalKind } from "../../environment/EnvironmentKind.js"
import * as RunningRow from "../../environment/RunningRow.js"
import type { ItemList } from "../../shared/internal/JsonArrayDiff.js"
import * as JsonScanner from "../../shared/internal/JsonScanner.js"
import * as EnvironmentReport from "../EnvironmentReport.js"
import * as ReportBaseline from "./ReportBaseline.js"

/** What a text says that was scanned. */
export interface ScannedReport {
  /** See `ReportContent`. */
  readonly runningSetText: (options: RunningRow.RunningSetOptions) => string
  readonly rows: () => ReadonlyArray<RunningRow.RunningRow>
  /** The report as the next one can be read against it. */
  readonly baseline: () => ReportBaseline.ReportBaseline
}

const scans = EnvironmentReport.perKind((kind) =>
  JsonScanner.make(EnvironmentReport.anySchemaOf(kind))
)

/**
 * The rows of a text that passed the scan.
 *
 * WHY not simply parsed: in units, names of images are keys, each of them different, and V8 takes most of the
 * time of parsing for such keys. As items of one list they cost little.
 */
const rowsOf = <K extends PhysicalKind>(kind: K, text: string, found: JsonScanner.Found) => {
  const bare = JsonScanner.withoutMembers(text, found)
  // WHY: a text that passed the scan parses to this, and the schema leaves it as it is.
  const [report, members] = JSON.parse(`[${bare},[${found.members.join(",")}]]`) as [
    EnvironmentReport.CountedReport<K>,
    ReadonlyArray<string>
  ]
  return EnvironmentReport.rowsOfCounted(kind, report, members)
}

/** How the parts of a content are read; `rows` and `index` hold the same rows. */
interface Reading {
  readonly lines: (options: RunningRow.RunningSetOptions) => ReadonlyArray<string>
  readonly rows: () => ReadonlyArray<RunningRow.RunningRow>
  readonly index: (
    rows: ReadonlyArray<RunningRow.RunningRow>
  ) => ReadonlyArray<RunningRow.RunningRow>
}

const contentOf = (kind: PhysicalKind, items: ItemList, reading: Reading): ScannedReport => {
  let lines: ReportBaseline.SetLines | undefined
  let made: ReportBaseline.ReportBaseline | undefined
  const baseline = (): ReportBaseline.ReportBaseline => {
    if (made === undefined) {
      const rows = reading.rows()
      made = { kind, items, rows, index: reading.index(rows), lines }
    }
    return made
  }
  return {
    runningSetText: (options) => {
      const sorted = reading.lines(options)
      lines = { includeScaling: options.includeScaling, sorted }
      return RunningRow.runningSetTextOf(sorted)
    },
    rows: () => baseline().rows,
    baseline
  }
}

const readWhole = (kind: PhysicalKind, text: string): ScannedReport | undefined =>
  Option.getOrUndefined(
    // INVARIANT: the digests of units are the only dictionaries of a report.
    Option.map(scans[kind](text), (found) =>
      contentOf(
        kind,
        { text, places: found.items },
        {
          lines: (options) => RunningRow.runningSetLinesOfPrinted(found.members, options),
          rows: () => rowsOf(kind, text, found),
          index: ReportBaseline.indexOf
        }
      )
    )
  )

/**
 * The content of a report's text, read against an earlier report of its environment where there is one; nothing
 * where the text has to be parsed to say what it means, or what is wrong with it.
 */
export const read = (
  { kind, text }: { readonly kind: PhysicalKind; readonly text: string },
  before: ReportBaseline.ReportBaseline | undefined
): ScannedReport | undefined => {
  const changes = before && ReportBaseline.changesTo(before, kind, text)
  return before === undefined || changes === undefined
    ? readWhole(kind, text)
    : contentOf(kind, changes.items, {
        lines: (options) => ReportBaseline.linesAfter(before, changes, options),
        rows: () => ReportBaseline.rowsAfter(before, changes),
        index: () => ReportBaseline.indexAfter(before, changes)
      })
}
