import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import * as YamlText from "../../src/shared/YamlText.js"

const value = (text: string): unknown => Either.getOrThrow(YamlText.parse(text)).value

const problems = (text: string): ReadonlyArray<YamlText.YamlProblem> =>
  Either.match(YamlText.parse(text), {
    onLeft: ({ problems }) => problems,
    onRight: () => []
  })

/** Problems in short form: `line:column message`. */
const short = (text: string): ReadonlyArray<string> =>
  problems(text).map(({ line, column, message }) => `${line}:${column} ${message}`)

const marks = "[]{}:,-?&*!|>'\"%@`#= \n\t\r\\ab01.~<_e\u0000\ud800\udc00\ufeff\u0085é".split("")
const anyText = FastCheck.oneof(
  FastCheck.string({ unit: FastCheck.constantFrom(...marks), maxLength: 60 }),
  FastCheck.string({ unit: "binary", maxLength: 40 })
)

const storable = FastCheck.string({ unit: "grapheme", maxLength: 8 }).filter(
  (text) => !/[^\t\n\r\x20-\x7e\xa0-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u.test(text)
)

const json = FastCheck.letrec<{ node: unknown }>((tie) => ({
  node: FastCheck.oneof(
    { maxDepth: 4, withCrossShrink: true },
    FastCheck.constantFrom(null, true, false, 0, 7, -1.5, 1e-7, 9_007_199_254_740_991),
    storable,
    FastCheck.constantFrom("null", "1", "true", "2024-01-01", "*", "&a", "!x", "---", "a: b"),
    FastCheck.array(tie("node"), { maxLength: 4 }),
    FastCheck.dictionary(
      FastCheck.oneof(storable, FastCheck.constantFrom("__proto__", "constructor", "<<", "1")),
      tie("node"),
      { maxKeys: 4, noNullPrototype: true }
    )
  )
})).node

/** Every path of a JSON value. */
const paths = (node: unknown): ReadonlyArray<ReadonlyArray<string | number>> =>
  typeof node !== "object" || node === null
    ? [[]]
    : [
        [],
        ...Object.entries(node).flatMap(([key, member]) =>
          paths(member).map((path) => [Array.isArray(node) ? Number(key) : key, ...path])
        )
      ]

describe("YamlText properties", () => {
  it.prop(
    "never throws, and positions each problem inside the text",
    { text: anyText },
    ({ text }) => {
      const lines = text.split("\n")
      for (const { line, column, message } of problems(text)) {
        assert.isAtLeast(line, 1)
        assert.isAtMost(line, lines.length)
        assert.isAtLeast(column, 1)
        assert.isAtMost(column, (lines[line - 1] ?? "").length + 1)
        assert.notMatch(message, /\n|^[A-Z]|\.$/)
      }
    },
    { fastCheck: { numRuns: 2_000 } }
  )

  it.prop(
    "agrees with JSON on every text that is JSON, indented or not",
    { node: json, indent: FastCheck.constantFrom(0, 2) },
    ({ node, indent }) => {
      const text = JSON.stringify(node, null, indent)
      assert.deepStrictEqual(value(text), JSON.parse(text))
      assert.strictEqual(JSON.stringify(value(text)), JSON.stringify(node))
    },
    { fastCheck: { numRuns: 500 } }
  )

  it.prop(
    "has the position of every key",
    { node: json },
    ({ node }) => {
      const text = JSON.stringify(node, null, 1)
      const lines = text.split("\n")
      const { positionOf } = Either.getOrThrow(YamlText.parse(text))
      for (const path of paths(node)) {
        const { line, column } = positionOf(path)
        const step = path.at(-1)
        const found = (lines[line - 1] ?? "").slice(column - 1)
        if (typeof step === "string") assert.isTrue(found.startsWith(`${JSON.stringify(step)}:`))
        assert.deepStrictEqual(positionOf([...path, "no such key", 3]), { line, column })
      }
    },
    { fastCheck: { numRuns: 300 } }
  )
})

describe("YamlText accepts", () => {
  const accepted: ReadonlyArray<readonly [string, string, unknown]> = [
    ["nothing at all as null", "", null],
    ["comments alone as null", "# nothing\n", null],
    ["one document between its marks", "---\na: 1\n...\n", { a: 1 }],
    ["a byte order mark at the start", "\ufeffa: 1", { a: 1 }],
    ["Windows line ends", "a: 1\r\nb:\r\n  - x\r\n", { a: 1, b: ["x"] }],
    ["the version directive of this very format", "%YAML 1.2\n---\na: yes", { a: "yes" }],
    [
      "timestamps, binary and old booleans as text",
      "[2024-01-01, yes, off, 0b1]",
      ["2024-01-01", "yes", "off", "0b1"]
    ],
    ["hexadecimal and octal numbers", "[0x1F, 0o17, 1_000]", [31, 15, "1_000"]],
    [
      "core tags",
      "[!!str 1, !!int '2', !!float 3.0, !!null '', !!bool true, !!seq [], !!map {}]",
      ["1", 2, 3, null, true, [], {}]
    ],
    ["a bracket closed below its key", "key: [\n  a\n]", { key: ["a"] }],
    [
      "marks inside quotes and block text",
      "a: '*x'\nb: |\n  &a *b !c\n  %d\n",
      { a: "*x", b: "&a *b !c\n%d\n" }
    ],
    ["a quoted merge key as a plain name", '"<<": 1', { "<<": 1 }],
    ["a written-out key", "? a\n: b", { a: "b" }],
    ["a pair inside a list", "[a: 1]", [{ a: 1 }]]
  ]
  for (const [what, text, expected] of accepted)
    it(what, () => assert.deepStrictEqual(value(text), expected))

  it("a key named __proto__ as any other key", () => {
    const read = value("__proto__: {polluted: true}\nconstructor: 1")
    assert.deepStrictEqual(Object.keys(Object(read)), ["__proto__", "constructor"])
    assert.strictEqual(Object.getPrototypeOf(read), Object.prototype)
    assert.isFalse("polluted" in Object(read))
  })

  it("nesting up to the limit and text up to the limit", () => {
    const deep = "[".repeat(YamlText.DEPTH_MAX) + "]".repeat(YamlText.DEPTH_MAX)
    assert.strictEqual(JSON.stringify(value(deep)), deep)
    const long = `a: 1 #${"é".repeat((YamlText.BYTES_MAX - 6) / 2)}`
    assert.deepStrictEqual(value(long), { a: 1 })
    const blocks = Array.from(
      { length: YamlText.DEPTH_MAX },
      (_, depth) => `${" ".repeat(depth)}a:`
    )
    assert.isNotNull(value(blocks.join("\n")))
  })
})

describe("YamlText refuses", () => {
  const refused: ReadonlyArray<readonly [string, string, ReadonlyArray<string>]> = [
    [
      "anchors and aliases, all of them",
      "a: &x 1\nb: *x\nc: *y",
      [
        "1:4 anchors are not allowed: write the value out where it is needed",
        "2:4 aliases are not allowed: write the value out, or put text that begins with * in quotes",
        "3:4 aliases are not allowed: write the value out, or put text that begins with * in quotes"
      ]
    ],
    [
      "merge keys",
      "a: {}\n<<: {b: 1}",
      ["2:1 merge keys are not allowed: write the merged keys out"]
    ],
    [
      "tags beyond the core schema",
      "a: !!binary aGk=\nb: !!timestamp 2024-01-01\nc: !x 1\nd: ! 1",
      [
        "1:4 tag `!!binary` is not allowed: remove it, or put the text in quotes",
        "2:4 tag `!!timestamp` is not allowed: remove it, or put the text in quotes",
        "3:4 tag `!x` is not allowed: remove it, or put the text in quotes",
        "4:4 tag `!` is not allowed: remove it, or put the text in quotes"
      ]
    ],
    [
      "a core tag on a value of another kind",
      "a: !!int abc",
      ["1:4 unresolved tag: tag:yaml.org,2002:int: remove the tag, or write a value of its kind"]
    ],
    [
      "a second document",
      "a: 1\n---\nb: 2",
      ["2:1 more than one document: keep one, and remove the line that separates them"]
    ],
    ["directives", "%YAML 1.1\n---\na: yes", ["1:1 directives are not allowed: remove this line"]],
    [
      "duplicate keys, quoted or not",
      "a: 1\nb: 2\n'a': 3",
      ["3:1 key `a` occurs twice: keep one of them"]
    ],
    [
      "keys that are not text",
      "1: a\ntrue: b\n[c]: d\n? {e: f}\n: g\n~: h",
      [
        "1:1 key `1` is not text: put it in quotes",
        "2:1 key `true` is not text: put it in quotes",
        "3:1 a key must be text: write it as one word or in quotes",
        "4:3 a key must be text: write it as one word or in quotes",
        "6:1 key is missing: write one before the colon"
      ]
    ],
    [
      "numbers that are not finite or not exact",
      "[.inf, -.inf, .nan, 1e999, 9007199254740992]",
      [
        "1:2 not a number we can keep exactly: put it in quotes as text",
        "1:8 not a number we can keep exactly: put it in quotes as text",
        "1:15 not a number we can keep exactly: put it in quotes as text",
        "1:21 not a number we can keep exactly: put it in quotes as text",
        "1:28 not a number we can keep exactly: put it in quotes as text"
      ]
    ],
    ["tabs as indentation", "a:\n\tb: 1", ["2:1 tabs are not allowed as indentation: use spaces"]],
    [
      "characters that are not printable",
      "a: \u0000\nb: \ud800\nc: \ufeff",
      [
        "1:4 character U+0000 is not allowed: remove it",
        "2:4 character U+D800 is not allowed: remove it",
        "3:4 character U+FEFF is not allowed: remove it"
      ]
    ],
    [
      "escapes that no store keeps",
      'a: "\\0"\n"\\uD800": b',
      [
        "1:4 text holds U+0000 or half a surrogate pair: remove the escape",
        "2:1 text holds U+0000 or half a surrogate pair: remove the escape"
      ]
    ],
    [
      "a quote that is never closed",
      "a: 'x",
      ["1:6 missing closing 'quote: add it, or put the text in quotes"]
    ],
    [
      "a colon in plain text",
      "a: b: c",
      [
        "1:4 nested mappings are not allowed in compact mappings: " +
          "indent the next line like this one, start a new line, or put text that holds a colon in quotes"
      ]
    ]
  ]
  for (const [what, text, expected] of refused)
    it(what, () => assert.deepStrictEqual(short(text), expected))

  it("nesting one level too deep, in brackets, lists, mappings and pairs", () => {
    const levels = YamlText.DEPTH_MAX + 1
    const message = `nested more than ${YamlText.DEPTH_MAX} levels deep: make the document flatter`
    const texts = [
      "[".repeat(levels) + "]".repeat(levels),
      "{a: ".repeat(levels) + "}".repeat(levels),
      "- ".repeat(levels),
      Array.from({ length: levels }, (_, depth) => `${" ".repeat(depth)}a:\n`).join(""),
      `${"[".repeat(levels - 1)}a: 1${"]".repeat(levels - 1)}`
    ]
    for (const text of texts)
      assert.deepStrictEqual(
        problems(text).map((problem) => problem.message),
        [message]
      )
  })

  it("one byte too many, counted as UTF-8", () => {
    const text = `#${"é".repeat(YamlText.BYTES_MAX / 2)}`
    assert.deepStrictEqual(short(text), ["1:1 longer than 65536 bytes: shorten the document"])
  })

  it("more entries than the limit", () =>
    assert.deepStrictEqual(
      problems("- a\n".repeat(YamlText.ENTRIES_MAX + 1)).map(({ message }) => message),
      ["more than 10000 entries: shorten the document"]
    ))

  it("with a message that has the first position and the number of the others", () => {
    const invalid = Either.flip(YamlText.parse("a: &x 1\nb: *x"))
    assert.strictEqual(
      Either.getOrThrow(invalid).message,
      "invalid YAML: line 1, column 4: anchors are not allowed: write the value out where it is needed (and 1 more)"
    )
  })
})

describe("YamlText parses hostile texts of full size", () => {
  const fill = (piece: string) => piece.repeat(Math.floor(YamlText.BYTES_MAX / piece.length))
  const stairs = (piece: string) =>
    Array.from({ length: 350 }, (_, depth) => `${" ".repeat(depth)}${piece}\n`).join("")
  const bomb = Array.from(
    { length: 9 },
    (_, level) =>
      `l${level}: &l${level} [${Array(9)
        .fill(`*l${level - 1}`)
        .join(", ")}]`
  ).join("\n")
  const hostile: Record<string, string> = {
    "an alias bomb": bomb,
    "thousands of merges": `a: &a {b: 1}\n${"- {<<: *a}\n".repeat(3_000)}`,
    "open brackets": fill("["),
    "open braces": fill("{"),
    "open braces with keys": fill("{a: "),
    "list marks in a row": fill("- "),
    "key marks in a row": fill("? "),
    "key marks in brackets": fill("[? "),
    "colons in a row": fill(": "),
    "stairs of lists": stairs("-"),
    "stairs of mappings": stairs("a:"),
    "stairs of keys": stairs("?"),
    "missing keys": fill(":\n"),
    "the same key": fill("? a\n"),
    "empty items": fill("-\n"),
    commas: `[${fill(",").slice(1)}`,
    "closing brackets": fill("]"),
    "pairs of brackets": fill("[]"),
    quotes: fill('"'),
    anchors: fill("&a "),
    aliases: fill("*a\n"),
    tags: fill("!a "),
    documents: fill("---\n"),
    "document ends": fill("...\n"),
    directives: fill("%\n"),
    "a long key": `${"a".repeat(60_000)}: 1`,
    "a long number": "9".repeat(60_000),
    "a long exponent": `1e${"9".repeat(60_000)}`,
    NUL: fill("\0"),
    "half surrogates": fill("\ud800").slice(0, 20_000)
  }
  for (const [what, text] of Object.entries(hostile))
    it(what, () => {
      const found = problems(text)
      assert.isAtLeast(found.length, 1)
      assert.isAtMost(found.length, YamlText.PROBLEMS_MAX + 1)
    }, 5_000)

  for (const [what, text] of Object.entries({
    "empty lines": fill("\n"),
    comments: fill("#\n"),
    tabs: fill("\t"),
    spaces: `${" ".repeat(60_000)}a`
  }))
    it(`${what}, which are harmless`, () => assert.deepStrictEqual(problems(text), []), 5_000)
})
