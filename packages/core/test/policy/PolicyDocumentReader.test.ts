// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the wrapper of expressions looks like one.
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { DocumentReader, RULES_MAX } from "../../src/policy/internal/PolicyDocumentReader.js"
import {
  CUSTOM_TYPE_PATTERN,
  NAME_PATTERN,
  SCHEMA_PATTERN
} from "../../src/policy/internal/PolicySyntax.js"
import * as PolicyDocument from "../../src/policy/PolicyDocument.js"

const SCHEMA = "https://x.example/v1"

const read = (value: unknown) => {
  const problems: Array<string> = []
  const document = new DocumentReader((path, message) =>
    problems.push(`${path.join(".")}: ${message}`)
  ).read(value)
  return { document, problems }
}
const readArtifacts = (artifacts: unknown) => read({ _schema: SCHEMA, artifacts })
const readRule = (rule: unknown) => {
  const { document, problems } = readArtifacts({ attestations: [rule] })
  return { rules: document.attestations, problems }
}

const NOTHING = { required: false, exceptions: [] }
const DEFAULTS = {
  schema: SCHEMA,
  provenance: NOTHING,
  trailCompliance: NOTHING,
  attestations: []
}
const RULE = {
  type: "generic",
  name: "*",
  condition: null,
  mustBeCompliant: true,
  forControl: null
}

describe("DocumentReader: parts with a problem have their defaults", () => {
  for (const [value, instead] of [
    [null, "`null`"],
    [[], "a list"],
    ["x", "`x`"],
    [3, "`3`"]
  ] as const)
    it(`a document that is ${JSON.stringify(value)}`, () =>
      assert.deepStrictEqual(read(value), {
        document: { ...DEFAULTS, schema: "" },
        problems: [`: expected a mapping with the keys \`_schema\`, \`artifacts\`, not ${instead}`]
      }))

  it("a schema: none without a text, and the given text otherwise", () => {
    assert.strictEqual(read({}).document.schema, "")
    assert.deepStrictEqual(read({ _schema: 3 }), {
      document: { ...DEFAULTS, schema: "" },
      problems: ["_schema: expected text, not `3`"]
    })
    assert.strictEqual(read({ _schema: "policies" }).document.schema, "policies")
    assert.strictEqual(read({ _schema: "https://h/v2" }).document.schema, "https://h/v2")
  })

  it("sections and lists", () => {
    assert.deepStrictEqual(
      readArtifacts({ provenance: 3, "trail-compliance": [], attestations: {} }),
      {
        document: DEFAULTS,
        problems: [
          "artifacts.provenance: expected a mapping with the keys `required`, `exceptions`, not `3`",
          "artifacts.trail-compliance: expected a mapping with the keys `required`, `exceptions`, not a list",
          "artifacts.attestations: expected a list: begin each item with `- `, not a mapping"
        ]
      }
    )
    assert.deepStrictEqual(readArtifacts([]), {
      document: DEFAULTS,
      problems: [
        "artifacts: expected a mapping with the keys `provenance`, `trail-compliance`, `attestations`, not a list"
      ]
    })
    assert.deepStrictEqual(readArtifacts({ "trail-compliance": { exceptions: "x" } }), {
      document: DEFAULTS,
      problems: [
        "artifacts.trail-compliance.exceptions: expected a list: begin each item with `- `, not `x`"
      ]
    })
  })

  it("true and false", () => {
    for (const key of ["provenance", "trail-compliance"])
      assert.deepStrictEqual(readArtifacts({ [key]: { required: 1 } }), {
        document: DEFAULTS,
        problems: [`artifacts.${key}.required: expected \`true\` or \`false\`, not \`1\``]
      })
    assert.deepStrictEqual(readRule({ type: "junit", must_be_compliant: null }), {
      rules: [{ ...RULE, type: "junit" }],
      problems: [
        "artifacts.attestations.0.must_be_compliant: expected `true` or `false`, not `null`"
      ]
    })
  })

  it("a type", () => {
    for (const rule of [{}, { type: "unit" }, { type: 7 }, { type: "system:decision" }])
      assert.deepStrictEqual(readRule(rule).rules, [RULE])
    assert.deepStrictEqual(readRule({ type: 7 }).problems, [
      "artifacts.attestations.0.type: expected text, not `7`"
    ])
  })

  it("an invalid rule, which has one problem only", () =>
    assert.deepStrictEqual(readRule(null), {
      rules: [RULE],
      problems: [
        "artifacts.attestations.0: expected a mapping with the keys `type`, `name`, `if`, " +
          "`must_be_compliant`, `for_control`, not `null`"
      ]
    }))

  it("a name", () => {
    assert.deepStrictEqual(readRule({ type: "junit", name: "a b" }).rules, [
      { ...RULE, type: "junit", name: "invalid" }
    ])
    assert.deepStrictEqual(readRule({ type: "junit", name: 7 }), {
      rules: [{ ...RULE, type: "junit" }],
      problems: ["artifacts.attestations.0.name: expected text, not `7`"]
    })
    assert.deepStrictEqual(readRule({ type: "*", name: "a b" }).problems.length, 1)
  })

  it("a control", () => {
    for (const control of [7, ""])
      assert.deepStrictEqual(readRule({ type: "decision", for_control: control }), {
        rules: [{ ...RULE, type: "decision" }],
        problems: [
          `artifacts.attestations.0.for_control: expected the identifier of a control, not \`${control}\``
        ]
      })
    assert.strictEqual(readRule({ type: "junit", for_control: "C" }).rules[0]?.forControl, "C")
  })

  it("a condition, and an exception without one", () => {
    for (const condition of ["x", "${{ x }}", 3, [], {}, { text: 3 }, { text: "x" }]) {
      const { problems, rules } = readRule({ type: "junit", if: condition })
      assert.deepStrictEqual(rules, [{ ...RULE, type: "junit" }])
      assert.strictEqual(problems.length, 1)
    }
    for (const exception of [{}, { if: null }, { if: "x" }, "x", null, []]) {
      const { document, problems } = readArtifacts({ provenance: { exceptions: [exception] } })
      assert.deepStrictEqual(document, DEFAULTS)
      assert.strictEqual(problems.length, 1)
    }
  })

  it("describes a valid condition", () =>
    assert.deepStrictEqual(
      [3, { text: 3 }, []].flatMap(
        (condition) => readRule({ type: "*", name: "a", if: condition }).problems
      ),
      [
        "artifacts.attestations.0.if: expected an expression: write `${{ … }}`, not `3`",
        "artifacts.attestations.0.if: the object form of a condition holds its bare text in `text`",
        "artifacts.attestations.0.if: expected an expression: write `${{ … }}`, not a list"
      ]
    ))
})

describe("DocumentReader: limits", () => {
  const many = (count: number, item: unknown) => Array.from({ length: count }, () => item)

  it("reads as many rules as the limit, and positions the first of the others", () => {
    const { document, problems } = readArtifacts({
      attestations: many(RULES_MAX + 2, { type: "unknown" })
    })
    assert.strictEqual(document.attestations.length, RULES_MAX)
    assert.strictEqual(problems.length, RULES_MAX + 1)
    assert.strictEqual(
      problems[0],
      "artifacts.attestations.100: more than 100 rules: split the policy into several"
    )
  })

  it("reads any number of exceptions", () => {
    const { document, problems } = readArtifacts({
      provenance: { exceptions: many(RULES_MAX + 1, { if: { text: " true " } }) }
    })
    assert.strictEqual(document.provenance.exceptions.length, RULES_MAX + 1)
    assert.strictEqual(document.provenance.exceptions[0]?.text, "true")
    assert.deepStrictEqual(problems, [])
  })

  it("positions the problem of an exception", () =>
    assert.deepStrictEqual(
      readArtifacts({ "trail-compliance": { exceptions: [{ if: "${{ true }}" }, { if: "x" }] } })
        .problems,
      ["artifacts.trail-compliance.exceptions.1.if: wrap the expression: write `${{ … }}`, not `x`"]
    ))
})

describe("DocumentReader: keys and words that are almost right", () => {
  it("suggests the key that is closest, or lists the keys", () => {
    const advice = (key: string) =>
      readArtifacts({ [key]: {} })
        .problems[0]?.split(": ")
        .at(-1)
    for (const key of ["Provenance", "pro_venance", "PROVE-NANCE", " provenance "])
      assert.strictEqual(advice(key), "write `provenance`")
    assert.strictEqual(advice("provenances"), "write `provenance`")
    assert.strictEqual(advice("trailcompliance"), "write `trail-compliance`")
    assert.strictEqual(
      advice("evidence"),
      "the keys here are `provenance`, `trail-compliance`, `attestations`"
    )
  })

  it("suggests the type that is closest", () => {
    const advice = (type: string) => readRule({ type }).problems[0]?.split(": ").at(-1)
    for (const type of ["Pull Request", "pullrequest", "PULL--REQUEST"])
      assert.strictEqual(advice(type), "write `pull_request`")
    assert.isTrue(advice("pull request of mine")?.startsWith("the types are `generic`"))
  })

  it("refuses another version, and describes a valid address otherwise", () => {
    const advice = (schema: string) => read({ _schema: schema }).problems[0]?.split(/[:,]/)[1]
    for (const address of ["https://h/v3", "https://h/v0", "https://h/v10", "/v1", "h/v12"])
      assert.strictEqual(advice(address), " only versions 1 and 2 of policies are known")
    for (const address of ["https://h/v2/", "https://h/v", "https://h/vx", "https://h/v1 x", "v1"])
      assert.strictEqual(
        advice(address),
        " expected an absolute address that ends with `/v1` or `/v2`"
      )
  })
})

describe("DocumentReader: the published patterns", () => {
  const takes = (pattern: string, text: string) => new RegExp(pattern).test(text)

  it("accept custom types with a name", () => {
    assert.strictEqual(CUSTOM_TYPE_PATTERN, "^custom:[a-zA-Z0-9][a-zA-Z0-9\\-_.~]*$")
    assert.isTrue(takes(CUSTOM_TYPE_PATTERN, "custom:a.b"))
    assert.isFalse(takes(CUSTOM_TYPE_PATTERN, "custom:"))
  })

  it("accept reportable names, or any", () => {
    for (const name of ["*", "a", "unit-1_x"]) assert.isTrue(takes(NAME_PATTERN, name), name)
    for (const name of ["", "**", "*a", "a*", "a.b", "a b"])
      assert.isFalse(takes(NAME_PATTERN, name), name)
  })

  it("accept absolute addresses of version 1", () => {
    assert.isTrue(takes(SCHEMA_PATTERN, SCHEMA))
    assert.isFalse(takes(SCHEMA_PATTERN, `${SCHEMA}/`))
  })
})

describe("PolicyDocument: schemas", () => {
  it("have two parts of a flow", () => {
    assert.deepStrictEqual(PolicyDocument.ReadPart.literals, [
      "flow.name",
      "flow.tags",
      "evidence.age",
      "evidence.facts"
    ])
  })

  it("accept problems with integers as positions", () => {
    const is = Schema.is(PolicyDocument.InvalidPolicyDocument.fields.problems)
    const problem = { path: "a", line: 1, column: 2, message: "m" }
    assert.isTrue(is([problem]))
    assert.isFalse(is([]))
    assert.isFalse(is([{ path: "a" }]))
  })
})
