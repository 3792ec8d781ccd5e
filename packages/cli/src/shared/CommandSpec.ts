/** The vocabulary of the command tree: words, flags and positionals as data, and the module of a command. */
import type { Arguments } from "./Arguments.js"
import type { CommandContext } from "./CommandContext.js"
import type { CommandResult } from "./CommandResult.js"

/** How to parse the value of a flag. */
export type FlagKind = "boolean" | "text" | "texts" | "pairs" | "number" | "duration"

/** A flag. */
export interface FlagSpec {
  readonly name: string
  readonly short?: string
  readonly kind: FlagKind
  readonly brief: string
  /** The placeholder of the value in help; by default the choices. */
  readonly value?: string
  readonly choices?: ReadonlyArray<string>
  /**
   * Maps a value to the API's spelling; by default the value itself. Choices are mapped too, so that a flag accepts
   * every spelling of its choices.
   */
  readonly choiceOf?: (value: string) => string
  /** Whether one value may hold several, separated by commas. */
  readonly isList?: boolean
  /** Whether the value is prose, which may contain text such as `<WIP>`. */
  readonly isProse?: boolean
}

/** A positional argument. */
export interface PositionalSpec {
  readonly name: string
  readonly brief: string
  /** Whether it is required; a rest positional takes all remaining words. */
  readonly required: boolean
  readonly isRest?: boolean
  /** Whether an empty text is allowed. */
  readonly allowsEmpty?: boolean
  readonly choices?: ReadonlyArray<string>
}

/** The code of a command. */
export interface CommandModule {
  readonly run: (context: CommandContext, args: Arguments) => Promise<CommandResult>
}

/** A command. */
export interface CommandSpec {
  /** Its words: `["attest", "junit"]`. */
  readonly words: ReadonlyArray<string>
  /** Alternatives to the last word, in lower case; matched in any case. */
  readonly aliases?: ReadonlyArray<string>
  readonly brief: string
  /** Names of products and vendors by which help finds it, in lower case. */
  readonly keywords?: ReadonlyArray<string>
  readonly positionals: ReadonlyArray<PositionalSpec>
  readonly flags: ReadonlyArray<FlagSpec>
  /** Whether its positionals are another command line, whose flags about the output apply too. */
  readonly isWrapper?: boolean
  readonly load: () => Promise<CommandModule>
}

/** The words of a command, joined. */
export const nameOf = ({ words }: Pick<CommandSpec, "words">): string => words.join(" ")
