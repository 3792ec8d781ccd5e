/**
 * The value of a JSON text, after a look over the text: nesting is counted before the parser recurses, and members
 * that occur twice in one object are found, about which parsers disagree.
 *
 * WHY the memory of values is estimated before they are made: where the parser itself reaches the limit of the heap,
 * Node may end the process and not the thread alone.
 */
import { DEPTH_MAX, type JsonCounts, JsonPrecheck, REPEATED } from "@attestry/core/JsonPrecheck"
import * as Either from "effect/Either"
import type { EvidenceProblem } from "../EvidenceProblem.js"
import * as Problem from "./Problem.js"

/** A JSON text that was read. */
export interface JsonSource {
  readonly value: unknown
  /** The path of a member that occurs twice in one object; null if there is none. */
  readonly repeated: string | null
  /** An estimate of the bytes that the value takes. */
  readonly memory: number
}

/** The most bytes that the values of a text may take, by the estimate. */
export const MEMORY_MAX = 335_544_320
/** The most bytes of a text around other texts, such as an envelope, whose payload is a text of its own. */
export const WRAPPER_MEMORY_MAX = 67_108_864

/** The bytes of a value of each form at most, beside its text: names that no other object has, in their own tables. */
const BYTES = { object: 120, list: 48, name: 128, item: 40 }

const memoryOf = ({ items, lists, names, objects }: JsonCounts): number =>
  objects * BYTES.object + lists * BYTES.list + names * BYTES.name + items * BYTES.item

/** How many characters are looked at before the memory is estimated again. */
const STEP = 1_048_576

const TOO_LARGE = Problem.tooLarge("its JSON has more values than are read")

/** The message for a text that is not JSON. */
export const NOT_JSON = "this is not valid JSON"

/** Reads a text. Fails for text that is not JSON, nests too deep, or has what no store preserves. */
export const parse = (text: string): Either.Either<JsonSource, EvidenceProblem> => {
  const precheck = new JsonPrecheck(text)
  while (!precheck.advance(STEP))
    if (memoryOf(precheck.counts) > MEMORY_MAX) return Either.left(TOO_LARGE)
  const memory = memoryOf(precheck.counts)
  if (precheck.isTooDeep)
    return Either.left(Problem.unreadable(`JSON nests more than ${DEPTH_MAX} levels deep`))
  if (memory > MEMORY_MAX) return Either.left(TOO_LARGE)
  const problems = Object.entries(precheck.problems.toFieldErrors())
  const other = problems.find(([, message]) => message !== REPEATED)
  if (other !== undefined)
    return Either.left(
      Problem.unreadable(
        "texts have NUL or unpaired surrogates, or numbers are out of range, or many members occur twice"
      )
    )
  return Either.try({
    try: () => ({ value: JSON.parse(text), repeated: problems[0]?.[0] ?? null, memory }),
    catch: () => Problem.unreadable(NOT_JSON)
  })
}

/** Refuses a text with a member that occurs twice, in formats that are signed. */
export const once = ({ value, repeated }: JsonSource): Either.Either<unknown, EvidenceProblem> =>
  repeated === null
    ? Either.right(value)
    : Either.left(Problem.unreadable(`member '${repeated}' occurs twice`))

/** Refuses a text around other texts that takes so much memory itself that little is left for them. */
export const around = (source: JsonSource): Either.Either<JsonSource, EvidenceProblem> =>
  source.memory > WRAPPER_MEMORY_MAX ? Either.left(TOO_LARGE) : Either.right(source)
