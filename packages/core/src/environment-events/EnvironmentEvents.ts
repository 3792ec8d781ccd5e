/**
 * The audit log of an environment: events as CSV lines, and the filter of events. SPEC §4.4
 *
 * Lines are printed one by one, so that an audit log can be streamed; the store collects and orders events. Text that
 * a spreadsheet would run as a formula is escaped.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import {
  classOf,
  describe,
  type EnvironmentEvent,
  EventClass
} from "../environment/EnvironmentEvent.js"
import { printIso } from "../shared/internal/UtcCalendar.js"
import * as Timestamp from "../shared/Timestamp.js"
import * as Verdict from "../shared/Verdict.js"
import { NO_PROVENANCE } from "../snapshot/FlowView.js"

/** The value of a flow filter that selects artifacts without provenance. */
export { NO_PROVENANCE } from "../snapshot/FlowView.js"

/** Which events pass. Filters combine with AND, the values of one with OR; absent means any. */
export interface AuditLogFilter {
  /** Only events at this instant or later. */
  readonly from?: Timestamp.Timestamp
  /** Only events at this instant or earlier. */
  readonly to?: Timestamp.Timestamp
  readonly eventClasses?: ReadonlySet<EventClass>
  readonly flowNames?: ReadonlySet<string>
  readonly repoNames?: ReadonlySet<string>
}

/** A word in `event_types` that is not one of the three. */
export class InvalidEventClass extends Schema.TaggedError<InvalidEventClass>()(
  "InvalidEventClass",
  { word: Schema.String }
) {
  override get message(): string {
    return `\`${this.word}\` is not one of \`started\`, \`exited\` and \`changed\``
  }
}

/** The values of a comma separated list, without white space around them; an empty list is no filter. */
export const parseList = (text: string): ReadonlySet<string> | undefined => {
  const values = new Set(
    text
      .split(",")
      .map((value) => value.trim())
      .filter((value) => value !== "")
  )
  return values.size === 0 ? undefined : values
}

/** Reads `event_types`. */
export const parseEventClasses = (
  text: string
): Either.Either<ReadonlySet<EventClass> | undefined, InvalidEventClass> => {
  const classes = new Set<EventClass>()
  for (const word of parseList(text) ?? []) {
    if (!Schema.is(EventClass)(word)) return Either.left(new InvalidEventClass({ word }))
    classes.add(word)
  }
  return Either.right(classes.size === 0 ? undefined : classes)
}

const isWithoutProvenance = ({ flowNames, hidden }: EnvironmentEvent): boolean =>
  flowNames.length === 0 && hidden === undefined

/** Whether an event passes the filter. */
export const matches =
  ({ from, to, eventClasses, flowNames, repoNames }: AuditLogFilter) =>
  (event: EnvironmentEvent): boolean =>
    (from === undefined || event.at >= from) &&
    (to === undefined || event.at <= to) &&
    (eventClasses === undefined || eventClasses.has(classOf(event.kind))) &&
    (flowNames === undefined ||
      event.flowNames.some((name) => flowNames.has(name)) ||
      (isWithoutProvenance(event) && flowNames.has(NO_PROVENANCE))) &&
    (repoNames === undefined || event.repoNames.some((name) => repoNames.has(name)))

/** The columns, in order. Spreadsheets and scripts both read this form. */
export const COLUMNS = [
  "timestamp",
  "datetime_utc",
  "environment",
  "snapshot_index",
  "event_type",
  "event_detail",
  "artifact_name",
  "fingerprint",
  "instances_before",
  "instances_after",
  "artifact_compliant",
  "environment_compliant",
  "flow_names",
  "git_commit",
  "commit_url",
  "repo_names",
  "description"
] as const

// WHY the apostrophe: a spreadsheet would run the cell, and names come from outside.
const FORMULA = /^[=+\-@\t\r]/
const NEEDS_QUOTES = /[",\r\n]/

/** One cell: escaped for spreadsheets, and quoted where RFC 4180 requires it. */
export const printCell = (text: string): string => {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const printLine = (cells: ReadonlyArray<string>): string => `${cells.map(printCell).join(",")}\r\n`

/** The first line of every audit log, also without events. */
export const header: string = printLine(COLUMNS)

const cellsOf = (event: EnvironmentEvent): ReadonlyArray<string> => [
  String(Timestamp.toSeconds(event.at)),
  printIso(event.at),
  event.environment,
  String(event.snapshotIndex),
  classOf(event.kind),
  event.kind,
  event.name,
  event.fingerprint,
  String(event.was),
  String(event.now),
  Verdict.toWord(event.verdict),
  Verdict.toWord(event.snapshotVerdict),
  event.flowNames.join(";"),
  event.gitCommit ?? "",
  event.commitUrl ?? "",
  event.repoNames.join(";"),
  describe(event)
]

/** One event as one line, line break included. */
export const printEvent = (event: EnvironmentEvent): string => printLine(cellsOf(event))

/**
 * The first line for who reads a part of the org: with a last column that says where a flow is left out. WHY for every
 * such reader: whether there is one must not show in the header.
 */
export const partialHeader: string = printLine([...COLUMNS, "hidden"])

/** One event as one line below `partialHeader`. */
export const printPartialEvent = (event: EnvironmentEvent): string =>
  printLine([...cellsOf(event), event.hidden === undefined ? "" : "true"])
