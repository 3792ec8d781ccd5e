/**
 * Reads members of JSON values of unknown shape. A wrong value of a member is absent. Lists of findings and tests, and
 * counts, are a problem instead, because findings and failures in them would be lost.
 */
import * as StorableText from "@attestry/core/StorableText"
import * as Either from "effect/Either"
import { EvidenceProblem } from "../../EvidenceProblem.js"
import type { JsonObject } from "../Format.js"

/** The most characters of a text in facts and findings; longer ones are cut. */
export const TEXT_LENGTH_MAX = 1_024
/** The largest number of seconds that is a duration. */
export const DURATION_MAX = 1_000_000_000

const EMPTY: JsonObject = {}

/** A file of this kind that is not read. */
export const unreadable = (message: string, line: number | null = null): EvidenceProblem =>
  new EvidenceProblem({ kind: "unreadable", message, line })

/** A file that holds more than a limit. */
export const tooLarge = (message: string): EvidenceProblem =>
  new EvidenceProblem({ kind: "too_large", message, line: null })

/** Whether a value is an object. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** An own member; undefined for any other value. */
export const member = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

/** The own member at the end of a path. */
export const at = (value: unknown, ...path: ReadonlyArray<string>): unknown => {
  let found = value
  for (const name of path) found = member(found, name)
  return found
}

/** The object, or an empty one. */
export const object = (value: unknown): JsonObject => (isObject(value) ? value : EMPTY)

/** The objects of a list that decides nothing alone; empty for any other value. */
export const objects = (value: unknown): ReadonlyArray<JsonObject> =>
  Array.isArray(value) ? value.filter(isObject) : []

/** The texts of a list that decides nothing alone, uncut. */
export const texts = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : []

/** A list of objects, empty where it is absent or null; `part` names it in the problem. */
export const list = (
  value: unknown,
  part: string
): Either.Either<ReadonlyArray<JsonObject>, EvidenceProblem> => {
  if (value === undefined || value === null) return Either.right([])
  if (!Array.isArray(value)) return Either.left(unreadable(`\`${part}\` is not a list`))
  const wrong = value.findIndex((each) => !isObject(each))
  return wrong === -1
    ? Either.right(value)
    : Either.left(unreadable(`\`${part}[${wrong}]\` is not an object`))
}

const UNSTORABLE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g

/** A text as facts hold it: cut to its limit, with marks in place of characters that stores do not preserve. */
export const storable = (text: string): string => {
  const cut = text.length > TEXT_LENGTH_MAX ? text.slice(0, TEXT_LENGTH_MAX) : text
  return StorableText.isUnstorable(cut) ? cut.replaceAll(UNSTORABLE, "\uFFFD") : cut
}

/** A text of facts; null if it is empty or no text. */
export const text = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? storable(value) : null

/** A name with a version; null without a name. */
export const named = (name: unknown, version: unknown) => {
  const read = text(name)
  return read === null ? null : { name: read, version: text(version) }
}

/** A count; null for any other value. */
export const count = (value: unknown): number | null =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null

/** The count that a member gives, zero where it is absent or null; `part` names it in the problem. */
export const counted = (value: unknown, part: string): Either.Either<number, EvidenceProblem> => {
  const read = count(value ?? 0)
  return read === null ? Either.left(unreadable(`\`${part}\` is not a count`)) : Either.right(read)
}

/** A duration in seconds, from a number of seconds; null if it is none. */
export const seconds = (value: unknown): number | null =>
  typeof value === "number" && value >= 0 && value <= DURATION_MAX ? value : null
