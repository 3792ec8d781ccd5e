/**
 * Parses the command line: a command with its words and flags, and the configuration file.
 *
 * Flags are `--name value` or `--name=value`, and `--json`. `AdminCommand` and `ServerConfig` define the flags.
 */
import * as Either from "effect/Either"
import { InvalidConfig, settings } from "../ServerConfig.js"
import * as AdminCommand from "./admin/AdminCommand.js"
import { SEED } from "./demo/DemoWorld.js"
import * as Nearest from "./Nearest.js"
import { flagOf } from "./Setting.js"

/** A command. */
export type Command =
  | { readonly _tag: "serve" | "migrate" | "help" | "version" | "key generate" }
  | { readonly _tag: "demo"; readonly seed: number }
  | {
      readonly _tag: "administer"
      readonly command: AdminCommand.AdminCommand
      readonly json: boolean
    }

/** The parsed command line. */
export interface CommandLine {
  readonly command: Command
  readonly configFile: string | undefined
  /** Flags of the configuration. */
  readonly flags: ReadonlyMap<string, string>
}

interface Given {
  readonly words: ReadonlyArray<string>
  readonly flags: Map<string, string>
  readonly json: boolean
}

const wrong = (problem: string): Either.Either<never, InvalidConfig> =>
  Either.left(new InvalidConfig({ problems: [`${problem}; see \`attestry-server help\``] }))

/** Separates words from flags. */
const separate = (all: ReadonlyArray<string>): Either.Either<Given, InvalidConfig> => {
  const rest = [...all]
  const words: Array<string> = []
  const flags = new Map<string, string>()
  let json = false
  while (rest.length > 0) {
    const word = rest.shift() ?? ""
    const match = /^--([a-z][a-z-]*)(?:=(.*))?$/s.exec(word)
    const name = match?.[1]
    if (word === "--json") json = true
    else if (name === undefined && !word.startsWith("-")) words.push(word)
    else if (name === undefined) return wrong(`\`${word}\` is not a flag`)
    else {
      const value = match?.[2] ?? rest.shift()
      if (value === undefined) return wrong(`--${name} needs a value`)
      flags.set(name, value)
    }
  }
  return Either.right({ words, flags, json })
}

/** Every command, by its words. */
const COMMANDS: ReadonlyArray<string> = [
  "serve",
  "demo",
  "migrate",
  "help",
  "version",
  "key generate",
  ...Object.keys(AdminCommand.USAGE)
]

const nearestCommand = (words: ReadonlyArray<string>): string =>
  Nearest.hint(words.slice(0, 3).join(" "), COMMANDS)

const plain = (
  words: ReadonlyArray<string>,
  json: boolean
): Either.Either<Command, InvalidConfig> => {
  if (words.slice(0, 2).join(" ") === "key generate" && words.length === 2 && !json) {
    return Either.right({ _tag: "key generate" })
  }
  const [name = "serve", extra] = words
  if (name !== "serve" && name !== "migrate" && name !== "help" && name !== "version") {
    return wrong(`there is no command \`${words.slice(0, 2).join(" ")}\`${nearestCommand(words)}`)
  }
  if (extra !== undefined) return wrong(`\`${extra}\` is not a flag`)
  return json ? wrong("--json is for administration commands") : Either.right({ _tag: name })
}

const SEED_MAX = 2 ** 31 - 1

/** The command `demo`, with its own flag. */
const demo = (
  extra: ReadonlyArray<string>,
  flags: Map<string, string>
): Either.Either<Command, InvalidConfig> => {
  const text = flags.get("seed") ?? String(SEED)
  flags.delete("seed")
  if (extra.length > 0) return wrong(`\`${extra.join(" ")}\` is not a flag`)
  return /^[0-9]{1,10}$/.test(text) && Number(text) <= SEED_MAX
    ? Either.right({ _tag: "demo", seed: Number(text) })
    : wrong(`--seed should be a whole number of at most ${SEED_MAX}`)
}

/** Parses the arguments after the program's name. */
export const parse = (all: ReadonlyArray<string>): Either.Either<CommandLine, InvalidConfig> => {
  if (all.includes("--help") || all.includes("-h")) {
    return Either.right({ command: { _tag: "help" }, configFile: undefined, flags: new Map() })
  }
  if (all.includes("--version")) {
    return Either.right({ command: { _tag: "version" }, configFile: undefined, flags: new Map() })
  }
  return Either.gen(function* () {
    const { words, flags, json } = yield* separate(all)
    const configFile = flags.get("config")
    flags.delete("config")
    const [word, ...extra] = words
    if (word === "demo" && !json) return { command: yield* demo(extra, flags), configFile, flags }
    const tag = AdminCommand.tagOf(words)
    if (tag === undefined) return { command: yield* plain(words, json), configFile, flags }
    const parsed = yield* AdminCommand.parse(tag, words, flags)
    return {
      command: { _tag: "administer", command: parsed.command, json },
      configFile,
      flags: parsed.flags
    }
  })
}

const adminUsage = Object.entries(AdminCommand.USAGE).map(
  ([words, { positional, flags }]) =>
    `  ${[
      words,
      ...(positional === undefined ? [] : [positional.toUpperCase()]),
      ...flags.map((flag) => `--${flag} …`)
    ].join(" ")}`
)

/** The text of `help`. */
export const help = (): string => {
  const width = Math.max(...settings.map(({ variable }) => flagOf(variable).length))
  return [
    "Usage: attestry-server [serve | migrate | help | version] [--config FILE] [--SETTING VALUE …]",
    "       attestry-server COMMAND [--json] [--config FILE] [--SETTING VALUE …]",
    "       attestry-server demo [--seed NUMBER] [--SETTING VALUE …]   in memory, with a year of history",
    "       attestry-server key generate",
    "",
    "Administration commands, on the store of the same settings, while its server runs or not:",
    "",
    ...adminUsage,
    "",
    "Each setting is also an environment variable and a key of the configuration file;",
    "a flag wins over a variable, and a variable over the file.",
    "",
    ...settings.map(
      ({ variable, description, ...setting }) =>
        `  --${flagOf(variable).padEnd(width)}  ${description}${
          setting.default === undefined || setting.default === "" ? "" : ` (${setting.default})`
        }`
    ),
    ""
  ].join("\n")
}
