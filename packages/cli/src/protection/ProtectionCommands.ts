/** `attestry protection …`: shows and sets which changes need the approval of other people. */
import * as YamlText from "@attestry/core/YamlText"
import * as Either from "effect/Either"
import { dryRun } from "../attestation/DryRun.js"
import { readText } from "../attestation/EvidenceFields.js"
import { CommandFailure } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"
import type { Style } from "../shared/Style.js"
import * as Table from "../shared/Table.js"

const HEADINGS = ["KINDS", "WHERE", "APPROVALS", "BY", "DAYS"]

const rowOf = (protection: Json.Fields, style: Style): ReadonlyArray<string> => [
  Json.list(protection.kinds).map(style.text).join(", "),
  protection.space === "/" ? "the whole org" : style.text(protection.space),
  style.text(protection.approvals),
  protection.team === null ? "admins" : `admins, team ${style.text(protection.team)}`,
  style.text(protection.days)
]

const linesOf = (value: Json.Fields, style: Style): ReadonlyArray<string> => {
  const protections = Json.objects(value.protections)
  return protections.length === 0
    ? ["no change needs the approval of another person"]
    : Table.lines([
        HEADINGS.map((heading) => style.tint("bold", heading)),
        ...protections.map((each) => rowOf(each, style))
      ])
}

const resultOf = (answer: unknown): CommandResult => {
  const value = Json.object(answer)
  return {
    value,
    quiet: String(Json.list(value.protections).length),
    lines: (style) => linesOf(value, style)
  }
}

/** Shows the protections. */
export const get: CommandModule = {
  run: async (context) => resultOf(await (await context.api()).call("protection.get"))
}

/** The body of the request: a document with `protections`, or their list alone. */
const payloadOf = (file: string, text: string): unknown => {
  const parsed = YamlText.parse(text)
  if (Either.isLeft(parsed))
    throw new CommandFailure("usage", `${file} is no YAML`, {
      errors: Object.fromEntries(
        parsed.left.problems.map(({ column, line, message }) => [
          `${file}:${line}:${column}`,
          message
        ])
      )
    })
  const { value } = parsed.right
  return Array.isArray(value) ? { protections: value } : value
}

/** Replaces the protections by those of a file, in the form of `protection get -o json`. */
export const set: CommandModule = {
  run: async (context, args) => {
    const [file = ""] = args.positionals
    const call = { payload: payloadOf(file, await readText(context.host, file)) }
    if (args.has("dry-run")) return dryRun(context, "protection.put", call)
    return resultOf(await (await context.api()).call("protection.put", call))
  }
}
