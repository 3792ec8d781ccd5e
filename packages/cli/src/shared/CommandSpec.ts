/** The vocabulary of the tree of commands: words, flags and positionals as data, and the module of a command. */
import type { Arguments } from "./Arguments.js"
import type { CommandContext } from "./CommandContext.js"
import type { CommandResult } from "./CommandResult.js"

/** How the value of a flag is read. */
export type FlagKind = "boolean" | "text" | "texts" | "pairs" | "number" | "duration"

/** A flag. */
export interface FlagSpec {
  readonly name: string
  readonly short?: string
  readonly kind: FlagKind
  readonly brief: string
  /** The word for the value in help. */
  readonly value?: string
  readonly choices?: ReadonlyArray<string>
  /** The choice that a value means; the value itself unless told. */
  readonly choiceOf?: (value: string) => string
  /** Whether one value may hold several, separated by commas. */
  readonly isList?: boolean
  /** Whether the value is prose, in which a text such as `<WIP>` is no placeholder. */
  readonly isProse?: boolean
}

/** A positional argument. */
export interface PositionalSpec {
  readonly name: string
  readonly brief: string
  /** Whether it must be there; a rest takes all that remain. */
  readonly required: boolean
  readonly isRest?: boolean
  /** Whether an empty text means something. */
  readonly allowsEmpty?: boolean
  readonly choices?: ReadonlyArray<string>
}

/** The module of a command. */
export interface CommandModule {
  readonly run: (context: CommandContext, args: Arguments) => Promise<CommandResult>
}

/** A command. */
export interface CommandSpec {
  /** Its words: `["attest", "junit"]`. */
  readonly words: ReadonlyArray<string>
  /** Other spellings of the last word, in lower case; any case is accepted. */
  readonly aliases?: ReadonlyArray<string>
  readonly brief: string
  readonly positionals: ReadonlyArray<PositionalSpec>
  readonly flags: ReadonlyArray<FlagSpec>
  readonly load: () => Promise<CommandModule>
}

/** The words of a command as one text. */
export const nameOf = ({ words }: Pick<CommandSpec, "words">): string => words.join(" ")
