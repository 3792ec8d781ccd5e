/**
 * Texts, JSON values and instants that every store must return unchanged.
 *
 * NUL and unpaired surrogates are not among the texts: edges refuse them.
 */
import type { Json } from "@attestry/core/CanonicalJson"
import * as Timestamp from "@attestry/core/Timestamp"
import * as FastCheck from "effect/FastCheck"

/** Texts that are easily damaged: quotes, escapes, controls, white space, characters beyond U+FFFF. */
export const awkward: FastCheck.Arbitrary<string> = FastCheck.constantFrom(
  "",
  " ",
  'it\'s $1 "quoted" \\ %s ?',
  "line\r\nline\ttab",
  "\u0001\u001f\u007f\u2028",
  "é e\u0301 Ω 漢字 🦉 \u{10ffff}",
  "null",
  "{}",
  "__proto__",
  "'; drop table flow; --"
)

/** Any text that can be stored. */
export const text: FastCheck.Arbitrary<string> = FastCheck.oneof(
  awkward,
  FastCheck.string({ unit: "binary", maxLength: 12 }).map((any) => any.replaceAll("\0", ""))
)

/** Formulas of spreadsheets, characters that end a CSV cell, and any other text. */
export const hostile: FastCheck.Arbitrary<string> = FastCheck.oneof(
  FastCheck.constantFrom(
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\tx",
    "\rx",
    "\nx",
    "\r",
    "\n=1",
    'say "no"',
    '"',
    '="a,b"',
    "a,b",
    "a\r\nb",
    "a;b",
    "\\.",
    "\\N",
    "\\x41",
    "'=1",
    " =1",
    ""
  ),
  text
)

/** Any text that can be stored, but the empty one. */
export const nonEmptyText: FastCheck.Arbitrary<string> = text.map((any) => (any === "" ? "x" : any))

const number: FastCheck.Arbitrary<number> = FastCheck.oneof(
  FastCheck.integer(),
  FastCheck.maxSafeInteger(),
  FastCheck.double({ noNaN: true, noDefaultInfinity: true })
  // WHY: JSON has no negative zero, so no store could give it back.
).map((any) => any + 0)

const objectOf = (value: FastCheck.Arbitrary<Json>): FastCheck.Arbitrary<{ [key: string]: Json }> =>
  FastCheck.array(FastCheck.tuple(text, value), { maxLength: 3 }).map(Object.fromEntries)

const { value } = FastCheck.letrec<{ readonly value: Json }>((tie) => ({
  value: FastCheck.oneof(
    { maxDepth: 3, withCrossShrink: true },
    FastCheck.constantFrom(null, true, false),
    number,
    text,
    FastCheck.array(tie("value"), { maxLength: 3 }),
    objectOf(tie("value"))
  )
}))

/** Any JSON value that can be stored. */
export const json: FastCheck.Arbitrary<Json> = value

/** Any JSON object that can be stored, with keys that break code that indexes objects. */
export const jsonObject: FastCheck.Arbitrary<{ readonly [key: string]: Json }> = objectOf(json)

/** Instants to the microsecond, from before the epoch to the largest one. */
export const timestamp: FastCheck.Arbitrary<Timestamp.Timestamp> = FastCheck.oneof(
  FastCheck.integer({ min: 1_700_000_000_000_000, max: 1_900_000_000_000_000 }),
  FastCheck.constantFrom(0, 1, -1, Timestamp.MICROSECONDS_MAX, -Timestamp.MICROSECONDS_MAX)
).map(Timestamp.fromMicros)

/** Pieces of JSON, most of them misplaced. */
const jsonPiece: FastCheck.Arbitrary<string> = FastCheck.oneof(
  FastCheck.constantFrom(...'{}[],:"\\ \n\t0159-+.eEx\0\u001f\u007f\ud800\udc00\u2028é'),
  FastCheck.constantFrom("null", "true", '"shop":"",', '"a":1,', '{"a":1}', '"\\u0061"', "1e400")
)

/** A small change of a JSON text: replaces some characters. */
export const edit: FastCheck.Arbitrary<(text: string) => string> = FastCheck.record({
  place: FastCheck.double({ min: 0, max: 1, noNaN: true }),
  gone: FastCheck.nat({ max: 3 }),
  come: FastCheck.option(jsonPiece, { nil: "" })
}).map(({ place, gone, come }) => (text) => {
  const at = Math.floor(place * text.length)
  return text.slice(0, at) + come + text.slice(at + gone)
})
