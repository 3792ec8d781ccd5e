import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import { RE2JS } from "re2js"
import * as LiteralPattern from "../../src/policy/internal/LiteralPattern.js"
import * as PatternSize from "../../src/policy/internal/PatternSize.js"
import * as PolicyPattern from "../../src/policy/PolicyPattern.js"

const atom = FastCheck.constantFrom(
  "a",
  "b",
  ".",
  "[ab]",
  "[^a-f]",
  "[]x]",
  "[[:alpha:]-]",
  "\\d",
  "\\w",
  "\\b",
  "\\.",
  "\\x{1F600}",
  "\\x41",
  "\\pL",
  "\\p{Greek}",
  "[\\pL\\]]",
  "\\Q(a{9}\\E",
  "{",
  "^",
  "$",
  "é"
)
const repeat = FastCheck.oneof(
  { arbitrary: FastCheck.constant(""), weight: 3 },
  FastCheck.constantFrom("*", "+", "?", "*?"),
  FastCheck.tuple(FastCheck.integer({ min: 0, max: 12 }), FastCheck.nat(6)).map(
    ([least, more]) => `{${least},${least + more}}`
  ),
  FastCheck.integer({ min: 0, max: 12 }).map((least) => `{${least},}`)
)

/** Patterns of every construction, most of them valid. */
const pattern = FastCheck.letrec<{ readonly group: string }>((tie) => ({
  group: FastCheck.oneof(
    { maxDepth: 3 },
    atom,
    FastCheck.array(FastCheck.tuple(FastCheck.oneof(atom, tie("group")), repeat), {
      minLength: 1,
      maxLength: 4
    }).map((parts) => parts.map((part) => part.join("")).join("")),
    FastCheck.tuple(
      FastCheck.constantFrom("(", "(?:", "(?i:", "(?P<name>", "(?i)("),
      tie("group"),
      FastCheck.constantFrom("", "|a", "|", "|b|c")
    ).map((parts) => `${parts.join("")})`)
  )
})).group

const compiled = (source: string) => Either.getRight(Either.try(() => RE2JS.compile(source)))

const refusal = (source: string) =>
  Either.match(PolicyPattern.compile(source), {
    onLeft: ({ reason }) => reason,
    onRight: () => "accepted"
  })

describe("PolicyPattern: properties", () => {
  it.prop(
    "never measures a pattern smaller than its compiled size",
    { source: pattern },
    ({ source }) => {
      const { size } = PatternSize.measure(source)
      const engine = compiled(source)
      if (engine._tag === "Some") assert.isAtLeast(size, engine.value.programSize())
    },
    { fastCheck: { numRuns: 3_000 } }
  )

  it.prop(
    "accepts only patterns within the limits, and never throws",
    { source: FastCheck.oneof(pattern, FastCheck.string(), FastCheck.fullUnicodeString()) },
    ({ source }) =>
      Either.match(PolicyPattern.compile(source), {
        onLeft: ({ message }) => assert.isNotEmpty(message),
        onRight: ({ test, weight }) => {
          assert.isAtMost(weight, PolicyPattern.WEIGHT_MAX)
          assert.isBoolean(test(source))
        }
      }),
    { fastCheck: { numRuns: 1_000 } }
  )

  const literalPart = FastCheck.constantFrom(
    "a",
    "b",
    "-",
    "\\.",
    ":",
    ".*",
    ".",
    "^",
    "$",
    "\\",
    "a+",
    "x{2}",
    "\\$"
  )
  const literalLike = FastCheck.tuple(
    FastCheck.constantFrom("", "^"),
    FastCheck.array(literalPart, { maxLength: 6 }).map((parts) => parts.join("")),
    FastCheck.constantFrom("", "$")
  ).map((parts) => parts.join(""))
  const text = FastCheck.array(
    FastCheck.constantFrom("a", "b", "-", ".", ":", "\n", "x", "$", "\u{1f600}"),
    {
      maxLength: 8
    }
  ).map((characters) => characters.join(""))

  it.prop(
    "matches plain patterns without the engine as the engine does",
    { source: literalLike, texts: FastCheck.array(text, { minLength: 4, maxLength: 4 }) },
    ({ source, texts }) => {
      const engine = compiled(source)
      if (engine._tag === "None") return
      const search = (given: string) => engine.value.test(given)
      const test = LiteralPattern.make(source)
      for (const given of texts)
        if (test !== undefined)
          assert.strictEqual(test(given), search(given), `${source} in ${JSON.stringify(given)}`)
    },
    { fastCheck: { numRuns: 3_000 } }
  )

  it.prop(
    "matches as the engine does, with any cache size",
    { source: pattern, texts: FastCheck.array(text, { maxLength: 4 }) },
    ({ source, texts }) =>
      Either.match(PolicyPattern.compile(source), {
        onLeft: () => undefined,
        onRight: ({ test }) => {
          const engine = RE2JS.compile(source)
          for (const given of texts) assert.strictEqual(test(given), engine.test(given))
        }
      }),
    { fastCheck: { numRuns: 1_000 } }
  )
})

describe("PolicyPattern: limits", () => {
  it("accepts 256 characters, not 257", () => {
    assert.strictEqual(refusal("a".repeat(256)), "accepted")
    assert.strictEqual(refusal("a".repeat(257)), "too long")
    assert.strictEqual(refusal("\u{1f600}".repeat(256)), "accepted")
    assert.strictEqual(refusal("\u{1f600}".repeat(257)), "too long")
  })

  it("accepts repeats of 100, not 101", () => {
    for (const repeat of ["{100}", "{0,100}", "{100,}"])
      assert.strictEqual(refusal(`a${repeat}`), "accepted")
    for (const repeat of ["{101}", "{0,101}", "{101,}", "{99999999}"])
      assert.strictEqual(refusal(`a${repeat}`), "repeat too large")
  })

  it("counts repeats only where they are repeats", () => {
    for (const source of ["\\{101\\}", "[{101}]", "\\Qa{101}\\E", "{101", "a{,101}", "\\x{101}"])
      assert.strictEqual(refusal(source), "accepted", source)
  })

  it("accepts 20 patterns of one policy, each counted once", () => {
    const compile = PolicyPattern.forPolicy()
    for (let index = 0; index < 40; index++)
      assert.isTrue(Either.isRight(compile(`x${index % 20}`)))
    const refused = Either.getOrThrow(Either.flip(compile("one more")))
    assert.strictEqual(refused._tag, "InvalidPolicyPattern")
    assert.strictEqual(refused.reason, "too many")
    assert.strictEqual(
      refused.message,
      "pattern `one more` is one more than the 20 patterns that a policy may use; join some with `|`"
    )
    assert.isTrue(Either.isRight(compile("x0")))
  })

  it("accepts 20 long patterns without concurrent threads", () => {
    const compile = PolicyPattern.forPolicy()
    for (let index = 0; index < 20; index++) {
      const letter = String.fromCharCode(97 + index)
      const long = index % 2 === 0 ? `^${letter.repeat(254)}$` : `^[${letter}0-9]{1,100}:(x|y)$`
      assert.isTrue(Either.isRight(compile(long)), long)
    }
  })

  it("weighs a search by its instructions, twice with a Unicode class", () => {
    const weight = (source: string) => Either.getOrThrow(PolicyPattern.compile(source)).weight
    for (const source of ["a", "a.*b", "^[ab]+$"])
      assert.strictEqual(weight(source), PolicyPattern.WEIGHT_SIMPLE)
    assert.strictEqual(weight("(a|b)*c"), 7)
    for (const letters of ["\\pL", "\\PL", "\\p{Greek}"])
      assert.strictEqual(weight(`(${letters}|b)*c`), 14)
  })

  it("accepts a pattern of exactly the weight that is left, and none heavier", () => {
    for (const [source, weight] of [
      ["(a|b)*c", 7],
      ["a", PolicyPattern.WEIGHT_SIMPLE]
    ] as const) {
      assert.isTrue(Either.isRight(PolicyPattern.compile(source, weight)))
      assert.isTrue(Either.isLeft(PolicyPattern.compile(source, weight - 1)))
    }
  })

  it("compiles a pattern of 2,000 instructions at most, not of 2,001", () => {
    const largest = `^${"a{100}".repeat(9)}a{88}b`
    assert.strictEqual(PatternSize.measure(largest).size, 2_000)
    assert.strictEqual(refusal(largest), "accepted")
    assert.strictEqual(refusal(`${largest}c`), "too complex")
  })

  it("accepts patterns of one policy while their total work is small", () => {
    const compile = PolicyPattern.forPolicy()
    const heavy = (letter: string) => `(${letter}|b)*${letter}[${letter}b]{100}c`
    const outcomes = ["a", "d", "e", "f", "g", "h", "i"].map((letter) =>
      Either.match(compile(heavy(letter)), {
        onLeft: ({ reason }) => reason,
        onRight: () => "accepted"
      })
    )
    assert.deepStrictEqual(new Set(outcomes), new Set(["accepted", "too complex"]))
    assert.isTrue(Either.isRight(compile("^fine$")))
  })
})

describe("PolicyPattern: rejects", () => {
  const hostile = [
    "(a{100}){100}",
    "((a{10}){10}){10}",
    "(?:(?:(?:a{50}){50}){50}){50}",
    `${"(".repeat(80)}a${"{9})".repeat(40)}${")".repeat(40)}`,
    "(?:x[a-z]{50}){100}",
    "(?:\\pL{50}){50}",
    "((a?){100}(b?){100}){10}"
  ]
  for (const source of hostile)
    it(`refuses ${source.slice(0, 40)} without compiling it`, () =>
      assert.notStrictEqual(refusal(source), "accepted"))

  const unsupported = [
    "(?=a)",
    "(?!a)",
    "(?<=a)b",
    "(?<!a)b",
    "(a)\\1",
    "(?>a)",
    "a**",
    "[z-a]",
    "(",
    ")",
    "[",
    "\\",
    "\\pX",
    "(?P<n>a)(?P<n>b)",
    "x{2,1}"
  ]
  for (const source of unsupported)
    it(`refuses ${source}, which is no RE2`, () =>
      assert.strictEqual(refusal(source), "not a pattern"))

  it("names the correction", () => {
    const message = (source: string) =>
      Either.getOrThrow(Either.flip(PolicyPattern.compile(source))).message
    assert.strictEqual(
      message("(?=a)b"),
      "pattern `(?=a)b` is not an RE2 pattern (invalid or unsupported Perl syntax: '(?='); " +
        "lookaround and backreferences do not exist in RE2"
    )
    assert.strictEqual(
      message("a{500}"),
      "pattern `a{500}` repeats 500 times; a counted repeat goes up to 100, so use `*` or `+`"
    )
    assert.strictEqual(
      message("(a{100}){100}"),
      "pattern `(a{100}){100}` repeats too much inside repeats; lower the counts or use `*` or `+`"
    )
    assert.strictEqual(
      message(`${"z".repeat(60)}${"y".repeat(5_000)}`),
      `pattern \`${"z".repeat(60)}…\` has more than 256 characters; ` +
        "shorten it or split it into two `matches`"
    )
    assert.strictEqual(
      Either.getOrThrow(Either.flip(PolicyPattern.compile("(a|b)*c", 6))).message,
      "pattern `(a|b)*c` is too much work beside the policy's other patterns; " +
        "anchor it with `^`, or repeat less"
    )
  })

  it("shows 60 characters of a pattern, and an ellipsis only for more", () => {
    const shown = (pattern: string) =>
      new PolicyPattern.InvalidPolicyPattern({ pattern, reason: "too long", detail: "is" }).message
    assert.strictEqual(shown("z".repeat(60)), `pattern \`${"z".repeat(60)}\` is`)
    assert.strictEqual(shown("z".repeat(61)), `pattern \`${"z".repeat(60)}…\` is`)
  })
})
