/** What a command found out: a value for programs, lines for people, and the exit code that says yes or no. */
import type { ExitWord } from "./ExitCode.js"
import type { Style } from "./Style.js"

/** The result of a command. */
export interface CommandResult {
  /** How the program ends; `done` unless told. */
  readonly exit?: ExitWord
  /** Whether nothing is printed in any form: stdout was used for something else. */
  readonly isSilent?: boolean
  /** The value of `--output json`. */
  readonly value: unknown
  /** The items of `--output jsonl`; the value itself unless told. */
  readonly items?: ReadonlyArray<unknown>
  /** The one text of `--quiet`. */
  readonly quiet?: string
  /** The lines for people. */
  readonly lines: (style: Style) => ReadonlyArray<string>
}
