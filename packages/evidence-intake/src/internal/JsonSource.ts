/**
 * The value of a JSON text, after a look over the text: nesting is counted before the parser recurses, and members
 * that occur twice in one object are found, about which parsers disagree.
 */
import { DEPTH_MAX, JsonPrecheck, REPEATED } from "@attestry/core/JsonPrecheck"
import * as Either from "effect/Either"
import type { EvidenceProblem } from "../EvidenceProblem.js"
import * as Problem from "./Problem.js"

/** A JSON text that was read. */
export interface JsonSource {
  readonly value: unknown
  /** The path of a member that occurs twice in one object; null if there is none. */
  readonly repeated: string | null
}

/** The message for a text that is not JSON. */
export const NOT_JSON = "this is not valid JSON"

/** Reads a text. Fails for text that is not JSON, nests too deep, or has what no store preserves. */
export const parse = (text: string): Either.Either<JsonSource, EvidenceProblem> => {
  const precheck = new JsonPrecheck(text)
  precheck.advance(text.length)
  if (precheck.isTooDeep)
    return Either.left(Problem.unreadable(`JSON nests more than ${DEPTH_MAX} levels deep`))
  const problems = Object.entries(precheck.problems.toFieldErrors())
  const other = problems.find(([, message]) => message !== REPEATED)
  if (other !== undefined)
    return Either.left(
      Problem.unreadable(
        "texts have NUL or unpaired surrogates, or numbers are out of range, or many members occur twice"
      )
    )
  return Either.try({
    try: () => ({ value: JSON.parse(text), repeated: problems[0]?.[0] ?? null }),
    catch: () => Problem.unreadable(NOT_JSON)
  })
}

/** Refuses a text with a member that occurs twice, in formats that are signed. */
export const once = ({ value, repeated }: JsonSource): Either.Either<unknown, EvidenceProblem> =>
  repeated === null
    ? Either.right(value)
    : Either.left(Problem.unreadable(`member '${repeated}' occurs twice`))
