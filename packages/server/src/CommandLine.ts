/**
 * What was asked for on the command line: a command and its flags, a configuration file, or help.
 *
 * Flags are `--name value` or `--name=value`. Which flags exist is the configuration's to say.
 */
import * as Either from "effect/Either"
import { InvalidConfig, settings } from "./ServerConfig.js"
import { flagOf } from "./Setting.js"

/** Every command. */
export const COMMANDS = ["serve", "migrate", "help"] as const
/** A command. */
export type Command = (typeof COMMANDS)[number]

/** What was asked for. */
export interface CommandLine {
  readonly command: Command
  readonly configFile: string | undefined
  readonly flags: ReadonlyMap<string, string>
}

const isCommand = (word: string): word is Command =>
  (COMMANDS as ReadonlyArray<string>).includes(word)

const wrong = (problem: string): Either.Either<never, InvalidConfig> =>
  Either.left(new InvalidConfig({ problems: [`${problem}; see \`attestry-server help\``] }))

/** Reads the words after the program's name. */
export const parse = (words: ReadonlyArray<string>): Either.Either<CommandLine, InvalidConfig> => {
  const flags = new Map<string, string>()
  const rest = [...words]
  if (rest.includes("--help") || rest.includes("-h")) {
    return Either.right({ command: "help", configFile: undefined, flags })
  }
  const [first] = rest
  const command = first !== undefined && !first.startsWith("-") ? (rest.shift() ?? "") : "serve"
  if (!isCommand(command)) return wrong(`there is no command \`${command}\``)
  while (rest.length > 0) {
    const word = rest.shift() ?? ""
    const match = /^--([a-z][a-z-]*)(?:=(.*))?$/s.exec(word)
    if (match?.[1] === undefined) return wrong(`\`${word}\` is not a flag`)
    const value = match[2] ?? rest.shift()
    if (value === undefined) return wrong(`--${match[1]} needs a value`)
    flags.set(match[1], value)
  }
  const configFile = flags.get("config")
  flags.delete("config")
  return Either.right({ command, configFile, flags })
}

/** The text of `help`. */
export const help = (): string => {
  const width = Math.max(...settings.map(({ variable }) => flagOf(variable).length))
  return [
    "Usage: attestry-server [serve | migrate | help] [--config FILE] [--SETTING VALUE …]",
    "",
    "Each setting is also an environment variable and a key of the configuration file;",
    "a flag wins over a variable, and a variable over the file.",
    "",
    ...settings.map(
      ({ variable, description, ...setting }) =>
        `  --${flagOf(variable).padEnd(width)}  ${description}${
          setting.default === undefined ? "" : ` (${setting.default})`
        }`
    ),
    ""
  ].join("\n")
}
