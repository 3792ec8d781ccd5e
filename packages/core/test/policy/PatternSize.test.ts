import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { RE2JS } from "re2js"
import { measure } from "../../src/policy/internal/PatternSize.js"

type Case = readonly [pattern: string, size: number, repeatMax: number]

const PARTS: ReadonlyArray<Case> = [
  ["", 3, 0],
  ["a", 3, 0],
  ["abc", 5, 0],
  ["\\d\\d", 4, 0],
  ["\\.a", 4, 0],
  ["\\x41a", 5, 0],
  ["\\x{1F600}a", 4, 0],
  ["\\pLa", 4, 0],
  ["\\p{Greek}a", 4, 0],
  ["\\PLa", 4, 0],
  ["\\P{Greek}a", 4, 0],
  ["[ab]c", 4, 0],
  ["[^ab]c", 4, 0],
  ["[]a]c", 4, 0],
  ["[^]a]c", 4, 0],
  ["[\\]a]c", 4, 0],
  ["[[:alpha:]-]c", 4, 0],
  ["[-[:alpha:]]cd", 5, 0],
  ["[a[]bc", 5, 0],
  ["\\Qa{9}(\\Eb", 8, 0],
  ["\\Qab", 4, 0],
  ["\\Q\\E", 3, 0],
  ["\\Q\\Ea\\Qb\\E", 4, 0]
]

const GROUPS: ReadonlyArray<Case> = [
  ["(a)", 5, 0],
  ["(?:a)", 5, 0],
  ["(?i:a)", 5, 0],
  ["(?P<name>a)", 5, 0],
  ["(?<name>a)", 5, 0],
  ["(?i)a", 3, 0],
  ["(?i)(a)b", 6, 0],
  ["((a))", 7, 0],
  ["(a)(b)", 8, 0],
  ["a|b", 6, 0],
  ["(?:a|b)c", 9, 0]
]

const REPEATS: ReadonlyArray<Case> = [
  ["a*", 5, 0],
  ["a+", 5, 0],
  ["a?", 5, 0],
  ["a*?", 7, 0],
  ["ab*", 6, 0],
  ["(ab)*", 8, 0],
  ["(?:a*){3}", 22, 3],
  ["(?:ab?){3}", 25, 3],
  ["a{0}", 6, 0],
  ["a{1}", 6, 1],
  ["a{3}", 10, 3],
  ["ab{3}", 11, 3],
  ["a{2,5}", 14, 5],
  ["a{2,}", 8, 2],
  ["a{12,34}b", 73, 34],
  ["a{3}b{5}", 22, 5],
  ["a{5}b{3}", 22, 5],
  ["[ab]{3}", 10, 3],
  ["\\d{3}", 10, 3],
  ["\\pL{3}", 10, 3],
  ["\\p{Greek}{3}", 10, 3],
  ["\\Qab\\E{3}", 11, 3],
  ["(ab|c){3}", 28, 3],
  ["(a{3}){4}", 48, 4],
  ["((ab){3}c){2}", 46, 3]
]

const NO_REPEATS: ReadonlyArray<Case> = [
  ["a{", 4, 0],
  ["a{3", 5, 0],
  ["a{x}", 6, 0],
  ["a{,5}", 7, 0]
]

/** Texts that the compiler refuses later; measuring them must end in time. */
const NO_PATTERNS: ReadonlyArray<Case> = [
  ["\\", 3, 0],
  ["\\x{41", 5, 0],
  ["[", 3, 0],
  ["[a", 3, 0],
  ["[[:]c]d", 4, 0],
  ["(a", 5, 0],
  ["((a", 7, 0],
  ["(?i", 4, 0],
  ["a)", 5, 0],
  ["a)b", 6, 0],
  ["a{5,2}", 14, 5],
  ["x{3}*", 12, 3],
  ["a{123456789}", 246_913_582, 123_456_789],
  ["a{2,123456789}", 246_913_582, 123_456_789],
  ["a{1234567890}", 15, 0]
]

const tables = { PARTS, GROUPS, REPEATS, NO_REPEATS, NO_PATTERNS }
const engine = (pattern: string) => Either.try(() => RE2JS.compile(pattern))

describe("PatternSize.measure", () => {
  for (const [title, cases] of Object.entries(tables))
    for (const [pattern, size, repeatMax] of cases)
      it(`${title}: \`${pattern}\` is ${size} at most and repeats ${repeatMax} times`, () =>
        assert.deepStrictEqual(measure(pattern), { size, repeatMax }))

  it("is never below the engine's size of a pattern", () => {
    for (const [pattern, size] of [...PARTS, ...GROUPS, ...REPEATS, ...NO_REPEATS])
      assert.isAtLeast(size, Either.getOrThrow(engine(pattern)).programSize(), pattern)
  })

  it("also measures texts that the engine refuses", () => {
    for (const [pattern] of NO_PATTERNS) assert.isTrue(Either.isLeft(engine(pattern)), pattern)
  })
})
