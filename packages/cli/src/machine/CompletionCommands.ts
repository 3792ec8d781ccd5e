/** `attestry completion SHELL` prints the script of a shell, which asks the program itself for words. */
import { GRAMMAR } from "../Program.js"
import { following } from "../shared/Arguments.js"
import type { CommandModule } from "../shared/CommandSpec.js"

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

/** Prints a script. */
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

/** The words that may stand at the end of a line. */
const candidates = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const last = words.at(-1) ?? ""
  const before = words.slice(0, -1)
  const named = before.filter((word) => !word.startsWith("-"))
  const command = GRAMMAR.commands
    .filter((each) => each.words.every((word, at) => named[at] === word))
    .sort((left, right) => right.words.length - left.words.length)[0]
  const flags = [...(command?.flags ?? []), ...GRAMMAR.globals]
  const previous = before.at(-1) ?? ""
  const open = flags.find(({ name, short }) => previous === `--${name}` || previous === `-${short}`)
  if (open !== undefined && open.kind !== "boolean") return open.choices ?? []
  if (last.startsWith("-")) return flags.map(({ name }) => `--${name}`)
  const words_ = following(GRAMMAR, named)
  const at = named.length - (command?.words.length ?? 0)
  return [...words_, ...(command?.positionals[at]?.choices ?? [])]
}

/** Prints the words that complete a line. */
export const complete: CommandModule = {
  run: async (_context, args) => {
    const last = args.positionals.at(-1) ?? ""
    const found = candidates(args.positionals)
      .filter((word) => word.startsWith(last) && !word.startsWith("__"))
      .sort()
    return { value: found, items: found, lines: () => found }
  }
}
