import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck, Schema } from "effect"
import * as AttestationTypePattern from "../../src/flow/AttestationTypePattern.js"
import * as FlowTemplate from "../../src/flow/FlowTemplate.js"
import * as FlowTemplateJsonSchema from "../../src/flow/FlowTemplateJsonSchema.js"
import { NAME_LENGTH_MAX } from "../../src/shared/Identifier.js"
import * as Templates from "../../testing/arbitrary/FlowTemplate.js"
import { lengthForRun } from "../shared/Effort.js"

const right = (text: string): FlowTemplate.FlowTemplate =>
  Either.getOrThrow(FlowTemplate.parse(text))

const invalid = (text: string): FlowTemplate.InvalidFlowTemplate =>
  Either.getOrThrow(Either.flip(FlowTemplate.parse(text)))

/** Problems in short form: `path line:column message`. */
const short = (text: string): ReadonlyArray<string> =>
  invalid(text).problems.map(
    ({ path, line, column, message }) => `${path} ${line}:${column} ${message}`
  )

/** The part of JSON Schema that the published document uses. */
const isValid = (schema: unknown, value: unknown): boolean => {
  const rules = new Map(Object.entries(Object(schema)))
  const members = new Map(
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.entries(value)
      : []
  )
  const properties = new Map(Object.entries(Object(rules.get("properties") ?? {})))
  const check: Record<string, (rule: never) => boolean> = {
    $ref: (ref: string) =>
      isValid(
        new Map(Object.entries(FlowTemplateJsonSchema.document.$defs)).get(ref.slice(8)),
        value
      ),
    anyOf: (options: ReadonlyArray<unknown>) => options.some((option) => isValid(option, value)),
    const: (only: unknown) => value === only,
    enum: (words: ReadonlyArray<unknown>) => words.includes(value),
    pattern: (pattern: string) => typeof value !== "string" || new RegExp(pattern).test(value),
    maxLength: (max: number) => typeof value !== "string" || value.length <= max,
    required: (names: ReadonlyArray<string>) => names.every((name) => members.has(name)),
    additionalProperties: () => [...members.keys()].every((name) => properties.has(name)),
    properties: () =>
      [...members].every(([name, member]) => isValid(properties.get(name) ?? {}, member)),
    items: (item: unknown) => !Array.isArray(value) || value.every((one) => isValid(item, one)),
    type: (type: string) =>
      type === "null"
        ? value === null
        : type === "array"
          ? Array.isArray(value)
          : type === "object"
            ? typeof value === "object" && value !== null && !Array.isArray(value)
            : typeof value === type
  }
  return [...rules].every(([keyword, rule]) => check[keyword]?.(rule as never) ?? true)
}

const odd = FastCheck.constantFrom<unknown>(null, 1, true, "", "a.b", [], {}, "x")
const orOdd = (usual: FastCheck.Arbitrary<unknown>) =>
  FastCheck.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: odd })
const object = (fields: Record<string, FastCheck.Arbitrary<unknown>>) => {
  const model: Record<string, FastCheck.Arbitrary<unknown>> = { ...fields, more: odd }
  return orOdd(
    FastCheck.record(model, { requiredKeys: ["name", "type"].filter((key) => key in fields) })
  )
}
const name = orOdd(FastCheck.constantFrom("unit", "scan", "a,b"))
const attestations = orOdd(
  FastCheck.array(
    object({ name, type: orOdd(FastCheck.constantFrom("junit", "*", "custom:x", "custom:")) }),
    { maxLength: 2 }
  )
)
/** Almost templates: one part in ten is wrong. */
const almost = object({
  version: FastCheck.constantFrom(1, 1, 1, 2, "1"),
  trail: object({
    attestations,
    artifacts: orOdd(FastCheck.array(object({ name, attestations }), { maxLength: 2 }))
  })
})

const namesOf = (items: unknown): ReadonlyArray<unknown> =>
  Array.isArray(items) ? items.map((item) => Object(item).name) : []
const isUnique = (items: unknown): boolean => new Set(namesOf(items)).size === namesOf(items).length
const hasUniqueNames = (template: unknown): boolean => {
  const trail = Object(Object(template).trail)
  const artifacts: ReadonlyArray<unknown> = Array.isArray(trail.artifacts) ? trail.artifacts : []
  return (
    isUnique(trail.attestations) &&
    isUnique(artifacts) &&
    artifacts.every((artifact) => isUnique(Object(artifact).attestations))
  )
}

describe("FlowTemplate properties", () => {
  it.prop(
    "reads back what it printed, for any names",
    { template: Templates.printable },
    ({ template }) => assert.deepStrictEqual(right(FlowTemplate.print(template)), template),
    { fastCheck: { numRuns: lengthForRun({ quick: 170, full: 500, deep: 500 }) } }
  )

  it.prop(
    "never throws, whatever the text",
    { text: FastCheck.oneof(FastCheck.string({ unit: "binary" }), FastCheck.json()) },
    ({ text }) => assert.isBoolean(Either.isRight(FlowTemplate.parse(text))),
    { fastCheck: { numRuns: 500 } }
  )

  it.prop(
    "accepts exactly what the published schema accepts and has unique names",
    { almost },
    ({ almost }) =>
      assert.strictEqual(
        Either.isRight(FlowTemplate.parse(JSON.stringify(almost))),
        isValid(FlowTemplateJsonSchema.document, almost) && hasUniqueNames(almost)
      ),
    { fastCheck: { numRuns: lengthForRun({ quick: 330, full: 1_000, deep: 1_000 }) } }
  )

  it.prop("decodes what it accepted", { template: Templates.printable }, ({ template }) =>
    assert.deepStrictEqual(Schema.decodeUnknownSync(FlowTemplate.FlowTemplate)(template), template)
  )
})

describe("FlowTemplate accepts", () => {
  it("the template of the documentation", () =>
    assert.deepStrictEqual(
      right(`version: 1
trail:
  attestations:
    - name: review
      type: pull_request
  artifacts:
    - name: api
      attestations:
        - name: unit
          type: junit
`),
      {
        version: 1,
        trail: {
          attestations: [{ name: "review", type: "pull_request" }],
          artifacts: [{ name: "api", attestations: [{ name: "unit", type: "junit" }] }]
        }
      }
    ))

  for (const text of [
    "version: 1",
    "{}",
    "trail:",
    "trail: null",
    "trail: {}",
    "version: 1\ntrail: {artifacts: []}"
  ])
    it(`\`${text}\` as the template that expects nothing`, () =>
      assert.deepStrictEqual(right(text), FlowTemplate.empty))

  it("every type, and a custom type that does not exist yet", () => {
    const types = [...AttestationTypePattern.WORDS, "custom:not-yet.there~1"]
    const items = types.map((type, index) => `{name: a${index}, type: "${type}"}`)
    const text = `trail: {attestations: [${items.join(", ")}]}`
    assert.deepStrictEqual(
      right(text).trail.attestations.map(({ type }) => type),
      types
    )
  })

  it("one name on the trail and under several artifacts", () =>
    assert.strictEqual(
      right(
        'trail: {attestations: [{name: a, type: "*"}], artifacts: [' +
          '{name: a, attestations: [{name: a, type: "*"}]}, ' +
          '{name: b, attestations: [{name: a, type: "*"}]}]}'
      ).trail.artifacts.length,
      2
    ))

  it("a slot named __proto__ and names of the longest length", () => {
    const long = "a".repeat(NAME_LENGTH_MAX)
    assert.deepStrictEqual(
      right(`trail: {artifacts: [{name: __proto__}, {name: ${long}}]}`).trail.artifacts.map(
        ({ name }) => name
      ),
      ["__proto__", long]
    )
  })

  it("any name through its schema", () => {
    const stored: unknown = {
      version: 1,
      trail: { attestations: [{ name: "", type: "*" }], artifacts: [] }
    }
    const decoded: unknown = Schema.decodeUnknownSync(FlowTemplate.FlowTemplate)(stored)
    assert.deepStrictEqual(decoded, stored)
  })
})

describe("FlowTemplate prints", () => {
  it("the smallest template on one line", () =>
    assert.strictEqual(FlowTemplate.print(FlowTemplate.empty), "version: 1\n"))

  it("texts that other YAML parsers misread in quotes", () =>
    assert.strictEqual(
      FlowTemplate.print({
        version: 1,
        trail: {
          attestations: [{ name: "no", type: "*" }],
          artifacts: [
            { name: "123", attestations: [] },
            { name: "api", attestations: [{ name: "unit-tests", type: "custom:x" }] }
          ]
        }
      }),
      `version: 1
trail:
  attestations:
    - name: "no"
      type: "*"
  artifacts:
    - name: "123"
    - name: api
      attestations:
        - name: unit-tests
          type: "custom:x"
`
    ))

  it("an old list of evidence as one artifact with each word once, of any type", () => {
    assert.deepStrictEqual(
      right(FlowTemplate.fromLegacyList(["artifact", "unit", "scan", "unit"])),
      {
        version: 1,
        trail: {
          attestations: [],
          artifacts: [
            {
              name: "artifact",
              attestations: [
                { name: "unit", type: "*" },
                { name: "scan", type: "*" }
              ]
            }
          ]
        }
      }
    )
    assert.strictEqual(
      FlowTemplate.fromLegacyList(["artifact"]),
      "version: 1\ntrail:\n  artifacts:\n    - name: artifact\n"
    )
    assert.isTrue(Either.isLeft(FlowTemplate.parse(FlowTemplate.fromLegacyList(["not a name"]))))
  })
})

const typeMessage =
  "Input should be 'generic', 'junit', 'snyk', 'pull_request', 'jira', 'sonar', 'decision', 'sbom', " +
  "'agent_session', '*' or 'custom:<name>'"

describe("FlowTemplate refuses", () => {
  const refused: ReadonlyArray<readonly [string, string, ReadonlyArray<string>]> = [
    [
      "an empty document",
      "",
      ["template 1:1 Template is empty: write at least `version: 1` [input: None]"]
    ],
    [
      "a null document",
      "null",
      ["template 1:1 Template is empty: write at least `version: 1` [input: None]"]
    ],
    [
      "a root that is a list",
      "- a",
      ['template 1:1 Input should be a valid dictionary [input: ["a"]]']
    ],
    ["another version", "version: 2\n", ["version 1:1 Input should be 1 [input: 2]"]],
    ["a version as text", "version: '1'\n", ["version 1:1 Input should be 1 [input: 1]"]],
    [
      "duplicate keys",
      "version: 1\nversion: 1",
      ["template 2:1 key `version` occurs twice: keep one of them"]
    ],
    [
      "lists that are something else",
      "trail:\n  attestations:\n  artifacts: x",
      [
        "trail.attestations 2:3 Input should be a valid list [input: None]",
        "trail.artifacts 3:3 Input should be a valid list [input: x]"
      ]
    ],
    [
      "unknown keys at every level",
      "a: 1\ntrail:\n  b: 2\n  artifacts:\n    - name: x\n      c: 3\n" +
        "      attestations:\n        - {name: y, type: junit, d: 4}",
      [
        "a 1:1 Extra inputs are not permitted [input: 1]",
        "trail.b 3:3 Extra inputs are not permitted [input: 2]",
        "trail.artifacts.0.c 6:7 Extra inputs are not permitted [input: 3]",
        "trail.artifacts.0.attestations.0.d 8:34 Extra inputs are not permitted [input: 4]"
      ]
    ],
    [
      "what is missing",
      "trail:\n  attestations:\n    - {}\n  artifacts:\n    - {}",
      [
        "trail.attestations.0.name 3:7 Field required [input: None]",
        "trail.attestations.0.type 3:7 Field required [input: None]",
        "trail.artifacts.0.name 5:7 Field required [input: None]"
      ]
    ],
    [
      "names that no report can have",
      "trail:\n  attestations:\n    - {name: '', type: junit}\n" +
        "    - {name: a.b, type: junit}\n  artifacts:\n    - name: a,b",
      [
        "trail.attestations.0.name 3:8 String should match pattern '^[a-zA-Z0-9\\-_,]+$' [input: ]",
        "trail.attestations.1.name 4:8 String should match pattern '^[a-zA-Z0-9\\-_,]+$' [input: a.b]",
        "trail.artifacts.0.name 6:7 String should match pattern '^[a-zA-Z0-9\\-_]+$' [input: a,b]"
      ]
    ],
    [
      "names that are numbers",
      "trail: {artifacts: [{name: 1}]}",
      ["trail.artifacts.0.name 1:22 Input should be a valid string [input: 1]"]
    ],
    [
      "types that are unknown, empty, bare or impossible",
      "trail:\n  artifacts:\n    - name: x\n      attestations:\n" +
        "        - {name: a, type: junit}\n        - {name: b, type: Junit}\n" +
        "        - {name: c, type: 'custom:'}\n        - {name: d, type: 'custom:a b'}\n" +
        "        - {name: e, type: system:decision}",
      [
        `trail.artifacts.0.attestations.1.type 6:21 ${typeMessage} [input: Junit]`,
        `trail.artifacts.0.attestations.2.type 7:21 ${typeMessage} [input: custom:]`,
        `trail.artifacts.0.attestations.3.type 8:21 ${typeMessage} [input: custom:a b]`,
        `trail.artifacts.0.attestations.4.type 9:21 ${typeMessage} [input: system:decision]`
      ]
    ],
    [
      "names used twice in one list",
      "trail:\n  attestations: [{name: a, type: junit}, {name: a, type: snyk}]\n  artifacts: [{name: x}, {name: x}]",
      [
        "trail.attestations.1.name 2:43 Name is used twice in this list [input: a]",
        "trail.artifacts.1.name 3:27 Name is used twice in this list [input: x]"
      ]
    ]
  ]
  for (const [what, text, expected] of refused)
    it(what, () => assert.deepStrictEqual(short(text), expected))

  it("names one character too long", () => {
    const long = "a".repeat(NAME_LENGTH_MAX + 1)
    assert.deepStrictEqual(
      invalid(`trail: {artifacts: [{name: ${long}}]}`).problems.map(({ path }) => path),
      ["trail.artifacts.0.name"]
    )
  })

  it("with errors keyed by path, several of one path as one text", () => {
    assert.deepStrictEqual(FlowTemplate.fieldErrors(invalid("a: &x 1\nb: *x")), {
      template:
        "line 1, column 4: anchors are not allowed: write the value out where it is needed; " +
        "line 2, column 4: aliases are not allowed: write the value out, or put text that begins with * in quotes"
    })
    const bad = invalid("version: 2\n__proto__: 1")
    assert.deepStrictEqual(Object.keys(FlowTemplate.fieldErrors(bad)), ["version", "__proto__"])
    assert.strictEqual(
      bad.message,
      "invalid flow template: `version` at line 1, column 1 (and 1 more)"
    )
  })
})
