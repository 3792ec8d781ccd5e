/** `attestry break-glass …`: lists, opens, closes and reviews break-glass. */
import { dryRun } from "../attestation/DryRun.js"
import { command as listCommand } from "../reading/ListCommand.js"
import { instant, type ListNoun, listed, text } from "../reading/ListNoun.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { usage } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"
import type { Style } from "../shared/Style.js"

const roleOf = ({ role, space }: Json.Fields, style: Style): string =>
  `${style.text(role)} in ${style.text(space)}`

/** The openings of an org. */
const OPENINGS: ListNoun = listed({
  noun: "openings",
  brief: "List openings of break-glass, newest first",
  operation: "breakGlass.list",
  items: "openings",
  filters: { state: "state" },
  columns: [
    ["NUMBER", text("number")],
    ["STATE", text("state")],
    ["BY", text("opened_by")],
    ["ROLE", roleOf],
    ["OPENED", instant("opened_at")],
    ["ENDS", (opening, style) => style.instant(opening.closed_at ?? opening.ends_at)],
    ["REASON", text("reason")]
  ]
})

/** Lists openings. */
export const list: CommandModule = listCommand(OPENINGS)

const numberOf = (args: Arguments): number => {
  const [given = ""] = args.positionals
  if (!/^[1-9]\d{0,8}$/.test(given)) throw usage(`break-glass has a number, not \`${given}\``)
  return Number(given)
}

/** The text of a flag that must be there. */
const needed = (args: Arguments, name: string): string => {
  const given = args.text(name)
  if (given === undefined) throw usage(`--${name} is missing`)
  return given
}

interface Change {
  readonly operation: "breakGlass.open" | "breakGlass.close" | "breakGlass.review"
  readonly call: { readonly path?: Json.Fields; readonly payload?: Json.Fields }
}

/** Sends a change and prints the opening; with `--dry-run`, prints the request. */
const perform = async (
  context: CommandContext,
  args: Arguments,
  { call, operation }: Change
): Promise<CommandResult> => {
  if (args.has("dry-run")) return dryRun(context, operation, call)
  const value = Json.object(await (await context.api()).call(operation, call))
  return {
    value,
    quiet: String(value.number),
    lines: (style) => [
      `break-glass ${style.text(value.number)} is ${style.tint("bold", style.text(value.state))}: ` +
        `${style.text(value.opened_by)} as ${roleOf(value, style)}`
    ]
  }
}

const minutesOf = (args: Arguments): number => {
  const given = needed(args, "minutes")
  if (!/^\d{1,3}$/.test(given)) throw usage(`--minutes expects 15 to 240, not \`${given}\``)
  return Number(given)
}

/** Opens break-glass. */
export const open: CommandModule = {
  run: (context, args) => {
    const [role = "", space = ""] = args.positionals
    const payload = { role, space, reason: needed(args, "reason"), minutes: minutesOf(args) }
    return perform(context, args, { operation: "breakGlass.open", call: { payload } })
  }
}

/** Closes break-glass. */
export const close: CommandModule = {
  run: (context, args) =>
    perform(context, args, {
      operation: "breakGlass.close",
      call: { path: { number: numberOf(args) } }
    })
}

/** Reviews break-glass. */
export const review: CommandModule = {
  run: (context, args) =>
    perform(context, args, {
      operation: "breakGlass.review",
      call: { path: { number: numberOf(args) }, payload: { note: needed(args, "note") } }
    })
}
