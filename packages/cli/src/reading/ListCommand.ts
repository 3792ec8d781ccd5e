/** `attestry list NOUN`: prints the API's values unchanged, as one array over the requested pages. */
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { usage } from "../shared/CommandFailure.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"
import * as Style from "../shared/Style.js"
import * as Table from "../shared/Table.js"
import * as ListFilters from "./ListFilters.js"
import { type ListNoun, reversalOf } from "./ListNoun.js"
import { LIST_NOUNS } from "./NounTable.js"

const LIMIT = 20
const PER_PAGE_MAX = 100

const pathOf = async (
  { settings }: CommandContext,
  args: Arguments,
  noun: ListNoun
): Promise<Json.Fields> => {
  const entries: Array<readonly [string, unknown]> = Object.entries(noun.fixedPath ?? {})
  for (const [parameter, flag] of Object.entries(noun.path ?? {})) {
    const value = flag === "flow" ? (await settings()).flow?.value : args.text(flag)
    if (value === undefined) throw usage(`--${flag} is missing`)
    entries.push([parameter, value])
  }
  return Object.fromEntries(entries)
}

const itemsOf = (body: unknown, items: string | undefined): ReadonlyArray<unknown> =>
  Json.list(items !== undefined && Json.isObject(body) ? body[items] : body)

const isDamaged = (item: unknown): boolean => Json.object(item).damaged_record === true

/** The items, and the answers as received. */
interface Found {
  readonly items: ReadonlyArray<unknown>
  readonly pages: ReadonlyArray<unknown>
}

const limitOf = (args: Arguments): number =>
  args.has("all") ? Number.POSITIVE_INFINITY : (args.number("limit") ?? LIMIT)

/** Reads pages up to a limit. */
const read = async (
  context: CommandContext,
  args: Arguments,
  { noun, limit }: { readonly noun: ListNoun; readonly limit: number }
): Promise<Found> => {
  const api = await context.api()
  const path = await pathOf(context, args, noun)
  const filters = ListFilters.read(context.host, args, noun)
  if (!noun.isPaged) {
    const body = await api.call(noun.operation, { path, urlParams: filters })
    return { items: itemsOf(body, noun.items), pages: [body] }
  }
  const perPage = Math.min(noun.perPageMax ?? PER_PAGE_MAX, Math.max(1, limit))
  const found: Array<unknown> = []
  const pages: Array<unknown> = []
  for (let page = 1; found.length < limit; page++) {
    const urlParams = { ...filters, page, per_page: perPage }
    const body = await api.call(noun.operation, { path, urlParams })
    const items = itemsOf(body, noun.items)
    found.push(...items)
    pages.push(body)
    if (items.length < perPage) break
  }
  return { items: found.slice(0, limit), pages }
}

/**
 * The items in the order of the command line. WHY the whole list is read for the other order: the last page of a list
 * is not known before, and a reversed first page would look like the end of the list.
 */
const readAll = async (
  context: CommandContext,
  args: Arguments,
  noun: ListNoun
): Promise<Found> => {
  const limit = noun.isPaged ? limitOf(args) : Number.POSITIVE_INFINITY
  if (!args.has("reverse") || reversalOf(noun) !== "whole")
    return read(context, args, { noun, limit })
  if (args.has("raw"))
    throw usage(
      "--raw and --reverse cannot stand together here",
      "--raw prints answers as they came, and the server has no other order of this list"
    )
  const { items, pages } = await read(context, args, { noun, limit: Number.POSITIVE_INFINITY })
  return { items: [...items].reverse().slice(0, limit), pages }
}

/** The list of the whole org if there is one and no flag of the path is given, else the list itself. */
const chosen = (args: Arguments, noun: ListNoun): ListNoun => {
  const { ofOrg, path = {} } = noun
  const isGiven = Object.values(path).some((flag) => args.text(flag) !== undefined)
  return ofOrg === undefined || isGiven ? noun : ofOrg
}

/** Makes the `list` command of a noun. */
export const command = (asked: ListNoun): CommandModule => ({
  run: async (context, args) => {
    const noun = chosen(args, asked)
    const { items: all, pages } = await readAll(context, args, noun)
    const items = all.filter((item) => !isDamaged(item))
    if (items.length < all.length)
      context.output.warn(`${all.length - items.length} damaged records are left out`)
    const [[, first] = ["", () => ""]] = noun.columns
    return {
      value: args.has("raw") ? (pages.length === 1 ? pages[0] : pages) : items,
      items: args.has("raw") ? pages : items,
      lines: (style) =>
        items.length === 0
          ? [`no ${noun.noun}`]
          : Table.lines([
              noun.columns.map(([heading]) => style.tint("bold", heading)),
              ...items.map((item) => noun.columns.map(([, of]) => of(Json.object(item), style)))
            ]),
      quiet: items.map((item) => first(Json.object(item), QUIET_STYLE)).join("\n")
    }
  }
})

const KEYS = LIST_NOUNS.find(({ noun }) => noun === "keys")

const ORG_KEYS = LIST_NOUNS.find(({ noun }) => noun === "org-keys")

/** Runs `attestry key list ACCOUNT`: `list keys` with the account as an argument, without one `list org-keys`. */
export const keys: CommandModule = {
  run: async (context, args) => {
    if (KEYS === undefined || ORG_KEYS === undefined) throw new Error("there is no noun `keys`")
    const { path: _path, ...noun } = KEYS
    const [name] = args.positionals
    if (name === undefined) return command(ORG_KEYS).run(context, args)
    return command({ ...noun, fixedPath: { name } }).run(context, args)
  }
}

/** The style for `--quiet`, which prints the first column: not shortened, no colour. */
const QUIET_STYLE = Style.make({ isTerminal: false, isColoured: false, columns: 80, nowMs: 0 })
