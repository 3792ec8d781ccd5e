/** Runs a tool: checks its input against the Schema, and runs its command line. */
import * as FieldErrors from "@attestry/core/FieldErrors"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { COMMANDS } from "../CommandTree.js"
import { NONE } from "../job/Job.js"
import { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure } from "../shared/CommandFailure.js"
import * as Json from "../shared/Json.js"
import * as Output from "../shared/Output.js"
import type { Line, Tool } from "./Tool.js"
import * as ToolAnswer from "./ToolAnswer.js"
import * as ToolReceipt from "./ToolReceipt.js"

/** One more than an answer holds, to detect further items. */
const limitOf = (offset: number): string => String(offset + ToolAnswer.ITEMS_MAX + 1)

const argumentsOf = (line: Line, offset: number): Arguments => {
  const values = new Map<string, ReadonlyArray<string>>([["no-ci", ["true"]]])
  if (line.words[0] === "list") values.set("limit", [limitOf(offset)])
  for (const [name, value] of Object.entries(line.flags ?? {}))
    if (value !== undefined) values.set(name, typeof value === "object" ? value : [String(value)])
  return new Arguments(values, line.positionals ?? [])
}

/** WHY no job: the folder of the tool server is unrelated to the recorded evidence. */
const contextOf = (context: CommandContext, args: Arguments): CommandContext => ({
  ...context,
  job: async () => NONE,
  settings: async () => {
    const settings = await context.settings()
    const flow = args.text("flow")
    const trail = args.text("trail")
    return {
      ...settings,
      flow: flow === undefined ? settings.flow : { value: flow, source: "the tool" },
      trail: trail === undefined ? settings.trail : { value: trail, source: "the tool" }
    }
  }
})

const runLine = async (context: CommandContext, line: Line, offset: number): Promise<unknown> => {
  const command = COMMANDS.find((each) => each.words.join(" ") === line.words.join(" "))
  if (command === undefined) throw new Error(`there is no command ${line.words.join(" ")}`)
  const args = argumentsOf(line, offset)
  const { run } = await command.load()
  return (await run(contextOf(context, args), args)).value
}

const decode = (tool: Tool, given: unknown): Json.Fields => {
  const options = { errors: "all", onExcessProperty: "error" } as const
  const decoded = Schema.decodeUnknownEither(tool.input, options)(given ?? {})
  if (Either.isRight(decoded)) return Json.object(decoded.right)
  throw new CommandFailure("usage", `the input of ${tool.name} is wrong`, {
    errors: FieldErrors.fromParseIssue(decoded.left.issue)
  })
}

/** Calls a tool; never throws. */
export const call = async (context: CommandContext, tool: Tool, given: unknown) => {
  try {
    const input = decode(tool, given)
    const offset = Json.number(input.offset)
    const claimed =
      tool.line === undefined
        ? await tool.compute?.(input, context)
        : await runLine(context, tool.line(input), offset)
    const receipt = tool.receipt?.(input)
    const result =
      receipt === undefined
        ? claimed
        : await ToolReceipt.add(claimed, () => runLine(context, receipt, 0))
    return ToolAnswer.of(tool.title, ToolAnswer.pageOf(result, tool.list, offset))
  } catch (thrown) {
    // WHY: the protocol expects a failed tool as a result, with the name of the exit code.
    return ToolAnswer.ofFailure(Output.failureOf(thrown))
  }
}
