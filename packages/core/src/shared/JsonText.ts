/**
 * JSON from clients: a text becomes a value that is safe to walk and to store.
 *
 * A text is looked over before it is parsed (`JsonPrecheck`), so that walking the value cannot exhaust the stack, no
 * store is handed what it cannot keep, and no name stands for two values. Large texts are read in slices.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { FieldErrors } from "./FieldErrors.js"
import * as JsonSlices from "./internal/JsonSlices.js"
import { DEPTH_MAX, JsonPrecheck } from "./JsonPrecheck.js"
import * as Slices from "./Slices.js"
import type * as TextProblems from "./TextProblems.js"

/** Texts of more characters than this are read in slices. */
export const LARGE = 65_536

const NOT_JSON: FieldErrors = { body: "Input should be valid JSON [input: …]" }

const errorsIn = ({ isTooDeep, problems }: JsonPrecheck): FieldErrors | undefined => {
  if (isTooDeep) return { body: `Input should nest at most ${DEPTH_MAX} levels deep [input: …]` }
  return problems.size === 0 ? undefined : problems.toFieldErrors()
}

/** The value of a JSON text, or what is wrong with it by field; for texts that are not large. */
export const parse = (text: string): Either.Either<unknown, FieldErrors> => {
  const precheck = new JsonPrecheck(text)
  precheck.advance(text.length)
  const errors = errorsIn(precheck)
  return errors === undefined
    ? Either.try({ try: (): unknown => JSON.parse(text), catch: () => NOT_JSON })
    : Either.left(errors)
}

function* readSlices(text: string): Generator<void, Either.Either<unknown, FieldErrors>> {
  const precheck = new JsonPrecheck(text)
  while (!precheck.advance(LARGE)) yield
  const errors = errorsIn(precheck)
  if (errors !== undefined) return Either.left(errors)
  try {
    return Either.right(yield* JsonSlices.parse(text))
  } catch (error) {
    if (error instanceof JsonSlices.NotJson) return Either.left(NOT_JSON)
    throw error
  }
}

/** The value of a JSON text of any size, or what is wrong with it by field. */
export const read = (text: string): Effect.Effect<unknown, FieldErrors> =>
  text.length <= LARGE ? parse(text) : Effect.flatten(Slices.run(() => readSlices(text)))

/** Fails with what a search finds wrong with a text, before the text is parsed. */
export const check = (text: string, find: TextProblems.Find): Effect.Effect<void, FieldErrors> =>
  Effect.flatMap(
    Slices.run(() => find(text)),
    (problems) => (problems.size === 0 ? Effect.void : Effect.fail(problems.toFieldErrors()))
  )
