/**
 * Parses untrusted JSON to a value that is safe to traverse and to store.
 *
 * `JsonGlance` checks a text before it is parsed: its depth, so that a recursive traversal cannot exhaust the stack;
 * characters that stores cannot hold; and repeated names.
 */
import type { FieldErrors } from "@attestry/core/FieldErrors"
import { DEPTH_MAX, JsonGlance } from "@attestry/core/JsonGlance"
import * as JsonSlices from "@attestry/core/JsonSlices"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { inSlices } from "./SlicedWork.js"

/** The checks of `JsonGlance` that other modules use. */
export { DEPTH_MAX, isUnstorable, REPEATED } from "@attestry/core/JsonGlance"

/** Longer texts are parsed in slices. */
export const LARGE = 65_536

const NOT_JSON: FieldErrors = { body: "Input should be valid JSON [input: …]" }

const refusalOf = ({ isTooDeep, problems }: JsonGlance): FieldErrors | undefined => {
  if (isTooDeep) return { body: `Input should nest at most ${DEPTH_MAX} levels deep [input: …]` }
  return problems.size === 0 ? undefined : problems.toFieldErrors()
}

/** The value of a JSON text, or its problems by field; for texts that are not large. */
export const parse = (text: string): Either.Either<unknown, FieldErrors> => {
  const glance = new JsonGlance(text)
  glance.advance(text.length)
  const refusal = refusalOf(glance)
  return refusal === undefined
    ? Either.try({ try: (): unknown => JSON.parse(text), catch: () => NOT_JSON })
    : Either.left(refusal)
}

function* readSlices(text: string): Generator<void, Either.Either<unknown, FieldErrors>> {
  const glance = new JsonGlance(text)
  while (!glance.advance(LARGE)) yield
  const refusal = refusalOf(glance)
  if (refusal !== undefined) return Either.left(refusal)
  try {
    return Either.right(yield* JsonSlices.parse(text))
  } catch (error) {
    if (error instanceof JsonSlices.NotJson) return Either.left(NOT_JSON)
    throw error
  }
}

/** The value of a JSON text of any size, or its problems by field. */
export const read = (text: string): Effect.Effect<unknown, FieldErrors> =>
  text.length <= LARGE ? parse(text) : Effect.flatten(inSlices(() => readSlices(text)))
