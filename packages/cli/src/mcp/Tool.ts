/** The vocabulary of tools: a name, the Schema of the input, and the command line to run. */
import * as Schema from "effect/Schema"
import type { CommandContext } from "../shared/CommandContext.js"
import type { Fields } from "../shared/Json.js"

/** A command line that a tool runs. */
export interface Line {
  /** The words of the command. */
  readonly words: ReadonlyArray<string>
  readonly positionals?: ReadonlyArray<string>
  /** Values of flags; undefined values are omitted. */
  readonly flags?: { readonly [name: string]: string | boolean | ReadonlyArray<string> | undefined }
  /** The stdin of the command. */
  readonly stdin?: string
}

/** The effect of a tool on stored data. */
export type Effects = "reads" | "adds" | "overwrites"

/** A tool. Its answer is the result of a command, or of a function of its input. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly effects: Effects
  readonly input: Schema.Schema.AnyNoContext
  /** The member with the list to page through; absent if the result itself is the list. */
  readonly list?: string
  readonly line?: (input: Fields) => Line
  readonly compute?: (input: Fields, context: CommandContext) => Promise<unknown>
  /** The command line that makes the receipt of the claimed verdict; undefined for a claim without one. */
  readonly receipt?: (input: Fields) => Line | undefined
}

const described = <A, I>(schema: Schema.Schema<A, I>, description: string) =>
  Schema.optionalWith(schema.annotations({ description }), { exact: true })

/** An optional text. */
export const text = (description: string) => described(Schema.String, description)

/** An optional boolean. */
export const flag = (description: string) => described(Schema.Boolean, description)

/** A required text. */
export const needed = (description: string) => Schema.NonEmptyString.annotations({ description })

/** An optional list of texts. */
export const texts = (description: string) => described(Schema.Array(Schema.String), description)

/** The offset of the next page of a list. */
export const offset = described(
  Schema.Number.pipe(Schema.int(), Schema.between(0, 100_000)),
  "Where to continue the list: `next` of the previous answer; by default 0."
)

/** The text of an input member; undefined if it is absent. */
export const textOf = (input: Fields, name: string): string | undefined => {
  const value = input[name]
  if (typeof value === "boolean" || typeof value === "number") return String(value)
  return typeof value === "string" && value !== "" ? value : undefined
}
