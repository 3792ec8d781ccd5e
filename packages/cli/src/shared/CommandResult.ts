/** The result of a command: a value for programs, lines for people, and the exit code. */
import type { ExitWord } from "./ExitCode.js"
import type { Style } from "./Style.js"

/** The result of a command. */
export interface CommandResult {
  /** The exit code by name; `done` by default. */
  readonly exit?: ExitWord
  /** Whether to print nothing, because the command has written to stdout itself. */
  readonly isSilent?: boolean
  /** Printed by `--output json`. */
  readonly value: unknown
  /** Printed by `--output jsonl`; the value by default. */
  readonly items?: ReadonlyArray<unknown>
  /** Printed by `--quiet`. */
  readonly quiet?: string
  /** The lines for people. */
  readonly lines: (style: Style) => ReadonlyArray<string>
}
