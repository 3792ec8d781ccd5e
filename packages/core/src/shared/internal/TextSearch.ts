/** The steps of a search through a JSON text that is not parsed as a whole; see `TextProblems`. */
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as FieldErrors from "../FieldErrors.js"
import { REPEATED } from "../JsonPrecheck.js"
import type { Problems } from "../Problems.js"
import * as JsonCursor from "./JsonCursor.js"

/** Parts of at most this many characters are decoded as a whole. */
export const SMALL = 4_096

/** The path to a value. */
export type Path = ReadonlyArray<PropertyKey>

/** A search through one text. */
export interface Search {
  readonly text: string
  readonly prefix: string
  readonly problems: Problems
  /** Parts of at most this many characters are decoded as a whole. */
  readonly small: number
}

/** The offset of a value, and the path to it. */
export interface Place {
  readonly at: number
  readonly path: Path
}

/** Searches one large value; returns its end, if that is known, and the depth of the problems. */
export type Step = (search: Search, place: Place) => Generator<void, StepResult>

/** The result of a search. */
export interface StepResult {
  readonly end: number
  readonly depth: number
}

/** A character's code. */
export const QUOTE = 34
const COMMA = 44
/** A character's code. */
export const LIST = 91
/** A character's code. */
export const LIST_END = 93
/** A character's code. */
export const OBJECT = 123
/** A character's code. */
export const OBJECT_END = 125

/** The value of a text; none when it is not JSON. */
export const parse = Option.liftThrowable((text: string): unknown => JSON.parse(text))

/** The text that an error shows of a value that is too large to build. */
export const shownOf = ({ text }: Search, { at }: Place): string => {
  const end = JsonCursor.endWithin(text, at, SMALL)
  return FieldErrors.withInput("", text.slice(at, end === JsonCursor.NO_END ? at + SMALL : end))
}

/** A small value of the type at an offset. */
export const standInAt = (text: string, at: number): unknown => {
  switch (text.charCodeAt(at)) {
    case LIST:
      return []
    case OBJECT:
      return {}
    case QUOTE:
      return ""
    default:
      return 0
  }
}

/** The result of a search that did not reach the end of the value. */
export const lost = (depth: number): StepResult => ({ end: JsonCursor.NO_END, depth })

/** The search of a large value that the schema accepts as it is. */
export const nothing: Step = function* () {
  yield
  return lost(0)
}

/** The search of a member whose name its object has twice. */
export const repeated: Step = function* ({ text, problems, prefix }, { at, path }) {
  yield
  problems.add(FieldErrors.fieldOf({ prefix, path }), REPEATED)
  return { end: JsonCursor.endWithin(text, at, SMALL), depth: path.length }
}

/** The problem of a member that the schema does not have. */
export const unexpected: Step = function* (search, place) {
  yield
  const { text, problems, prefix } = search
  const { at, path } = place
  const end = JsonCursor.endWithin(text, at, SMALL)
  const value = end === JsonCursor.NO_END ? Option.none() : parse(text.slice(at, end))
  const issue = new ParseResult.Unexpected(Option.getOrUndefined(value))
  const shown = Option.isSome(value) ? undefined : shownOf(search, place)
  return { end, depth: FieldErrors.addIssue(problems, issue, { prefix, path, shown }) }
}

/** Visits the entries between two brackets; returns the offset after the closing one, if it was found. */
export function* each(
  { text, problems }: Search,
  open: number,
  inEntry: (at: number) => Generator<void, number>
): Generator<void, number> {
  const close = text.charCodeAt(open) === LIST ? LIST_END : OBJECT_END
  let place = yield* JsonCursor.overSpace(text, open + 1)
  if (text.charCodeAt(place) === close) return place + 1
  while (true) {
    const end = yield* inEntry(place)
    if (end === JsonCursor.NO_END || problems.isOver) return JsonCursor.NO_END
    place = yield* JsonCursor.overSpace(text, end)
    const code = text.charCodeAt(place)
    if (code === close) return place + 1
    if (code !== COMMA) return JsonCursor.NO_END
    place = yield* JsonCursor.overSpace(text, place + 1)
    yield
  }
}
