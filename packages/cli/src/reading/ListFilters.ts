/** Converts the filter flags of a list to query parameters. Pure. */
import type { Arguments } from "../shared/Arguments.js"
import { usage } from "../shared/CommandFailure.js"
import type { Host } from "../shared/Host.js"
import * as Instant from "../shared/Instant.js"
import type { Fields } from "../shared/Json.js"
import { type ListNoun, reversalOf } from "./ListNoun.js"

/** The verdicts of flags, and how queries spell them. */
const STATES: ReadonlyMap<string, string> = new Map([
  ["compliant", "true"],
  ["not-compliant", "false"],
  ["unknown", "null"]
])

/** Parses an instant: how long ago, an ISO 8601 date or time, or epoch seconds. */
export const instantOf = (host: Pick<Host, "now">, flag: string, text: string): number => {
  const seconds = Instant.parse(host, text, "before")
  if (seconds === undefined)
    throw usage(`--${flag} expects 7d, 2026-11-16 or 2026-11-16T10:00:00Z, not \`${text}\``)
  return Math.floor(seconds)
}

const parameterOf = (host: Host, args: Arguments, flag: string): unknown => {
  const text = args.text(flag)
  if (text === undefined) return undefined
  if (flag === "since" || flag === "until") return instantOf(host, flag, text)
  if (flag === "verdict") return STATES.get(text)
  if (flag === "tag" || flag === "flow-tag")
    return args.texts(flag).map((each) => each.replace("=", ":"))
  return text
}

const reversed = (noun: ListNoun): Fields => {
  const reversal = reversalOf(noun)
  if (reversal === "direction")
    return { sort_direction: noun.usualDirection === "asc" ? "desc" : "asc" }
  return reversal === "parameter" ? { reverse: true } : {}
}

const orderOf = (args: Arguments, noun: ListNoun): Fields => {
  const sort = args.text("sort")
  return {
    ...(sort === undefined ? {} : { sort }),
    ...(args.has("reverse") ? reversed(noun) : {})
  }
}

/** The query parameters of a command line. */
export const read = (host: Host, args: Arguments, noun: ListNoun): Fields => ({
  ...noun.fixedQuery,
  ...Object.fromEntries(
    Object.entries(noun.filters ?? {}).flatMap(([parameter, flag]) => {
      const value = parameterOf(host, args, flag)
      return value === undefined ? [] : [[parameter, value]]
    })
  ),
  ...orderOf(args, noun)
})
