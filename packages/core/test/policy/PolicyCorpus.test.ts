import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import * as PolicyDocument from "../../src/policy/PolicyDocument.js"
import * as PolicyEvaluation from "../../src/policy/PolicyEvaluation.js"
import type { Facts } from "../../src/policy/PolicyFacts.js"
import * as Dictionary from "../../src/shared/Dictionary.js"
import * as YamlText from "../../src/shared/YamlText.js"
import * as Model from "../../testing/PolicyEvaluationModel.js"

const withDefault = <A, I>(schema: Schema.Schema<A, I>, value: () => A) =>
  Schema.optionalWith(schema, { default: value })

const dictionary = <A, I>(value: Schema.Schema<A, I>) =>
  Dictionary.make({ key: Schema.String, value, members: {} })

const Attestation = Schema.Struct({
  sequence: Schema.Int,
  name: Schema.String,
  type: Schema.String,
  compliant: withDefault(Schema.Boolean, () => true),
  level: withDefault(Schema.Literal("artifact", "trail"), () => "artifact" as const),
  control: withDefault(Schema.NullOr(Schema.String), () => null)
})

const Flow = Schema.Struct({
  flow: Schema.String,
  tags: withDefault(dictionary(Schema.String), (): Dictionary.Dictionary<string> => ({})),
  status: withDefault(
    Schema.Literal("COMPLIANT", "NON-COMPLIANT", "INCOMPLETE"),
    () => "COMPLIANT" as const
  ),
  attestations: withDefault(Schema.Array(Attestation), () => [])
})

const Row = Schema.Struct({
  name: Schema.String,
  artifact: withDefault(Schema.String, () => "shop:1"),
  flows: withDefault(Schema.Array(Flow), () => []),
  verdict: Schema.String,
  /** The result of each rule of each policy in each flow. */
  decisions: dictionary(Schema.Array(Schema.Array(Schema.String))),
  /** `POLICY RULE-INDEX TYPE in FLOW`. */
  reasons: withDefault(Schema.Array(Schema.String), () => [])
})

const Refused = Schema.Struct({
  name: Schema.String,
  policy: Schema.String,
  /** `PATH LINE:COLUMN`. */
  problems: Schema.Array(Schema.String)
})

const Case = Schema.Struct({
  description: Schema.NonEmptyString,
  policies: withDefault(dictionary(Schema.String), (): Dictionary.Dictionary<string> => ({})),
  rows: withDefault(Schema.Array(Row), () => []),
  refused: withDefault(Schema.Array(Refused), () => [])
})

const folder = new URL("../corpus/policy/", import.meta.url)

const readCase = (file: string) =>
  Schema.decodeUnknownSync(Case, { onExcessProperty: "error" })(
    Either.getOrThrow(YamlText.parse(readFileSync(new URL(file, folder), "utf8"))).value
  )

const factsOf = ({ artifact, flows }: typeof Row.Type): Facts => ({
  artifact: { name: artifact, fingerprint: "f".repeat(64) },
  flows: flows.map(({ attestations, flow, status, tags }) => ({
    flow_name: flow,
    tags,
    trail_name: `trail-of-${flow}`,
    artifact_status: status,
    attestations: attestations.map(({ compliant, ...fact }) => ({
      ...fact,
      is_compliant: compliant
    }))
  }))
})

const files = readdirSync(folder).filter((file) => file.endsWith(".yaml"))

describe("policy corpus", () => {
  it("has cases", () => assert.isAtLeast(files.length, 14))

  for (const file of files) {
    const { policies, refused, rows } = readCase(file)
    const versions = Object.entries(policies).map(([name, text]) => ({
      id: name,
      name,
      version: 1,
      document: Either.getOrThrowWith(PolicyDocument.parse(text), (error) => error)
    }))
    const compiled = PolicyEvaluation.compile(versions)

    for (const row of rows)
      it(`${file}: ${row.name}`, () => {
        const evaluation = PolicyEvaluation.evaluate(compiled, factsOf(row))
        assert.strictEqual(evaluation.verdict, row.verdict)
        assert.deepStrictEqual<unknown>(
          evaluation.policy_decisions.map(({ policy_name, rule_evaluations }) => [
            policy_name,
            rule_evaluations.map(({ resolutions }) => resolutions.map(({ type }) => type))
          ]),
          Object.entries(row.decisions)
        )
        assert.deepStrictEqual(
          PolicyEvaluation.reasons(compiled, evaluation).map(
            ({ flow_name, policy_name, rule_index, type }) =>
              `${policy_name} ${rule_index} ${type} in ${flow_name ?? "nothing"}`
          ),
          row.reasons
        )
        assert.deepStrictEqual(evaluation, Model.evaluate(versions, factsOf(row)))
      })

    for (const { name, policy, problems } of refused)
      it(`${file}: ${name}`, () =>
        assert.deepStrictEqual(
          Either.match(PolicyDocument.parse(policy), {
            onLeft: (error) =>
              error.problems.map(({ column, line, path }) => `${path} ${line}:${column}`),
            onRight: () => []
          }),
          problems
        ))
  }
})
