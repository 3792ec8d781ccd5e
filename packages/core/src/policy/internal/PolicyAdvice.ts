/** The words with which problems of policy files say what is wrong and what to write instead. */
import * as Option from "effect/Option"
import { printInput } from "../../shared/FieldErrors.js"
import * as PolicyExpression from "../PolicyExpression.js"
import { repair } from "./ExpressionRepair.js"
import { inYaml } from "./PolicySyntax.js"

/** A YAML mapping. */
export type Mapping = { readonly [key: string]: unknown }

/** Whether a value is a mapping. */
export const isMapping = (value: unknown): value is Mapping =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Words in backticks. */
export const quote = (words: ReadonlyArray<string>): string =>
  words.map((word) => `\`${word}\``).join(", ")

/** A key without its spelling. */
export const plain = (key: string): string => key.toLowerCase().replace(/[-_ ]/g, "")

/** Where the keys of a policy belong, for a key that stands elsewhere. */
export const HOMES = new Map([
  ["provenance", "below `artifacts:`"],
  ["trail-compliance", "below `artifacts:`"],
  ["attestations", "below `artifacts:`"],
  ["required", "below `provenance:` or `trail-compliance:`"],
  ["exceptions", "below `provenance:` or `trail-compliance:`"]
])

/** A condition for a word that stands where a condition belongs: the word is most often the name of an artifact. */
export const example = (word: string): string =>
  Option.match(
    Option.orElse(repair(word), () => repair(`artifact.name == ${word}`)),
    { onNone: () => PolicyExpression.wrap("…"), onSome: inYaml }
  )

/** What stands in place of what was expected. */
export const instead = (value: unknown): string =>
  isMapping(value)
    ? ", not a mapping"
    : Array.isArray(value)
      ? ", not a list"
      : `, not \`${value === null ? "null" : printInput(value)}\``
