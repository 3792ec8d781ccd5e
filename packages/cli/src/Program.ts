/** Runs one command line on a host and returns the exit code. It catches everything that a command throws. */
import * as Placeholder from "@attestry/core/Placeholder"
import * as ShellWord from "@attestry/core/ShellWord"
import { COMMANDS, GLOBAL_FLAGS } from "./CommandTree.js"
import { type Arguments, type Invocation, parse } from "./shared/Arguments.js"
import type { CommandContext } from "./shared/CommandContext.js"
import { CommandFailure, usage } from "./shared/CommandFailure.js"
import type { CommandSpec } from "./shared/CommandSpec.js"
import { codeOf } from "./shared/ExitCode.js"
import { type Host, variable } from "./shared/Host.js"
import * as Output from "./shared/Output.js"
import { VERSION } from "./shared/Version.js"
import * as WrappedCommand from "./shared/WrappedCommand.js"

/** The tree of commands, and the flags that every command has. */
export const GRAMMAR = { commands: COMMANDS, globals: GLOBAL_FLAGS }

const formatOf = (host: Host, args: Arguments): Output.Format => {
  const text = args.text("output") ?? variable(host, "ATTESTRY_OUTPUT") ?? "table"
  const format = Output.FORMATS.find((each) => each === text)
  if (format === undefined)
    throw usage(`ATTESTRY_OUTPUT expects one of ${Output.FORMATS.join(", ")}, not \`${text}\``)
  return format
}

/** Computes a value at its first use. */
const once = <A>(make: () => Promise<A>): (() => Promise<A>) => {
  const made: Array<Promise<A>> = []
  return () => {
    const value = made[0] ?? make()
    if (made.length === 0) made.push(value)
    return value
  }
}

const contextOf = (host: Host, output: Output.Output, args: Arguments): CommandContext => {
  const settings = once(async () => (await import("./settings/Settings.js")).load(host, args))
  return {
    host,
    output,
    settings,
    job: once(async () => (await import("./job/CurrentJob.js")).find(host)),
    api: once(async () => (await import("./transport/Api.js")).make(host, output, await settings()))
  }
}

const runCommand = async (
  host: Host,
  { load }: CommandSpec,
  { args, output }: { readonly args: Arguments; readonly output: Output.Output }
): Promise<number> => {
  const key = variable(host, "ATTESTRY_API_KEY")
  if (key !== undefined) output.hide(key)
  const { run } = await load()
  const result = await run(contextOf(host, output, args), args)
  output.result(result)
  return codeOf(result.exit ?? "done")
}

const printHelp = async (
  host: Host,
  { words, isAsked }: Extract<Invocation, { readonly kind: "help" }>,
  isJson: boolean
): Promise<number> => {
  const Help = await import("./shared/Help.js")
  const text =
    words[0] === "schemas"
      ? (await import("./shared/SchemaHelp.js")).textOf(words[1], isJson)
      : Help.textOf(GRAMMAR, words)
  host[isAsked ? "stdout" : "stderr"].write(`${text}\n`)
  return codeOf(isAsked ? "done" : "usage")
}

/** A held change names the command that proposes it. */
const withProposal = (failure: CommandFailure, argv: ReadonlyArray<string>): CommandFailure => {
  const { details, message, word } = failure
  if (details.isHeld !== true) return failure
  const words = ["attestry", "propose", "--reason", Placeholder.of("REASON"), "--", ...argv]
  return new CommandFailure(word, message, { ...details, hint: ShellWord.line(words) })
}

interface Running {
  readonly output: Output.Output
  readonly argv: ReadonlyArray<string>
}

const end = (host: Host, { argv, output }: Running, thrown: unknown): number => {
  if (host.signal.aborted)
    return codeOf(host.signal.reason === "SIGTERM" ? "terminated" : "interrupted")
  const failure = withProposal(Output.failureOf(thrown), argv)
  output.failure(failure)
  const { cause } = failure
  if (cause instanceof Error) output.trace(cause.stack ?? cause.message)
  return codeOf(failure.word)
}

const outputOf = (host: Host, { flags }: CommandSpec, args: Arguments): Output.Output =>
  Output.make(host, {
    flags,
    format: formatOf(host, args),
    field: args.text("field"),
    isQuiet: args.has("quiet"),
    verbosity: args.texts("verbose").length,
    color: args.text("color")
  })

/** Runs a command line; never throws. */
export const run = async (host: Host, argv: ReadonlyArray<string>): Promise<number> => {
  const outputs = { current: Output.plain(host, argv) }
  try {
    const invocation = parse(GRAMMAR, argv)
    if (invocation.kind === "version") {
      host.stdout.write(`${VERSION}\n`)
      return 0
    }
    if (invocation.kind === "help") return await printHelp(host, invocation, Output.asksJson(argv))
    const { command, args } = invocation
    const shown = command.isWrapper === true ? WrappedCommand.parseIn(GRAMMAR, args) : invocation
    outputs.current = outputOf(host, shown.command, shown.args)
    return await runCommand(host, command, { args, output: outputs.current })
  } catch (thrown) {
    // WHY: every error has an exit code of its own, and a defect never exits with the code that means no.
    return end(host, { argv, output: outputs.current }, thrown)
  }
}
