// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the wrapper of expressions looks like one.
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck, Schema } from "effect"
import { PolicyDump } from "../../src/policy/AppliedPolicy.js"
import * as PolicyDocument from "../../src/policy/PolicyDocument.js"
import * as PolicyExpression from "../../src/policy/PolicyExpression.js"
import * as Generated from "../../testing/arbitrary/PolicyDocument.js"

const HEAD = "_schema: https://x.example/schemas/environment-policy/v1\n"

const parse = (text: string) => Either.getOrThrow(PolicyDocument.parse(text))

const problems = (text: string) =>
  Either.match(PolicyDocument.parse(text), {
    onLeft: ({ problems: found }) =>
      found.map(({ column, line, message, path }) => `${path} (${line}:${column}): ${message}`),
    onRight: () => []
  })

const rule = (body: string) => `${HEAD}artifacts:\n  attestations:\n    - ${body}\n`

describe("PolicyDocument.parse: properties", () => {
  it.prop(
    "reads back what it printed, defaults included (P-24)",
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
    "never throws, and places every problem in the text",
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

  it("takes both forms of a condition for the same (D6.2)", () => {
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

  it("takes any address whose last segment is v1", () => {
    for (const address of ["https://h/v1", "http://h:80/a/b/v1", "x-y:a/v1", "https://h//v1"])
      assert.deepStrictEqual(problems(`_schema: ${address}`), [])
    for (const address of [
      "https://h/v2",
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

  it("knows every type word, and custom ones", () => {
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

  it("prints text that YAML does not print as it is", () => {
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

describe("PolicyDocument.parse: limits (A-14)", () => {
  const rules = (count: number) =>
    `${HEAD}artifacts:\n  attestations:\n${"    - type: junit\n".repeat(count)}`

  it("holds exactly 100 rules", () => {
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

  it("holds exactly 20 different patterns, however often each is used", () => {
    assert.deepStrictEqual(problems(patterned(20)), [])
    assert.deepStrictEqual(problems(patterned(21)), [
      "artifacts.attestations.20.if (24:22): the expression is not valid, character 1: pattern " +
        "`x20` is one more than the 20 patterns that a policy may use; join some with `|`"
    ])
    const same = patterned(60).replaceAll(/x\d+/g, "x")
    assert.deepStrictEqual(problems(same), [])
  })

  it("holds documents of exactly 64 KiB", () => {
    const padded = (bytes: number) => `${HEAD}#${" ".repeat(bytes - HEAD.length - 1)}`
    assert.deepStrictEqual(problems(padded(65_536)), [])
    assert.strictEqual(problems(padded(65_537)).length, 1)
  })
})

describe("PolicyDocument.parse: rejects", () => {
  const rejects: ReadonlyArray<
    readonly [what: string, text: string, problems: ReadonlyArray<string>]
  > = [
    [
      "an empty document",
      "",
      ["policy_yaml (1:1): expected a mapping with the keys `_schema`, `artifacts`, not `null`"]
    ],
    [
      "a list",
      "- 1",
      ["policy_yaml (1:1): expected a mapping with the keys `_schema`, `artifacts`, not a list"]
    ],
    [
      "a missing schema",
      "artifacts: {}",
      [
        "policy_yaml (1:1): `_schema` is missing: add `_schema:` with an address such as " +
          "`https://HOST/schemas/environment-policy/v1`"
      ]
    ],
    [
      "another version",
      "_schema: https://h/v2",
      [
        "_schema (1:1): only version 1 of policies is known: end the address with `/v1`, not `https://h/v2`"
      ]
    ],
    ["a schema that is no text", "_schema: 1", ["_schema (1:1): expected text, not `1`"]],
    [
      "an unknown key",
      `${HEAD}artefacts: {}`,
      ["artefacts (2:1): unknown key `artefacts`: the keys here are `_schema`, `artifacts`"]
    ],
    [
      "a key spelled almost right",
      `${HEAD}artifacts: { trail_compliance: {} }`,
      [
        "artifacts.trail_compliance (2:14): unknown key `trail_compliance`: write `trail-compliance`"
      ]
    ],
    [
      "exceptions under an attestation rule",
      rule("{ type: junit, exceptions: [] }"),
      [
        "artifacts.attestations.0.exceptions (4:22): unknown key `exceptions`: the keys here are " +
          "`type`, `name`, `if`, `must_be_compliant`, `for_control`"
      ]
    ],
    [
      "a section that is null",
      `${HEAD}artifacts: { provenance: }`,
      [
        "artifacts.provenance (2:14): expected a mapping with the keys `required`, `exceptions`, not `null`"
      ]
    ],
    [
      "a word for a boolean",
      `${HEAD}artifacts: { provenance: { required: yes } }`,
      ["artifacts.provenance.required (2:28): expected `true` or `false`, not `yes`"]
    ],
    [
      "a mapping for a list",
      `${HEAD}artifacts: { attestations: { type: junit } }`,
      ["artifacts.attestations (2:14): expected a list: begin each item with `- `, not a mapping"]
    ],
    [
      "a rule that is a word",
      rule("junit"),
      [
        "artifacts.attestations.0 (4:7): expected a mapping with the keys `type`, `name`, `if`, " +
          "`must_be_compliant`, `for_control`, not `junit`"
      ]
    ],
    [
      "a rule without a type",
      rule("name: unit"),
      [
        "artifacts.attestations.0 (4:7): `type` is missing: add one of `generic`, `junit`, " +
          "`snyk`, `pull_request`, `jira`, `sonar`, `decision`, `*`, `custom:NAME`"
      ]
    ],
    [
      "the hyphen of old pages",
      rule("type: pull-request"),
      ["artifacts.attestations.0.type (4:7): unknown type `pull-request`: write `pull_request`"]
    ],
    [
      "the wire's word for decisions",
      rule("type: system:decision"),
      ["artifacts.attestations.0.type (4:7): unknown type `system:decision`: write `decision`"]
    ],
    [
      "an unknown type",
      rule("type: unit"),
      [
        "artifacts.attestations.0.type (4:7): unknown type `unit`: the types are `generic`, " +
          "`junit`, `snyk`, `pull_request`, `jira`, `sonar`, `decision`, `*`, `custom:NAME`"
      ]
    ],
    [
      "a custom type without a name",
      rule('type: "custom:"'),
      [
        "artifacts.attestations.0.type (4:7): unknown type `custom:`: the types are `generic`, " +
          "`junit`, `snyk`, `pull_request`, `jira`, `sonar`, `decision`, `*`, `custom:NAME`"
      ]
    ],
    [
      "any name of any type",
      rule('type: "*"'),
      ["artifacts.attestations.0 (4:7): `name` and `type` cannot both be `*`: give one of them"]
    ],
    [
      "a name that cannot be reported",
      rule("{ type: junit, name: slot.unit }"),
      [
        "artifacts.attestations.0.name (4:22): no attestation can have the name `slot.unit`: use " +
          "up to 255 letters, digits, `-`, `_`, `,`, or `*` for any"
      ]
    ],
    [
      "a control without a decision",
      rule("{ type: junit, for_control: CTL-7 }"),
      [
        "artifacts.attestations.0.for_control (4:22): `for_control` only goes with decisions: " +
          "write `type: decision`, or remove it"
      ]
    ],
    [
      "a control that is no text",
      rule("{ type: decision, for_control: 7 }"),
      ["artifacts.attestations.0.for_control (4:25): expected the identifier of a control, not `7`"]
    ],
    [
      "a control without a name",
      rule('{ type: decision, for_control: "" }'),
      ["artifacts.attestations.0.for_control (4:25): expected the identifier of a control, not ``"]
    ],
    [
      "a condition without its wrapper",
      rule("{ type: junit, if: exists(flow) }"),
      [
        "artifacts.attestations.0.if (4:22): wrap the expression: write `${{ … }}`, not `exists(flow)`"
      ]
    ],
    [
      "a condition that is a boolean",
      rule("{ type: junit, if: true }"),
      ["artifacts.attestations.0.if (4:22): expected an expression: write `${{ … }}`, not `true`"]
    ],
    [
      "a wrapper in the object form",
      rule('{ type: junit, if: { text: "${{ exists(flow) }}" } }'),
      [
        "artifacts.attestations.0.if (4:22): the expression is not valid, character 1: " +
          "unexpected `$`: leave out `${{`: only a text in the policy file is wrapped"
      ]
    ],
    [
      "an object form without text",
      rule("{ type: junit, if: {} }"),
      [
        "artifacts.attestations.0.if (4:22): the object form of a condition holds its bare text in `text`"
      ]
    ],
    [
      "an expression that is not one",
      rule('{ type: junit, if: "${{ flow.name }}" }'),
      [
        "artifacts.attestations.0.if (4:22): the expression is not valid, character 1: " +
          '`flow.name` is text, not a condition: compare it, for example `flow.name == "…"`'
      ]
    ],
    [
      "an exception without a condition (D6.2)",
      `${HEAD}artifacts: { provenance: { exceptions: [{}, { if: }] } }`,
      [
        "artifacts.provenance.exceptions.0 (2:41): an exception needs `if`: write `if: ${{ … }}` with a condition",
        "artifacts.provenance.exceptions.1 (2:45): an exception needs `if`: write `if: ${{ … }}` with a condition"
      ]
    ],
    [
      "an exception that is a text",
      `${HEAD}artifacts: { provenance: { exceptions: [x] } }`,
      ["artifacts.provenance.exceptions.0 (2:41): expected a mapping with the keys `if`, not `x`"]
    ]
  ]

  for (const [what, text, expected] of rejects)
    it(`refuses ${what}`, () => assert.deepStrictEqual(problems(text), expected))

  it("refuses broken YAML where it breaks", () => {
    assert.isTrue(problems("a: [")[0]?.startsWith("policy_yaml (1:5): "))
    assert.strictEqual(problems(`${HEAD}x: 1\nx: 2\ny: &a 1\nz: *a`).length, 3)
  })

  it("reports all problems at once, in the order of the text", () => {
    const found = problems(`artifacts:
  provenance: { required: 1, exceptions: [{ if: x }] }
  trails: {}
  attestations:
    - { type: junit, name: "" }
    - { type: nope, for_control: C }
`)
    assert.deepStrictEqual(
      found.map((problem) => problem.split(":")[0]),
      [
        "policy_yaml (1",
        "artifacts.provenance.required (2",
        "artifacts.provenance.exceptions.0.if (2",
        "artifacts.trails (3",
        "artifacts.attestations.0.name (5",
        "artifacts.attestations.1.type (6",
        "artifacts.attestations.1.for_control (6"
      ]
    )
  })

  it("reports at most so many problems", () => {
    const text = `${HEAD}artifacts:\n  attestations:\n${"    - { type: x, name: y z }\n".repeat(100)}`
    assert.strictEqual(problems(text).length, PolicyDocument.PROBLEMS_MAX)
  })

  it("shows the first problem and counts the others in its message", () => {
    const error = Either.getOrThrow(
      Either.flip(PolicyDocument.parse(rule("{ type: x, name: y z }")))
    )
    assert.strictEqual(
      error.message,
      "invalid policy: `artifacts.attestations.0.type` at line 4, column 9: unknown type `x`: " +
        "the types are `generic`, `junit`, `snyk`, `pull_request`, `jira`, `sonar`, `decision`, " +
        "`*`, `custom:NAME` (and 1 more)"
    )
  })
})
