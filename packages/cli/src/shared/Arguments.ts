/**
 * Parses a command line by the tree of commands: the command, its flags and its positionals. Pure.
 *
 * It never guesses: an unknown word or flag, and a missing, empty or repeated value are failures that name the
 * nearest word. Flags may appear anywhere; `--` ends them. DECISIONS.md, "The command line has its own reader"
 */
import * as NearestName from "@attestry/core/NearestName"
import * as Placeholder from "@attestry/core/Placeholder"
import * as CommaList from "./CommaList.js"
import { usage } from "./CommandFailure.js"
import * as CommandSearch from "./CommandSearch.js"
import { type CommandSpec, type FlagSpec, nameOf, type PositionalSpec } from "./CommandSpec.js"
import * as Duration from "./Duration.js"

/** The values of each flag, in order; a boolean flag has `true` or `false`. */
type Values = ReadonlyMap<string, ReadonlyArray<string>>

/** The flags and positionals of a command. */
export class Arguments {
  readonly #values: Values
  readonly positionals: ReadonlyArray<string>

  constructor(values: Values, positionals: ReadonlyArray<string>) {
    this.#values = values
    this.positionals = positionals
  }

  /** The value of a flag; undefined if it is absent. */
  text(name: string): string | undefined {
    return this.#values.get(name)?.[0]
  }

  /** The values of a repeatable flag. */
  texts(name: string): ReadonlyArray<string> {
    return this.#values.get(name) ?? []
  }

  /** The value of a boolean flag; undefined if it is absent. */
  boolean(name: string): boolean | undefined {
    const value = this.text(name)
    return value === undefined ? undefined : value === "true"
  }

  /** Whether a boolean flag is set to true. */
  has(name: string): boolean {
    return this.boolean(name) === true
  }

  /** The value of a numeric flag. */
  number(name: string): number | undefined {
    const value = this.text(name)
    return value === undefined ? undefined : Number(value)
  }

  /** The value of a duration flag, in milliseconds. */
  duration(name: string): number | undefined {
    const value = this.text(name)
    return value === undefined ? undefined : Duration.parse(value)
  }

  /** The pairs `K=V` of a repeatable flag. */
  pairs(name: string): ReadonlyArray<readonly [string, string]> {
    return this.texts(name).map((pair) => {
      const at = pair.indexOf("=")
      return [pair.slice(0, at), pair.slice(at + 1)]
    })
  }

  /** The value of a required flag. */
  required(name: string): string {
    const value = this.text(name)
    if (value !== undefined) return value
    throw usage(`--${name} is missing`)
  }
}

/** The parsed command line. */
export type Invocation =
  | { readonly kind: "command"; readonly command: CommandSpec; readonly args: Arguments }
  | { readonly kind: "help"; readonly words: ReadonlyArray<string>; readonly isAsked: boolean }
  | { readonly kind: "version" }

/** The commands, and their common flags. */
export interface Grammar {
  readonly commands: ReadonlyArray<CommandSpec>
  readonly globals: ReadonlyArray<FlagSpec>
}

interface Token {
  readonly flag?: string
  readonly short?: string
  readonly value?: string
  readonly word?: string
}

const tokenOf = (text: string): Token => {
  if (text.startsWith("--")) {
    const at = text.indexOf("=")
    return at < 0 ? { flag: text.slice(2) } : { flag: text.slice(2, at), value: text.slice(at + 1) }
  }
  if (!text.startsWith("-") || text === "-") return { word: text }
  return text.length === 2
    ? { short: text.slice(1) }
    : { short: text.slice(1, 2), value: text.slice(2).replace(/^=/, "") }
}

/** The flag that a token names. */
const flagOf = (flags: ReadonlyArray<FlagSpec>, token: Token): FlagSpec | undefined =>
  flags.find(({ name, short }) =>
    token.flag === undefined ? short === token.short : name === token.flag
  )

const allFlags = ({ commands, globals }: Grammar): ReadonlyArray<FlagSpec> => [
  ...globals,
  ...commands.flatMap(({ flags }) => flags)
]

/** The words of a command line, without flags and their values. */
const wordsOf = (grammar: Grammar, argv: ReadonlyArray<string>): ReadonlyArray<string> => {
  const flags = allFlags(grammar)
  const words: Array<string> = []
  for (let at = 0; at < argv.length; at++) {
    const text = argv[at] ?? ""
    if (text === "--") return [...words, ...argv.slice(at + 1)]
    const token = tokenOf(text)
    if (token.word !== undefined) words.push(token.word)
    else if (token.value === undefined) {
      const flag = flagOf(flags, token)
      if (flag !== undefined && flag.kind !== "boolean") at++
    }
  }
  return words
}

const isPrefix = (prefix: ReadonlyArray<string>, words: ReadonlyArray<string>): boolean =>
  prefix.every((word, at) => words[at] === word)

/** Whether a command line starts with the words of a command; the last word may be an alias in any case. */
const isCalled = (
  { words: own, aliases = [] }: CommandSpec,
  words: ReadonlyArray<string>
): boolean => {
  if (isPrefix(own, words)) return true
  const word = words[own.length - 1]?.toLowerCase() ?? ""
  const isAlias = aliases.length > 0 && [own.at(-1), ...aliases].includes(word)
  return isAlias && isPrefix(own.slice(0, -1), words)
}

/** The command that matches the most words. */
export const commandOf = (
  { commands }: Grammar,
  words: ReadonlyArray<string>
): CommandSpec | undefined =>
  commands
    .filter((command) => isCalled(command, words))
    .sort((left, right) => right.words.length - left.words.length)[0]

/** The words that may follow a partial command. */
export const following = (
  { commands }: Grammar,
  words: ReadonlyArray<string>
): ReadonlyArray<string> => [
  ...new Set(
    commands
      .filter((command) => command.words.length > words.length && isPrefix(words, command.words))
      .map((command) => command.words[words.length] ?? "")
  )
]

/** Commands of `attestry-server`, which people may try here. */
const SERVER_WORDS = ["user", "org", "migrate", "verify", "demo", "denied", "notifications"]

/** The commands that a failure suggests, as a question. */
const suggestion = (commands: ReadonlyArray<CommandSpec>): string => {
  const names = commands.map((command) => `\`attestry ${nameOf(command)}\``)
  const last = names.pop() ?? ""
  return `did you mean ${names.length === 0 ? last : `${names.join(", ")} or ${last}`}?`
}

const unknownCommand = (grammar: Grammar, words: ReadonlyArray<string>) => {
  if (SERVER_WORDS.includes(words[0] ?? ""))
    return usage(
      `\`attestry\` has no command \`${words[0]}\``,
      "people, orgs and the store are kept by attestry-server, on the machine of the server"
    )
  const known = words.findIndex((_, at) => following(grammar, words.slice(0, at + 1)).length === 0)
  const before = words.slice(0, known)
  const word = words[known] ?? ""
  const near = NearestName.find(word, following(grammar, before))
  const called = ["attestry", ...before].join(" ")
  const { commands } = grammar
  const meant = CommandSearch.find(commands, [...before, word])
  const message = `\`${called}\` has no command \`${word}\``
  if (meant.length > 0) return usage(message, suggestion(meant))
  if (near !== undefined) return usage(message, `did you mean \`${called} ${near}\`?`)
  const keyword = CommandSearch.nearest(commands, word)
  const found = keyword === undefined ? [] : CommandSearch.find(commands, [...before, keyword])
  return usage(message, found.length === 0 ? `see: ${called} --help` : suggestion(found))
}

const flagText = (token: Token): string =>
  token.flag === undefined ? `-${token.short}` : `--${token.flag}`

/** Flags of other programs, and their counterparts here. */
const FOREIGN_FLAGS: ReadonlyMap<string, string> = new Map([
  ["json", "-o json"],
  ["jsonl", "-o jsonl"]
])

const unknownFlag = (flags: ReadonlyArray<FlagSpec>, command: CommandSpec, token: Token) => {
  const meant = FOREIGN_FLAGS.get(token.flag ?? "")
  if (meant !== undefined)
    return usage(
      `\`attestry ${nameOf(command)}\` has no flag \`${flagText(token)}\``,
      `did you mean \`${meant}\`?`
    )
  const near = NearestName.find(
    token.flag ?? "",
    flags.map(({ name }) => name)
  )
  return usage(
    `\`attestry ${nameOf(command)}\` has no flag \`${flagText(token)}\``,
    near === undefined ? `see: attestry ${nameOf(command)} --help` : `did you mean \`--${near}\`?`
  )
}

/** Fails for a value that is still a placeholder of a suggested command. */
const refusePlaceholder = (what: string, value: string): void => {
  if (Placeholder.is(value))
    throw usage(`${what} is the placeholder \`${value}\``, "write the value in its place")
}

const checked = (flag: FlagSpec, given: string): string => {
  const { name, kind, choices, choiceOf, isProse } = flag
  if (isProse !== true) refusePlaceholder(`--${name}`, given)
  const value = choiceOf?.(given) ?? given
  const expected = (what: string) => usage(`--${name} expects ${what}, not \`${value}\``)
  if (value === "")
    throw usage(`--${name} has an empty value`, "leave the flag out, or give a value")
  if (
    choices !== undefined &&
    !choices.some((choice) => (choiceOf?.(choice) ?? choice) === value)
  ) {
    const near = NearestName.find(value, choices)
    throw usage(
      `--${name} expects one of ${choices.join(", ")}, not \`${value}\``,
      near === undefined ? undefined : `did you mean \`${near}\`?`
    )
  }
  if (kind === "boolean" && value !== "true" && value !== "false") throw expected("true or false")
  if (kind === "number" && !/^\d{1,9}$/.test(value)) throw expected("a whole number")
  if (kind === "duration" && Duration.parse(value) === undefined)
    throw expected("a duration such as 30s, 5m or 2h")
  if (kind === "pairs" && value.indexOf("=") < 1) throw expected("KEY=VALUE")
  return value
}

/** Splits the value of a list flag. */
const valuesIn = (flag: FlagSpec, value: string): ReadonlyArray<string> => {
  if (flag.isList !== true) return [value]
  const elements = CommaList.parse(value)
  if (elements === undefined)
    throw usage(
      `--${flag.name} expects values that are separated by commas, not \`${value}\``,
      "a value that has a comma stands in quotes: '\"a,b\"'"
    )
  return elements
}

const isRepeatable = ({ kind, name }: FlagSpec): boolean =>
  kind === "texts" || kind === "pairs" || name === "verbose"

interface Read {
  readonly values: Values
  readonly words: ReadonlyArray<string>
}

const read = (
  flags: ReadonlyArray<FlagSpec>,
  command: CommandSpec,
  argv: ReadonlyArray<string>
): Read => {
  const values = new Map<string, ReadonlyArray<string>>()
  const words: Array<string> = []
  for (let at = 0; at < argv.length; at++) {
    const text = argv[at] ?? ""
    if (text === "--") {
      words.push(...argv.slice(at + 1))
      break
    }
    const token = tokenOf(text)
    if (token.word !== undefined) {
      words.push(token.word)
      continue
    }
    const flag = flagOf(flags, token)
    if (flag === undefined) throw unknownFlag(flags, command, token)
    const isBare = flag.kind === "boolean" && token.value === undefined
    const next = isBare ? "true" : (token.value ?? argv[++at])
    if (next === undefined) throw usage(`--${flag.name} needs a value`)
    const before = values.get(flag.name) ?? []
    if (before.length > 0 && !isRepeatable(flag)) throw usage(`--${flag.name} is given twice`)
    values.set(flag.name, [...before, ...valuesIn(flag, checked(flag, next))])
  }
  return { values, words }
}

const checkPositionals = (command: CommandSpec, given: ReadonlyArray<string>): void => {
  const { positionals } = command
  const called = `attestry ${nameOf(command)}`
  const missing = positionals.find(({ required }, at) => required && given[at] === undefined)
  if (missing !== undefined)
    throw usage(`${missing.name} is missing: ${missing.brief}`, `see: ${called} --help`)
  const takesRest = positionals.at(-1)?.isRest === true
  const extra = takesRest ? undefined : given[positionals.length]
  if (extra !== undefined) throw usage(`\`${called}\` does not expect \`${extra}\``)
  if (given.includes("") && positionals.at(-1)?.allowsEmpty !== true)
    throw usage(`\`${called}\` was given an empty argument`)
  for (const [at, value] of given.entries()) {
    const positional = positionals[at] ?? positionals.at(-1)
    refusePlaceholder(positional?.name ?? "an argument", value)
    checkChoice(positionals[at], value)
  }
}

const checkChoice = (positional: PositionalSpec | undefined, value: string): void => {
  if (positional?.choices === undefined || positional.choices.includes(value)) return
  const near = NearestName.find(value, positional.choices)
  throw usage(
    `${positional.name} is one of ${positional.choices.join(", ")}, not \`${value}\``,
    near === undefined ? undefined : `did you mean \`${near}\`?`
  )
}

const asks = (argv: ReadonlyArray<string>, ...names: ReadonlyArray<string>): boolean => {
  const end = argv.indexOf("--")
  return (end < 0 ? argv : argv.slice(0, end)).some((text) => names.includes(text))
}

/** Parses a command line; throws a `CommandFailure` if it is invalid. */
export const parse = (grammar: Grammar, argv: ReadonlyArray<string>): Invocation => {
  const words = wordsOf(grammar, argv)
  const command = commandOf(grammar, words)
  if (asks(argv, "--help", "-h"))
    return { kind: "help", words: command?.words ?? words, isAsked: true }
  if (words.length === 0)
    return asks(argv, "--version") ? { kind: "version" } : { kind: "help", words, isAsked: false }
  if (words[0] === "help") return { kind: "help", words: words.slice(1), isAsked: true }
  if (command === undefined) {
    if (following(grammar, words).length > 0) return { kind: "help", words, isAsked: false }
    throw unknownCommand(grammar, words)
  }
  const flags = [...command.flags, ...grammar.globals]
  const { values, words: given } = read(flags, command, argv)
  const positionals = given.slice(command.words.length)
  checkPositionals(command, positionals)
  return { kind: "command", command, args: new Arguments(values, positionals) }
}
