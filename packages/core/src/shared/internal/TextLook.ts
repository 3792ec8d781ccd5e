/** The steps of a search through a JSON text that is not parsed as a whole; see `TextProblems`. */
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as FieldErrors from "../FieldErrors.js"
import { REPEATED } from "../JsonGlance.js"
import type { Problems } from "../Problems.js"
import * as JsonCursor from "./JsonCursor.js"

/** Parts of at most this many characters are decoded as a whole. */
export const SMALL = 4_096

/** The way to a value. */
export type Path = ReadonlyArray<PropertyKey>

/** A search through one text. */
export interface Search {
  readonly text: string
  readonly prefix: string
  readonly problems: Problems
  /** Parts of at most this many characters are decoded as a whole. */
  readonly small: number
}

/** A value of the text: where it begins, and the way to it. */
export interface Place {
  readonly at: number
  readonly path: Path
}

/** Looks at one large value; gives where that ends, if it has come to know, and how deep problems were. */
export type Look = (search: Search, place: Place) => Generator<void, Looked>

/** What became of a look. */
export interface Looked {
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

/** The value of a text, if that is JSON. */
export const parse = Option.liftThrowable((text: string): unknown => JSON.parse(text))

/** What a refusal shows of a value that is not built, because it is large. */
export const shownOf = ({ text }: Search, { at }: Place): string => {
  const end = JsonCursor.endWithin(text, at, SMALL)
  return FieldErrors.withInput("", text.slice(at, end === JsonCursor.NO_END ? at + SMALL : end))
}

/** The least value of the sort that stands at a place. */
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

/** The end of what was not followed to its end. */
export const lost = (depth: number): Looked => ({ end: JsonCursor.NO_END, depth })

/** What a large value is told of which nothing is asked. */
export const nothing: Look = function* () {
  yield
  return lost(0)
}

/** What the value of a member is told whose name its object has twice. */
export const repeated: Look = function* ({ text, problems, prefix }, { at, path }) {
  yield
  problems.add(FieldErrors.fieldOf({ prefix, path }), REPEATED)
  return { end: JsonCursor.endWithin(text, at, SMALL), depth: path.length }
}

/** The problem of a member that the schema does not have. */
export const unexpected: Look = function* (search, place) {
  yield
  const { text, problems, prefix } = search
  const { at, path } = place
  const end = JsonCursor.endWithin(text, at, SMALL)
  const value = end === JsonCursor.NO_END ? Option.none() : parse(text.slice(at, end))
  const issue = new ParseResult.Unexpected(Option.getOrUndefined(value))
  const shown = Option.isSome(value) ? undefined : shownOf(search, place)
  return { end, depth: FieldErrors.addIssue(problems, issue, { prefix, path, shown }) }
}

/** Goes through what stands between two brackets; gives the place after the last, if it was found. */
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
