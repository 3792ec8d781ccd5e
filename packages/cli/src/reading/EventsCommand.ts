/**
 * `attestry log ENV [A..B]`: lists or follows the events of an environment, or exports them as CSV. Unrelated to the
 * evidence log, which `attestry log pull|verify|receipt` read.
 */
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { usage } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"
import { type Style, verdict } from "../shared/Style.js"
import * as Table from "../shared/Table.js"
import { instantOf } from "./ListFilters.js"

const LIMIT = 20
const FOLLOW_MS = 5_000
const PER_PAGE_MAX = 100

const periodOf = ({ host }: CommandContext, args: Arguments) => {
  const since = args.text("since")
  const until = args.text("until")
  return {
    from: since === undefined ? undefined : instantOf(host, "since", since),
    to: until === undefined ? undefined : instantOf(host, "until", until)
  }
}

const rowOf = (event: Json.Fields, style: Style): ReadonlyArray<string> => [
  `#${style.text(event.snapshot_index)}`,
  style.instant(event.reported_at),
  style.text(event.artifact_name),
  style.short(event.sha256),
  style.text(event.description),
  verdict(style, event.artifact_compliance)
]

const resultOf = (events: ReadonlyArray<Json.Fields>): CommandResult => ({
  value: events,
  items: events,
  lines: (style) =>
    events.length === 0 ? ["no events"] : Table.lines(events.map((event) => rowOf(event, style)))
})

interface EventQuery {
  readonly environment: string
  readonly urlParams: Json.Fields
}

const queryOf = (context: CommandContext, args: Arguments): EventQuery => {
  const [environment = "", interval] = args.positionals
  const { from, to } = periodOf(context, args)
  const repos = args.texts("repo")
  return {
    environment,
    urlParams: {
      ...(interval === undefined ? {} : { interval }),
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      ...(repos.length === 0 ? {} : { repo_name: repos })
    }
  }
}

const read = async (
  { api }: CommandContext,
  { environment, urlParams }: EventQuery,
  more: Json.Fields
): Promise<ReadonlyArray<Json.Fields>> =>
  Json.objects(
    await (await api()).call("event.list", {
      path: { env_name: environment },
      urlParams: { ...urlParams, ...more }
    })
  )

/** The server's CSV export: every event, oldest first. */
const csv = async (context: CommandContext, args: Arguments): Promise<CommandResult> => {
  const [environment = "", interval] = args.positionals
  if (interval !== undefined) throw usage("--csv takes --since and --until, not snapshots")
  const { from, to } = periodOf(context, args)
  const repos = args.texts("repo")
  const { bytes } = await (await context.api()).answer("event.auditLog", {
    path: { env_name: environment },
    urlParams: {
      ...(from === undefined ? {} : { from_timestamp: from }),
      ...(to === undefined ? {} : { to_timestamp: to }),
      ...(repos.length === 0 ? {} : { repo_names: repos.join(",") })
    }
  })
  const text = new TextDecoder().decode(bytes).replace(/\r?\n$/, "")
  return {
    value: { schema: "attestry.cli/audit-log/v1", csv: text },
    lines: (style) => text.split(/\r?\n/).map(style.text)
  }
}

/** Identifies an event by snapshot, artifact and description. */
const keyOf = ({ snapshot_index, sha256, artifact_name, description }: Json.Fields): string =>
  JSON.stringify([snapshot_index, sha256, artifact_name, description])

/** Prints events as they happen, until the command is interrupted. */
const follow = async (context: CommandContext, args: Arguments): Promise<never> => {
  const { host, output } = context
  const query = queryOf(context, args)
  const seen = new Set<string>()
  const page = { page: 1, per_page: PER_PAGE_MAX }
  for (const event of await read(context, query, page)) seen.add(keyOf(event))
  for (;;) {
    await host.sleep(FOLLOW_MS, host.signal)
    host.signal.throwIfAborted()
    const events = await read(context, query, page)
    const fresh = events.filter((event) => !seen.has(keyOf(event))).reverse()
    for (const event of fresh) seen.add(keyOf(event))
    if (fresh.length > 0) output.result(resultOf(fresh))
  }
}

/** Runs `attestry log ENV`. */
export const run: CommandModule["run"] = async (context, args) => {
  if (args.has("csv")) return csv(context, args)
  if (args.has("follow")) return follow(context, args)
  const more = { page: 1, per_page: args.number("limit") ?? LIMIT }
  return resultOf(await read(context, queryOf(context, args), more))
}
