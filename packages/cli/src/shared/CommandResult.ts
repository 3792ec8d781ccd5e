/** The result of a command: a value for programs, lines for people, and the exit code. */
import type { ExitWord } from "./ExitCode.js"
import type { Style } from "./Style.js"

/** The result of a command. */
export interface CommandResult {
  /** The word of the exit code; `done` by default. */
  readonly exit?: ExitWord
  /** Whether to print nothing in any form, because the command used stdout itself. */
  readonly isSilent?: boolean
  /** The value of `--output json`. */
  readonly value: unknown
  /** The items of `--output jsonl`; the value by default. */
  readonly items?: ReadonlyArray<unknown>
  /** The one text of `--quiet`. */
  readonly quiet?: string
  /** The lines for people. */
  readonly lines: (style: Style) => ReadonlyArray<string>
}
