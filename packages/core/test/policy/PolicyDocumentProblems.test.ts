// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the wrapper of expressions looks like one.
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as PolicyDocument from "../../src/policy/PolicyDocument.js"
import { HEAD, problems, rule } from "./PolicyTexts.js"

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
      "_schema: https://h/v3",
      [
        "_schema (1:1): only versions 1 and 2 of policies are known: " +
          "end the address with `/v1` or `/v2`, not `https://h/v3`"
      ]
    ],
    [
      "an address without a version",
      "_schema: policies",
      [
        "_schema (1:1): expected an absolute address that ends with `/v1` or `/v2`, such as " +
          "`https://HOST/schemas/environment-policy/v1`, not `policies`"
      ]
    ],
    ["a schema that is no text", "_schema: 1", ["_schema (1:1): expected text, not `1`"]],
    [
      "an unknown key",
      `${HEAD}artefacts: {}`,
      ["artefacts (2:1): unknown key `artefacts`: write `artifacts`"]
    ],
    [
      "a key spelled almost right",
      `${HEAD}artifacts: { trail_compliance: {} }`,
      [
        "artifacts.trail_compliance (2:14): unknown key `trail_compliance`: write `trail-compliance`"
      ]
    ],
    [
      "a key with capitals, spaces and underscores",
      `${HEAD}artifacts: { "Trail _-Compliance": {} }`,
      [
        "artifacts.Trail _-Compliance (2:14): unknown key `Trail _-Compliance`: write `trail-compliance`"
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
          "`snyk`, `pull_request`, `jira`, `sonar`, `decision`, `sbom`, `agent_session`, " +
          "`*`, `custom:NAME`"
      ]
    ],
    [
      "a type that is no text",
      rule("type: 7"),
      ["artifacts.attestations.0.type (4:7): expected text, not `7`"]
    ],
    [
      "a name that is no text",
      rule("{ type: junit, name: [unit] }"),
      ["artifacts.attestations.0.name (4:22): expected text, not a list"]
    ],
    [
      "a word for whether it must be compliant",
      rule("{ type: junit, must_be_compliant: maybe }"),
      ["artifacts.attestations.0.must_be_compliant (4:22): expected `true` or `false`, not `maybe`"]
    ],
    [
      "another key beside the text of a condition",
      rule("{ type: junit, if: { text: exists(flow), more: 1 } }"),
      ["artifacts.attestations.0.if.more (4:48): unknown key `more`: the keys here are `text`"]
    ],
    [
      "a type that is written in capitals",
      rule("type: PullRequest"),
      ["artifacts.attestations.0.type (4:7): unknown type `PullRequest`: write `pull_request`"]
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
          "`junit`, `snyk`, `pull_request`, `jira`, `sonar`, `decision`, `sbom`, `agent_session`, " +
          "`*`, `custom:NAME`"
      ]
    ],
    [
      "a custom type without a name",
      rule('type: "custom:"'),
      [
        "artifacts.attestations.0.type (4:7): unknown type `custom:`: the types are `generic`, " +
          "`junit`, `snyk`, `pull_request`, `jira`, `sonar`, `decision`, `sbom`, `agent_session`, " +
          "`*`, `custom:NAME`"
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
        "artifacts.attestations.0.if (4:22): wrap the expression: write `${{ exists(flow) }}`, not `exists(flow)`"
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
          "unexpected `$`: leave out `${{`: only a text in the policy file is wrapped; write `exists(flow)`"
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
      "an exception without a condition",
      `${HEAD}artifacts: { provenance: { exceptions: [{}, { if: }] } }`,
      [
        "artifacts.provenance.exceptions.0 (2:41): an exception needs `if`: write `if: ${{ … }}` with a condition",
        "artifacts.provenance.exceptions.1 (2:45): an exception needs `if`: write `if: ${{ … }}` with a condition"
      ]
    ],
    [
      "an exception that is a text",
      `${HEAD}artifacts: { provenance: { exceptions: [x] } }`,
      [
        "artifacts.provenance.exceptions.0 (2:41): an exception needs `if`: " +
          'write `if: ${{ artifact.name == "x" }}` with the condition, not `x`'
      ]
    ]
  ]

  for (const [what, text, expected] of rejects)
    it(`refuses ${what}`, () => assert.deepStrictEqual(problems(text), expected))

  it("refuses broken YAML at its position", () => {
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

  it("reports the problems of one line from left to right", () =>
    assert.deepStrictEqual(
      problems(rule("{ for_control: C, name: a b, type: x }")).map(
        (problem) => problem.split(" ")[0]
      ),
      [
        "artifacts.attestations.0.for_control",
        "artifacts.attestations.0.name",
        "artifacts.attestations.0.type"
      ]
    ))

  it("reports a limited number of problems", () => {
    const text = `${HEAD}artifacts:\n  attestations:\n${"    - { type: x, name: y z }\n".repeat(100)}`
    assert.strictEqual(problems(text).length, PolicyDocument.PROBLEMS_MAX + 1)
  })

  it("shows the first problem and counts the others in its message", () => {
    const error = Either.getOrThrow(
      Either.flip(PolicyDocument.parse(rule("{ type: x, name: y z }")))
    )
    assert.strictEqual(
      error.message,
      "invalid policy: `artifacts.attestations.0.type` at line 4, column 9: unknown type `x`: " +
        "the types are `generic`, `junit`, `snyk`, `pull_request`, `jira`, `sonar`, `decision`, " +
        "`sbom`, `agent_session`, `*`, `custom:NAME` (and 1 more)"
    )
    assert.strictEqual(error._tag, "InvalidPolicyDocument")
    const alone = Either.getOrThrow(Either.flip(PolicyDocument.parse("_schema: 1")))
    assert.strictEqual(
      alone.message,
      "invalid policy: `_schema` at line 1, column 1: expected text, not `1`"
    )
  })
})
