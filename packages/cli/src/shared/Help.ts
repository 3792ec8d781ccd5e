/** Prints help from the command tree. Pure. */
import * as NearestName from "@attestry/core/NearestName"
import * as Examples from "../examples/Examples.js"
import { commandOf, following, type Grammar } from "./Arguments.js"
import { usage } from "./CommandFailure.js"
import * as CommandSearch from "./CommandSearch.js"
import { type CommandSpec, type FlagSpec, nameOf, type PositionalSpec } from "./CommandSpec.js"
import { EXIT_CODES } from "./ExitCode.js"
import * as Table from "./Table.js"
import { TOPICS } from "./Topics.js"

const indented = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> =>
  Table.lines(rows).map((line) => `  ${line}`)

const flagRow = ({ name, short, kind, value, brief, choices }: FlagSpec): ReadonlyArray<string> => {
  const shown = value ?? choices?.join("|") ?? "TEXT"
  const argument = kind === "boolean" ? "" : ` ${shown}`
  const more = kind === "texts" || kind === "pairs" ? "; repeatable" : ""
  return [`${short === undefined ? "   " : `-${short},`} --${name}${argument}`, `${brief}${more}`]
}

const positionalText = ({ name, required, isRest }: PositionalSpec): string => {
  const text = isRest === true ? `${name}…` : name
  return required ? text : `[${text}]`
}

const exampleLines = (examples: ReadonlyArray<string>): ReadonlyArray<string> => [
  "examples:",
  ...examples.map((example) => `  ${example}`)
]

const aliasLines = ({ words, aliases = [] }: CommandSpec): ReadonlyArray<string> =>
  aliases.map((alias) => `also:  ${["attestry", ...words.slice(0, -1), alias].join(" ")}`)

/** The help of one command. */
const commandHelp = ({ globals }: Grammar, command: CommandSpec): ReadonlyArray<string> => {
  const { positionals, flags } = command
  const called = ["attestry", nameOf(command), ...positionals.map(positionalText)].join(" ")
  return [
    `${command.brief}.`,
    "",
    `usage: ${called} [flags]`,
    ...aliasLines(command),
    ...(positionals.length === 0
      ? []
      : ["", ...indented(positionals.map(({ name, brief }) => [name, brief]))]),
    ...(flags.length === 0 ? [] : ["", "flags:", ...indented(flags.map(flagRow))]),
    "",
    "flags of every command:",
    ...indented(globals.map(flagRow)),
    "",
    ...exampleLines(Examples.of(command))
  ]
}

const commandsOf = (
  { commands }: Grammar,
  words: ReadonlyArray<string>
): ReadonlyArray<CommandSpec> =>
  commands
    .filter((command) => words.every((word, at) => command.words[at] === word))
    .filter((command) => !nameOf(command).startsWith("__"))

const groupHelp = (grammar: Grammar, words: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...(words.length === 0
    ? [
        "attestry: evidence from pipelines, reports of environments, and gates that explain themselves.",
        ""
      ]
    : []),
  `usage: attestry ${[...words, "COMMAND"].join(" ")} [flags]`,
  "",
  ...indented(commandsOf(grammar, words).map((command) => [nameOf(command), command.brief])),
  "",
  `attestry help COMMAND tells more; topics: ${Object.keys(TOPICS).join(", ")}, exit-codes, schemas.`,
  ...(words.length === 0 ? ["attestry help aws, azure, slack … finds commands by a product."] : []),
  "",
  ...exampleLines(Examples.ofAll(commandsOf(grammar, words)))
]

/** The commands that the words find; undefined if they find none. */
const foundHelp = (
  { commands }: Grammar,
  words: ReadonlyArray<string>
): ReadonlyArray<string> | undefined => {
  const found = CommandSearch.find(commands, words)
  if (found.length === 0) return undefined
  return [
    `commands for ${words.join(" ")}:`,
    "",
    ...indented(found.map((command) => [nameOf(command), command.brief])),
    "",
    "attestry help COMMAND tells more.",
    "",
    ...exampleLines(Examples.ofAll(found))
  ]
}

const exitCodes = (): ReadonlyArray<string> =>
  Table.lines(Object.values(EXIT_CODES).map(({ code, means }) => [String(code).padStart(3), means]))

const topic = (word: string): ReadonlyArray<string> | undefined =>
  word === "exit-codes" ? exitCodes() : new Map(Object.entries(TOPICS)).get(word)

/** The help for a command, a group of commands, or a topic; throws for unknown words. */
export const textOf = (grammar: Grammar, words: ReadonlyArray<string>): string => {
  const name = words.join(" ")
  const called = commandOf(grammar, words)
  const command = called?.words.length === words.length ? called : undefined
  const lines =
    (command === undefined ? undefined : commandHelp(grammar, command)) ??
    (following(grammar, words).length > 0 ? groupHelp(grammar, words) : undefined) ??
    topic(name) ??
    (called === undefined ? foundHelp(grammar, words) : undefined)
  if (lines !== undefined) return lines.join("\n")
  const known = [...grammar.commands.map(nameOf), ...Object.keys(TOPICS), "exit-codes", "schemas"]
  if (called !== undefined) return commandHelp(grammar, called).join("\n")
  const near =
    NearestName.find(name, known) ?? CommandSearch.nearest(grammar.commands, words.at(-1) ?? "")
  throw usage(
    `there is no help about \`${name}\``,
    near === undefined ? "see: attestry help" : `did you mean \`attestry help ${near}\`?`
  )
}
