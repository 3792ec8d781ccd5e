import { assert, describe, it } from "@effect/vitest"
import { RE2JS } from "re2js"
import * as LiteralPattern from "../../src/policy/internal/LiteralPattern.js"

/** Patterns of plain text with `.*` between its parts, anchored or not. */
const PLAIN = [
  "",
  "a",
  "ab",
  "^",
  "$",
  "^$",
  "^a",
  "^ab",
  "a$",
  "ab$",
  "^a$",
  "^ab$",
  ".*",
  "^.*",
  ".*$",
  "^.*$",
  ".*.*",
  "a.*",
  "^a.*",
  ".*a",
  ".*a$",
  ".*a.*",
  "a.*b",
  "^a.*b",
  "a.*b$",
  "^a.*b$",
  "a.*a",
  "^a.*a$",
  "ab.*ba",
  "^ab.*ba$",
  "^a.*b.*a$",
  "a.*.*b",
  ".*a.*b.*",
  "^.*b",
  "a.*$",
  "\\.",
  "a\\.b",
  "\\.$",
  "^\\.",
  "\\\\",
  "\\\\$",
  "a\\$",
  "\\^",
  "~ !",
  "\\!\\/\\:\\@\\[\\`\\{\\~"
]

/** Patterns that need the engine, each for another reason. */
const OTHERS = [
  ".",
  "a.",
  "a+",
  "ab*",
  "a?",
  "a{2}",
  "a.*+",
  "a.*?",
  "a.**",
  "a.*{2}",
  ".+",
  "\\.+",
  "\\.*",
  "a\\.?",
  "a|b",
  "(a)",
  "[a]",
  "a]",
  "a}",
  "a^b",
  "^^a",
  "a$b",
  "a$$",
  "\\d",
  "\\A",
  "\\z",
  "\\_\\1",
  "\\ ",
  "a\\",
  "\\\\\\",
  "é",
  "\u001f",
  "\u007f"
]

/** Every text of up to so many of these characters. */
const textsOf = (characters: string, count: number): ReadonlyArray<string> =>
  count === 0
    ? [""]
    : [
        "",
        ...textsOf(characters, count - 1).flatMap((text) =>
          Array.from(characters, (next) => next + text)
        )
      ]

const TEXTS = [...textsOf("ab\n", 5), ...textsOf("ab.\n\\$^", 3)]

describe("LiteralPattern", () => {
  for (const pattern of PLAIN)
    it(`matches \`${pattern}\` as the engine does, for every short text`, () => {
      const test = LiteralPattern.make(pattern)
      const engine = RE2JS.compile(pattern)
      if (test === undefined) return assert.fail("is plain")
      for (const text of TEXTS)
        if (test(text) !== engine.test(text)) assert.fail(`differs for ${JSON.stringify(text)}`)
    })

  for (const pattern of OTHERS)
    it(`leaves ${JSON.stringify(pattern)} to the engine`, () =>
      assert.isUndefined(LiteralPattern.make(pattern)))

  it("takes every printable character but the operators literally", () => {
    const printable = Array.from({ length: 0x7f - 0x20 }, (_, at) => String.fromCharCode(0x20 + at))
    for (const character of printable)
      assert.strictEqual(
        LiteralPattern.make(`x${character}x`) !== undefined,
        !"\\.+*?()|[]{}^$".includes(character),
        character
      )
    for (const character of printable)
      assert.strictEqual(
        LiteralPattern.make(`\\${character}`)?.(character) ?? false,
        !/[ 0-9A-Za-z]/.test(character),
        character
      )
  })
})
