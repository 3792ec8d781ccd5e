/**
 * The common part of every `attestry report KIND ENV`. It warns of unreadable units, and sends nothing if no unit
 * could be read.
 */
import { dryRun } from "../attestation/DryRun.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"
import { type Style, verdict } from "../shared/Style.js"
import * as Table from "../shared/Table.js"
import * as ReportChanges from "./ReportChanges.js"
import { type ReportDraft, type Reporter, SharedReads } from "./Reporter.js"

/** Creates the environment if it does not exist. If it has another kind, the server refuses the report. */
const create = async (
  { api }: CommandContext,
  environment: string,
  kind: string
): Promise<void> => {
  const found = await (await api()).find("environment.get", { path: { env_name: environment } })
  if (found !== undefined) return
  await (await api()).write("environment.put", {
    payload: { name: environment, type: kind, description: "" }
  })
}

interface Sent extends ReportChanges.Changed {
  readonly environment: string
  readonly kind: string
  readonly draft: ReportDraft
  readonly written: Json.Fields
}

const instancesOf = (row: Json.Fields): string => {
  const { now } = Json.object(row.annotation)
  return typeof now === "number" && now > 1 ? `${now} instances` : ""
}

/** The verdict of a running row; for a no, also the command that explains it. */
const verdictOf = (row: Json.Fields, { environment, written }: Sent, style: Style): string => {
  const isExited = Json.object(row.annotation).type === "exited"
  if (isExited || typeof written.is_compliant !== "boolean") return ""
  const said = verdict(style, row.compliant)
  return row.compliant === false
    ? `${said}: attestry assert snapshot ${style.text(environment)}`
    : said
}

const changeRows = (sent: Sent, style: Style) =>
  sent.changes.map((row) => [
    `  ${style.text(Json.object(row.annotation).type)}`,
    style.text(row.name),
    row.fingerprint === "" ? "digest unknown" : style.short(row.fingerprint),
    instancesOf(row),
    verdictOf(row, sent, style)
  ])

/** WHY: an empty column would only add spaces. */
const withoutEmptyColumns = (
  rows: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyArray<ReadonlyArray<string>> =>
  rows.map((row) => row.filter((_, at) => rows.some((each) => each[at] !== "")))

const beforeText = (before: ReportChanges.Before | null, style: Style): string =>
  before === null ? "" : ` (was ${before.snapshot_index}, ${verdict(style, before.compliant)})`

const resultOf = (sent: Sent): CommandResult => {
  const { environment, kind, draft, written, before } = sent
  const { units, leftOut, unknown = [], warnings, summary } = draft
  const index = written.snapshot_index ?? null
  return {
    value: {
      schema: "attestry.cli/report/v1",
      environment,
      kind,
      units: units.length,
      left_out: leftOut,
      unknown,
      warnings,
      outcome: written.outcome ?? null,
      snapshot_index: index,
      compliant: written.is_compliant ?? null,
      before,
      url: written.html_url ?? null
    },
    quiet: index === null ? "" : String(index),
    lines: (style) => [
      `${style.text(environment)}: ${style.text(summary ?? units.length)} reported   ` +
        `snapshot ${style.text(index ?? "–")}` +
        `${written.changed === true ? "" : ", unchanged"}, ${verdict(style, written.is_compliant)}` +
        beforeText(before, style),
      ...Table.lines(withoutEmptyColumns(changeRows(sent, style)))
    ]
  }
}

const numbered = (texts: ReadonlyArray<string>): { readonly [field: string]: string } =>
  Object.fromEntries(texts.map((each, at) => [String(at + 1), each]))

const check = ({ units, leftOut, unknown = [] }: ReportDraft, args: Arguments): void => {
  if (units.length === 0 && leftOut.length > 0)
    throw new CommandFailure("unreadable", "nothing could be read, so nothing is sent", {
      errors: numbered(leftOut)
    })
  const missing = [...leftOut, ...unknown]
  if (args.has("strict") && missing.length > 0)
    throw new CommandFailure(
      "partial",
      `${missing.length} could not be read, and nothing is sent`,
      { errors: numbered(missing) }
    )
}

/** The report of one environment. */
export interface ReportRequest {
  readonly reporter: Reporter
  readonly environment: string
  readonly args: Arguments
  readonly reads: SharedReads
  /** Whether to load and show changed rows. */
  readonly showsChanges: boolean
}

/** The result of a report. */
export interface Reported {
  readonly draft: ReportDraft
  readonly result: CommandResult
}

const payloadOf = (kind: string, { units }: ReportDraft): Json.Fields => ({
  type: kind,
  artifacts: units
})

/** Reads the runtime and reports it once. */
export const once = async (context: CommandContext, request: ReportRequest): Promise<Reported> => {
  const { reporter, environment, args, reads } = request
  const kind = reporter.kind(args)
  const draft = await reporter.gather({ context, args, reads })
  const { leftOut, unknown = [], warnings } = draft
  for (const text of [...leftOut, ...unknown, ...warnings])
    context.output.warn(`${environment}: ${text}`)
  check(draft, args)
  const operation = `report.${kind}`
  const call = { path: { env_name: environment }, payload: payloadOf(kind, draft) }
  if (args.has("dry-run")) return { draft, result: await dryRun(context, operation, call) }
  if (args.has("create")) await create(context, environment, kind)
  const written = Json.object(await (await context.api()).write(operation, call))
  const changed = request.showsChanges
    ? await ReportChanges.read(context, environment, written)
    : ReportChanges.NOTHING
  return { draft, result: resultOf({ environment, kind, draft, written, ...changed }) }
}

/** Makes the command of a reporter: one report, or repeated reports with `--watch`. */
export const command = (reporter: Reporter): CommandModule => ({
  run: async (context, args) => {
    const environment = args.positionals[0] ?? ""
    const ReportWatch = await import("./ReportWatch.js")
    const watched = ReportWatch.optionsOf(context, args)
    if (watched !== undefined)
      return ReportWatch.run(context, args, {
        ...watched,
        entries: [{ environment, reporter, args }]
      })
    const request = { reporter, environment, args, reads: new SharedReads(), showsChanges: true }
    return (await once(context, request)).result
  }
})
