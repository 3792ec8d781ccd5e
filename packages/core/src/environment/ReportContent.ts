/**
 * What a report says, told as far as it is asked: what runs, and only then every row.
 *
 * Most reports say what the one before them said, in another order. For those the names and digests are
 * taken out of the text, and nothing is ever built of the rest. DECISION B-114 Of a report that does say
 * something new, only what is written otherwise than in the one before is read (`ReportBaseline`).
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { ItemList } from "../shared/JsonArrayDiff.js"
import * as JsonScanner from "../shared/JsonScanner.js"
import type { PhysicalKind } from "./EnvironmentKind.js"
import * as EnvironmentReport from "./EnvironmentReport.js"
import * as ReportBaseline from "./ReportBaseline.js"
import * as RunningRow from "./RunningRow.js"

/** What a report says. */
export interface ReportContent {
  /** The set of things that run as one text; see `RunningRow.runningSetText`. */
  readonly runningSetText: (options: RunningRow.RunningSetOptions) => string
  /** Whether what runs is, for certain, something else than by the report against which this one was read. */
  readonly isNews: (options: RunningRow.RunningSetOptions) => boolean
  /** The rows that the report amounts to; worth asking for only when it says something new. */
  readonly rows: () => ReadonlyArray<RunningRow.RunningRow>
  /**
   * The report as the next one may be read against it, with rows that are equal to its own, one by one, in
   * their place; nothing where its text has told too little.
   */
  readonly known: (
    rows: ReadonlyArray<RunningRow.RunningRow>
  ) => Option.Option<ReportBaseline.ReportBaseline>
}

/** The content of a report that has been read. */
export const fromReport = <K extends PhysicalKind>(
  kind: K,
  report: EnvironmentReport.EnvironmentReport<K>
): ReportContent => fromRows(EnvironmentReport.rows(kind, report))

/** The content of a report that amounts to these rows. */
export const fromRows = (rows: ReadonlyArray<RunningRow.RunningRow>): ReportContent => ({
  runningSetText: (options) => RunningRow.runningSetText(rows, options),
  isNews: () => false,
  rows: () => rows,
  known: Option.none
})

type Scan = (text: string) => Option.Option<JsonScanner.Found>

const scanOf = (kind: PhysicalKind): Scan =>
  // WHY: only whether a text fits matters here, and the type of a union of schemas stands in its way.
  JsonScanner.make(Schema.make<unknown>(EnvironmentReport.schemaOf(kind).ast))

const scanPlain = scanOf("docker")

const scans: { readonly [K in PhysicalKind]: Scan } = {
  K8S: scanOf("K8S"),
  "container-tasks": scanOf("container-tasks"),
  "object-store": scanPlain,
  functions: scanPlain,
  server: scanPlain,
  docker: scanPlain,
  "cloudx-apps": scanOf("cloudx-apps"),
  "serverless-run": scanOf("serverless-run")
}

/**
 * The rows of a text that passed.
 *
 * WHY not simply parsed: units have names of images for keys, each its own, which is what parsing such
 * objects and listing their members costs most for. As the items of one list they cost little.
 */
const rowsOf = <K extends PhysicalKind>(kind: K, text: string, found: JsonScanner.Found) => {
  const bare = JsonScanner.withoutMembers(text, found)
  // WHY: what passed the scan parses to this, and the schema would leave it as it is.
  const [report, members] = JSON.parse(`[${bare},[${found.members.join(",")}]]`) as [
    EnvironmentReport.CountedReport<K>,
    ReadonlyArray<string>
  ]
  return EnvironmentReport.rowsOfCounted(kind, report, members)
}

/** What a text says, as far as it is asked. */
interface Reading extends Pick<ReportContent, "isNews"> {
  readonly rows: ReportContent["rows"]
  /** The same rows by key; the ones that are given are equal to them. */
  readonly index: (rows: ReturnType<ReportContent["rows"]>) => ReturnType<ReportContent["rows"]>
  readonly lines: (options: RunningRow.RunningSetOptions) => ReadonlyArray<string>
}

/** The content of a text whose items are known. */
const contentOf = (kind: PhysicalKind, items: ItemList, read: Reading): ReportContent => {
  let lines: ReportBaseline.SetLines | undefined
  return {
    runningSetText: (options) => {
      const sorted = read.lines(options)
      lines = { includeScaling: options.includeScaling, sorted }
      return RunningRow.runningSetTextOf(sorted)
    },
    isNews: read.isNews,
    rows: read.rows,
    known: (rows) => Option.some({ kind, items, rows, index: read.index(rows), lines })
  }
}

const fromPlain = (kind: PhysicalKind, text: string): Option.Option<ReportContent> =>
  // INVARIANT: the digests of units are the only dictionaries of a report.
  Option.map(scans[kind](text), (found) =>
    contentOf(
      kind,
      { text, places: found.items },
      {
        isNews: () => false,
        rows: () => rowsOf(kind, text, found),
        index: ReportBaseline.indexOf,
        lines: (options) => RunningRow.runningSetLinesOfPrinted(found.members, options)
      }
    )
  )

/**
 * The content of a report's text, if that is plain; nothing when it has to be read to say what it means,
 * or what is wrong with it. Where the report before it is known, only what is written otherwise is read,
 * which makes no difference to what it says.
 */
export const fromText = (
  kind: PhysicalKind,
  text: string,
  before: Option.Option<ReportBaseline.ReportBaseline> = Option.none()
): Option.Option<ReportContent> => {
  const known = Option.getOrUndefined(before)
  const changes = known && ReportBaseline.next(known, kind, text)
  return known === undefined || changes === undefined
    ? fromPlain(kind, text)
    : Option.some(
        contentOf(kind, changes.items, {
          isNews: (options) => ReportBaseline.isNews(changes, options),
          rows: () => ReportBaseline.rowsAfter(known, changes),
          index: () => ReportBaseline.indexAfter(known, changes),
          lines: (options) => ReportBaseline.linesAfter(known, changes, options)
        })
      )
}
