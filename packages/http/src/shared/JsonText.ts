/**
 * JSON from strangers: text to a value that is safe to walk and to store.
 *
 * A text is looked over before it is parsed (`JsonPrecheck`), so that nothing that walks the value can run out
 * of stack, no store is handed what it cannot keep, and no name stands for two values.
 */
import type { FieldErrors } from "@attestry/core/FieldErrors"
import { DEPTH_MAX, JsonPrecheck } from "@attestry/core/JsonPrecheck"
import * as JsonSlices from "@attestry/core/JsonSlices"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { inTurns } from "./InTurns.js"

/** The result of one pass over a text. */
export { DEPTH_MAX, REPEATED } from "@attestry/core/JsonPrecheck"
/** Whether a text contains NUL or an unpaired surrogate. */
export { isUnstorable } from "@attestry/core/StorableText"

/** Texts of more characters than this are read in turns with other work. */
export const LARGE = 65_536

const NOT_JSON: FieldErrors = { body: "Input should be valid JSON [input: …]" }

const refusalOf = ({ isTooDeep, problems }: JsonPrecheck): FieldErrors | undefined => {
  if (isTooDeep) return { body: `Input should nest at most ${DEPTH_MAX} levels deep [input: …]` }
  return problems.size === 0 ? undefined : problems.toFieldErrors()
}

/** The value of a JSON text, or what is wrong with it by field; for texts that are not large. */
export const parse = (text: string): Either.Either<unknown, FieldErrors> => {
  const precheck = new JsonPrecheck(text)
  precheck.advance(text.length)
  const refusal = refusalOf(precheck)
  return refusal === undefined
    ? Either.try({ try: (): unknown => JSON.parse(text), catch: () => NOT_JSON })
    : Either.left(refusal)
}

function* readSlices(text: string): Generator<void, Either.Either<unknown, FieldErrors>> {
  const precheck = new JsonPrecheck(text)
  while (!precheck.advance(LARGE)) yield
  const refusal = refusalOf(precheck)
  if (refusal !== undefined) return Either.left(refusal)
  try {
    return Either.right(yield* JsonSlices.parse(text))
  } catch (error) {
    if (error instanceof JsonSlices.NotJson) return Either.left(NOT_JSON)
    throw error
  }
}

/** The value of a JSON text of any size, or what is wrong with it by field. */
export const read = (text: string): Effect.Effect<unknown, FieldErrors> =>
  text.length <= LARGE ? parse(text) : Effect.flatten(inTurns(() => readSlices(text)))
