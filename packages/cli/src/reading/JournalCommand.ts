/** `attestry list journal`: every accepted write of the org, newest first. Its pages begin below a number. */
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"
import type { Style } from "../shared/Style.js"
import * as Table from "../shared/Table.js"
import { instantOf } from "./ListFilters.js"

const LIMIT = 20
const PER_PAGE_MAX = 100

const filtersOf = ({ host }: CommandContext, args: Arguments): Json.Fields => {
  const since = args.text("since")
  const until = args.text("until")
  return {
    ...Object.fromEntries(
      [
        ["kind", args.texts("kind")] as const,
        ["actor", args.texts("actor")] as const,
        ["subject_type", args.texts("subject")] as const
      ].filter(([, values]) => values.length > 0)
    ),
    ...(since === undefined ? {} : { from: instantOf(host, "since", since) }),
    ...(until === undefined ? {} : { to: instantOf(host, "until", until) })
  }
}

/** The `before` of the next page; undefined on the last page. */
const nextOf = (page: Json.Fields): string | undefined => {
  const href = Json.text(Json.object(Json.object(page._links).next).href)
  return href === undefined
    ? undefined
    : (new URL(href, "https://attestry.invalid").searchParams.get("before") ?? undefined)
}

/** Entries, and the names of their subjects by id. */
interface Found {
  readonly entries: ReadonlyArray<Json.Fields>
  readonly names: ReadonlyMap<string, string>
}

const read = async (context: CommandContext, args: Arguments): Promise<Found> => {
  const api = await context.api()
  const filters = filtersOf(context, args)
  const limit = args.has("all") ? Number.POSITIVE_INFINITY : (args.number("limit") ?? LIMIT)
  const per_page = Math.min(PER_PAGE_MAX, Math.max(1, limit))
  const entries: Array<Json.Fields> = []
  const names = new Map<string, string>()
  let before: string | undefined
  do {
    const cursor = before === undefined ? {} : { before }
    const urlParams = { ...filters, ...cursor, per_page, include: "names" }
    const page = Json.object(await api.call("journal.list", { urlParams }))
    entries.push(...Json.objects(page.entries))
    for (const [id, subject] of Json.members(page.names))
      names.set(id, String(Json.object(subject).name))
    before = nextOf(page)
  } while (before !== undefined && entries.length < limit)
  return { entries: entries.slice(0, limit), names }
}

const rowOf = (entry: Json.Fields, names: Found["names"], style: Style): ReadonlyArray<string> => {
  const { type, id } = Json.object(entry.subject)
  return [
    style.text(entry.sequence),
    style.instant(entry.at),
    style.text(entry.kind),
    style.text(`${type} ${names.get(String(id)) ?? id}`),
    style.text(Json.object(entry.actor).name)
  ]
}

const HEADINGS = ["NUMBER", "WHEN", "KIND", "SUBJECT", "BY"]

/** Runs `attestry list journal`. */
export const run: CommandModule["run"] = async (context, args) => {
  const { entries, names } = await read(context, args)
  return {
    value: entries,
    items: entries,
    quiet: entries.map(({ entry }) => String(entry)).join("\n"),
    lines: (style) =>
      entries.length === 0
        ? ["no journal entries"]
        : Table.lines([
            HEADINGS.map((heading) => style.tint("bold", heading)),
            ...entries.map((entry) => rowOf(entry, names, style))
          ])
  }
}
