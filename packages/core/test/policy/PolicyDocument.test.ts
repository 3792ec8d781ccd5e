// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the wrapper of expressions looks like one.
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck, Schema } from "effect"
import { PolicyDump } from "../../src/policy/AppliedPolicy.js"
import * as PolicyDocument from "../../src/policy/PolicyDocument.js"
import * as PolicyExpression from "../../src/policy/PolicyExpression.js"
import * as Generated from "../../testing/PolicyDocument.js"
import { HEAD, problems, rule } from "./PolicyTexts.js"

const parse = (text: string) => Either.getOrThrow(PolicyDocument.parse(text))

describe("PolicyDocument.parse: properties", () => {
  it.prop(
    "reads back what it printed, defaults included (POL-24)",
    { document: Generated.document },
    ({ document }) => {
      const text = PolicyDocument.print(document)
      assert.deepStrictEqual(PolicyDocument.parse(text), Either.right(document))
      assert.strictEqual(PolicyDocument.print(parse(text)), text)
    }
  )

  it.prop(
    "dumps what the schema of a dump describes",
    { document: Generated.document },
    ({ document }) => {
      const dump = PolicyDocument.dump(document)
      const decode = Schema.decodeUnknownSync(PolicyDump, { onExcessProperty: "error" })
      assert.deepStrictEqual(decode(JSON.parse(JSON.stringify(dump))), dump)
    }
  )

  const lines = FastCheck.constantFrom(
    "_schema: https://x.example/v1",
    "_schema: 3",
    "artifacts:",
    "  provenance: { required: true }",
    "  provenance: null",
    "  trail-compliance:",
    "    required: yes",
    "    exceptions: [{ if: x }]",
    "  attestations:",
    "    - type: junit",
    "    - { type: '*' }",
    "      if: ${{ flow }}",
    "      for_control: X",
    "      name: [1]",
    "- 1",
    "\t",
    "&a b",
    "__proto__: { polluted: true }"
  )
  const nearMiss = FastCheck.array(lines, { maxLength: 8 }).map((drawn) => drawn.join("\n"))

  it.prop(
    "never throws, and positions every problem in the text",
    { text: FastCheck.oneof(nearMiss, FastCheck.string()) },
    ({ text }) =>
      Either.match(PolicyDocument.parse(text), {
        onLeft: (error) => {
          const count = text.split("\n").length
          assert.isTrue(error.problems.every(({ line }) => line >= 1 && line <= count))
          assert.isTrue(error.problems.every(({ column }) => column >= 1))
          assert.isNotEmpty(PolicyDocument.fieldErrors(error))
        },
        onRight: (document) =>
          assert.deepStrictEqual(parse(PolicyDocument.print(document)), document)
      }),
    { fastCheck: { numRuns: 500 } }
  )

  it.prop(
    "knows the controls and conditions of its rules",
    { document: Generated.document },
    ({ document }) => {
      const controls = document.attestations.flatMap(({ forControl }) => forControl ?? [])
      assert.deepStrictEqual(PolicyDocument.controlsReferenced(document), [...new Set(controls)])
      assert.strictEqual(
        PolicyDocument.usesFlowName(document),
        PolicyDocument.conditions(document).some(({ expression }) =>
          PolicyExpression.usesFlowName(expression)
        )
      )
    }
  )
})

describe("PolicyDocument.parse: examples", () => {
  it("fills in every default", () => {
    const defaults = {
      schema: "https://x.example/schemas/environment-policy/v1",
      provenance: { required: false, exceptions: [] },
      trailCompliance: { required: false, exceptions: [] },
      attestations: []
    }
    assert.deepStrictEqual(parse(HEAD), defaults)
    assert.deepStrictEqual(parse(`${HEAD}artifacts: {}`), defaults)
    assert.deepStrictEqual(
      parse(`${HEAD}artifacts: { provenance: {}, trail-compliance: {}, attestations: [] }`),
      defaults
    )
    assert.deepStrictEqual(parse(rule("type: junit")).attestations, [
      { type: "junit", name: "*", condition: null, mustBeCompliant: true, forControl: null }
    ])
    assert.deepStrictEqual(
      parse(rule("{ type: decision, if: null, for_control: null }")).attestations,
      [{ type: "decision", name: "*", condition: null, mustBeCompliant: true, forControl: null }]
    )
  })

  it("reads both forms of a condition alike", () => {
    const [wrapped, bare] = ["${{ flow.name == 'a' }}", "{ text: flow.name == 'a' }"].map(
      (form) =>
        parse(rule(`{ type: junit, if: ${form.startsWith("$") ? `"${form}"` : form} }`))
          .attestations
    )
    assert.deepStrictEqual(wrapped, bare)
    assert.strictEqual(wrapped?.[0]?.condition?.text, "flow.name == 'a'")
  })

  it("reads a condition over several lines", () => {
    const text = `${HEAD}artifacts:
  provenance:
    required: true
    exceptions:
      - if: |
          \${{
            flow.name == "a" or
            flow.name == "b"
          }}
`
    assert.strictEqual(
      parse(text).provenance.exceptions[0]?.text,
      'flow.name == "a" or\n  flow.name == "b"'
    )
    assert.deepStrictEqual(parse(PolicyDocument.print(parse(text))), parse(text))
  })

  it("accepts any address whose last segment is v1", () => {
    for (const address of ["https://h/v1", "http://h:80/a/b/v1", "x-y:a/v1", "https://h//v1"])
      assert.deepStrictEqual(problems(`_schema: ${address}`), [])
    for (const address of [
      "https://h/v3",
      "https://h/v10",
      "https://h/v01",
      "h/v1",
      "/v1",
      "https://v1",
      "https://h/v1/",
      "https://h/v1?x",
      "https://h/v1#x",
      "https://h/V1",
      '""',
      '"https://h/ /v1"'
    ])
      assert.strictEqual(problems(`_schema: ${address}`).length, 1, address)
  })

  it("accepts every type word, and custom ones", () => {
    for (const type of [
      "generic",
      "junit",
      "snyk",
      "pull_request",
      "jira",
      "sonar",
      "decision",
      "custom:a.b~c-1"
    ])
      assert.deepStrictEqual(problems(rule(`type: ${type}`)), [])
    assert.deepStrictEqual(problems(rule("{ type: '*', name: unit }")), [])
  })

  it("dumps with defaults, in the spelling of snapshots (18.1)", () =>
    assert.deepStrictEqual(
      PolicyDocument.dump(
        parse(`${HEAD}artifacts:
  provenance: { required: true, exceptions: [{ if: '\${{ exists(flow) }}' }] }
  attestations:
    - { type: decision, for_control: CTL-7, if: '\${{ true }}' }
    - { type: junit, name: unit, must_be_compliant: false }
`)
      ),
      {
        schema_version: "1",
        artifacts: {
          provenance: { required: true, exceptions: [{ if_condition: { text: "exists(flow)" } }] },
          trail_compliance: { required: false, exceptions: [] },
          attestations: [
            {
              if_condition: { text: "true" },
              name: "*",
              type: "decision",
              must_be_compliant: true,
              for_control: "CTL-7"
            },
            {
              if_condition: null,
              name: "unit",
              type: "junit",
              must_be_compliant: false,
              for_control: null
            }
          ]
        }
      }
    ))

  it("prints every default, each part on a line of its own", () => {
    const text = `_schema: "https://x.example/v1"
artifacts:
  provenance:
    required: true
    exceptions:
      - if: "\${{ exists(flow) }}"
      - if: "\${{ flow.name == \\"a\\" }}"
  trail-compliance:
    required: false
    exceptions: []
  attestations:
    - type: "decision"
      name: "*"
      if: "\${{ true }}"
      must_be_compliant: true
      for_control: "CTL-7"
    - type: "junit"
      name: "unit"
      must_be_compliant: false
`
    assert.strictEqual(PolicyDocument.print(parse(text)), text)
    assert.strictEqual(
      PolicyDocument.print(parse("_schema: https://x.example/v1")),
      `_schema: "https://x.example/v1"
artifacts:
  provenance:
    required: false
    exceptions: []
  trail-compliance:
    required: false
    exceptions: []
  attestations: []
`
    )
  })

  it("prints what YAML counts as unprintable as an escape of four digits", () => {
    const text = `flow.name == "\u007f\u0085\u009f\ufeff\uffff\u00a0"`
    const expression = Either.getOrThrow(PolicyExpression.parse(text))
    const document = {
      ...parse(HEAD),
      provenance: { required: true, exceptions: [{ text, expression }] }
    }
    assert.include(PolicyDocument.print(document), "\\u007f\\u0085\\u009f\\ufeff\\uffff\u00a0")
  })

  it("lists the parts of a flow that its conditions read", () => {
    const parts = (text: string) =>
      PolicyDocument.readParts(parse(rule(`{ type: junit, if: { text: '${text}' } }`)))
    assert.deepStrictEqual(PolicyDocument.readParts(parse(rule("type: junit"))), [])
    assert.deepStrictEqual(parts("exists(flow)"), [])
    assert.deepStrictEqual(parts('flow.name == "a"'), ["flow.name"])
    assert.deepStrictEqual(parts("exists(flow.tags.a)"), ["flow.tags"])
    assert.deepStrictEqual(parts('exists(flow.tags.a) or flow.name == "a"'), [
      "flow.name",
      "flow.tags"
    ])
  })

  it("reads the conditions of all its rules, in their order", () =>
    assert.deepStrictEqual(
      PolicyDocument.conditions(
        parse(`${HEAD}artifacts:
  provenance: { exceptions: [{ if: { text: " exists(flow) " } }] }
  trail-compliance: { exceptions: [{ if: { text: "true" } }] }
  attestations: [{ type: junit }, { type: snyk, if: { text: "false" } }]
`)
      ).map(({ text }) => text),
      ["exists(flow)", "true", "false"]
    ))

  it("escapes text that YAML does not print literally", () => {
    const text = `flow.name == "\u0085\ufeff\u2028\u{1f600} #: '"`
    const expression = Either.getOrThrow(PolicyExpression.parse(text))
    const document = {
      ...parse(HEAD),
      provenance: { required: true, exceptions: [{ text, expression }] }
    }
    assert.deepStrictEqual(parse(PolicyDocument.print(document)), document)
  })

  it("keys its problems by path, those of one path together", () =>
    assert.deepStrictEqual(
      PolicyDocument.fieldErrors(
        new PolicyDocument.InvalidPolicyDocument({
          problems: [
            { path: "a.0", line: 1, column: 2, message: "first" },
            { path: "b", line: 2, column: 1, message: "second" },
            { path: "a.0", line: 3, column: 4, message: "third" }
          ]
        })
      ),
      {
        "a.0": "line 1, column 2: first; line 3, column 4: third",
        b: "line 2, column 1: second"
      }
    ))
})

describe("PolicyDocument.parse: limits", () => {
  const rules = (count: number) =>
    `${HEAD}artifacts:\n  attestations:\n${"    - type: junit\n".repeat(count)}`

  it("accepts exactly 100 rules", () => {
    assert.deepStrictEqual(problems(rules(PolicyDocument.RULES_MAX)), [])
    assert.deepStrictEqual(problems(rules(PolicyDocument.RULES_MAX + 1)), [
      "artifacts.attestations.100 (104:7): more than 100 rules: split the policy into several"
    ])
  })

  const patterned = (count: number) =>
    `${HEAD}artifacts:\n  attestations:\n${Array.from(
      { length: count },
      (_, index) => `    - { type: junit, if: "\${{ matches(artifact.name, 'x${index}') }}" }\n`
    ).join("")}`

  it("accepts exactly 20 distinct patterns, with any number of uses", () => {
    assert.deepStrictEqual(problems(patterned(20)), [])
    assert.deepStrictEqual(problems(patterned(21)), [
      "artifacts.attestations.20.if (24:22): the expression is not valid, character 1: pattern " +
        "`x20` is one more than the 20 patterns that a policy may use; join some with `|`"
    ])
    const same = patterned(60).replaceAll(/x\d+/g, "x")
    assert.deepStrictEqual(problems(same), [])
  })

  it("accepts names of exactly 255 characters", () => {
    const named = (length: number) => problems(rule(`{ type: junit, name: ${"n".repeat(length)} }`))
    assert.deepStrictEqual(named(255), [])
    assert.strictEqual(named(256).length, 1)
  })

  it("accepts documents of exactly 64 KiB", () => {
    const padded = (bytes: number) => `${HEAD}#${" ".repeat(bytes - HEAD.length - 1)}`
    assert.deepStrictEqual(problems(padded(65_536)), [])
    assert.strictEqual(problems(padded(65_537)).length, 1)
  })
})
