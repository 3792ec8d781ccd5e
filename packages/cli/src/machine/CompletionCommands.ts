/** `attestry completion SHELL` prints a shell script, which asks this program for completions. */
import { GRAMMAR } from "../Program.js"
import { commandOf, following } from "../shared/Arguments.js"
import type { CommandModule, CommandSpec, PositionalSpec } from "../shared/CommandSpec.js"
import * as ForeignText from "../shared/ForeignText.js"
import * as NameCompletion from "./NameCompletion.js"

const BASH = `_attestry() {
  local IFS=$'\\n'
  COMPREPLY=($(attestry __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _attestry attestry`

const ZSH = `#compdef attestry
_attestry() {
  local -a words_found
  words_found=("\${(@f)$(attestry __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -a words_found
}
compdef _attestry attestry`

const FISH = `function __attestry_complete
  set -l words (commandline -opc) (commandline -ct)
  attestry __complete -- $words[2..-1] 2>/dev/null
end
complete -c attestry -a '(__attestry_complete)'`

const POWERSHELL = `Register-ArgumentCompleter -Native -CommandName attestry -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
  if ($wordToComplete -eq '') { $words += '' }
  attestry __complete -- @words 2>$null | ForEach-Object { $_ }
}`

const SCRIPTS: ReadonlyMap<string, string> = new Map([
  ["bash", BASH],
  ["zsh", ZSH],
  ["fish", FISH],
  ["powershell", POWERSHELL]
])

/** Runs `attestry completion`. */
export const script: CommandModule = {
  run: async (_context, args) => {
    const [shell = ""] = args.positionals
    const text = SCRIPTS.get(shell) ?? ""
    return {
      value: { schema: "attestry.cli/completion/v1", shell, script: text },
      lines: () => [text]
    }
  }
}

/** Words that complete a line, and the noun whose names complete it too. */
interface Candidates {
  readonly words: ReadonlyArray<string>
  readonly noun?: string | undefined
}

/** The noun of a flag or a positional, by its name. */
const NOUN_OF: ReadonlyMap<string, string> = new Map([
  ["flow", "flow"],
  ["environment", "environment"],
  ["included-environment", "environment"],
  ["policy", "policy"],
  ["control", "control"],
  ["account", "account"],
  ["ENV", "environment"],
  ["LOGICAL", "environment"],
  ["SNAPSHOT", "environment"],
  ["A", "environment"],
  ["B", "environment"],
  ["FLOW", "flow"],
  ["POLICY", "policy"],
  ["CONTROL", "control"],
  ["ACCOUNT", "account"],
  ["TYPE", "type"],
  ["repo", "repository"],
  ["REPO", "repository"]
])

/** The positional at an index; a rest positional takes all further ones. */
const positionalAt = (command: CommandSpec | undefined, at: number): PositionalSpec | undefined => {
  const last = command?.positionals.at(-1)
  return command?.positionals[at] ?? (last?.isRest === true ? last : undefined)
}

/** WHY: `NAME` refers to the noun among the words of the command, or before it. */
const nounOf = (
  positional: PositionalSpec | undefined,
  command: CommandSpec | undefined,
  given: ReadonlyArray<string>
): string | undefined =>
  positional?.name === "NAME"
    ? (command?.words[1] ?? given[0])
    : NOUN_OF.get(positional?.name ?? "")

/** The completions of a line. */
const candidates = (words: ReadonlyArray<string>): Candidates => {
  const last = words.at(-1) ?? ""
  const before = words.slice(0, -1)
  const named = before.filter((word) => !word.startsWith("-"))
  const command = commandOf(GRAMMAR, named)
  const flags = [...(command?.flags ?? []), ...GRAMMAR.globals]
  const previous = before.at(-1) ?? ""
  const open = flags.find(({ name, short }) => previous === `--${name}` || previous === `-${short}`)
  if (open !== undefined && open.kind !== "boolean")
    return { words: open.choices ?? [], noun: NOUN_OF.get(open.name) }
  if (last.startsWith("-")) return { words: flags.map(({ name }) => `--${name}`) }
  const given = named.slice(command?.words.length ?? 0)
  const positional = positionalAt(command, given.length)
  return {
    words: [...following(GRAMMAR, named), ...(positional?.choices ?? [])],
    noun: nounOf(positional, command, given)
  }
}

/** Prints the completions of a line, for the shell script. */
export const complete: CommandModule = {
  run: async (context, args) => {
    const last = args.positionals.at(-1) ?? ""
    const { words, noun } = candidates(args.positionals)
    const names =
      noun !== undefined && NameCompletion.NOUNS.includes(noun)
        ? await NameCompletion.find(context, noun)
        : []
    const found = [...words, ...names.map((name) => ForeignText.line(name))]
      .filter((word) => word.startsWith(last) && !word.startsWith("__"))
      .sort()
    return { value: found, items: found, lines: () => found }
  }
}
