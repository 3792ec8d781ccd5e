/** A corpus case for every code of remarks, and the laws LINT-1 and LINT-2 on generated policies and facts. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Moment from "@attestry/core/Moment"
import { type PolicyDocument, print } from "@attestry/core/PolicyDocument"
import * as PolicyExpression from "@attestry/core/PolicyExpression"
import * as Timestamp from "@attestry/core/Timestamp"

import { agedDocument, document, where as drawnWhere } from "@attestry/core/testing/PolicyDocument"
import { agedFacts, askedFacts, FIRST_REPORTED, facts } from "@attestry/core/testing/PolicyFacts"
import * as YamlText from "@attestry/core/YamlText"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck, Schema } from "effect"
import { status } from "../../../core/test/policy/PolicyLawKit.js"
import * as PolicyLint from "../../src/lint/PolicyLint.js"
import { RemarkCode } from "../../src/lint/PolicyRemark.js"

const Corpus = Schema.Struct({
  cases: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      policy: Schema.String,
      observed: Schema.optionalWith(Schema.Boolean, { default: () => false }),
      remarks: Schema.Array(Schema.String)
    })
  )
})

const file = readFileSync(join(import.meta.dirname, "remarks.yaml"), "utf8")
const { cases } = Schema.decodeUnknownSync(Corpus)(Either.getOrThrow(YamlText.parse(file)).value)

const observed: PolicyLint.Observations = {
  flows: [
    { name: "shop", tags: { risk: "high" } },
    { name: "web", tags: { risk: "low" } }
  ],
  customTypes: ["coverage"],
  refusedControls: new Map([
    ["NO-1", "unknown"],
    ["OLD-1", "archived"]
  ]),
  attestationNames: ["unit", "scan"],
  moment: Moment.TIMELESS,
  rows: [
    {
      artifact: { name: "shop:1", fingerprint: "a".repeat(64) },
      flows: [
        {
          flow_name: "shop",
          tags: { risk: "high" },
          trail_name: "t",
          artifact_status: "COMPLIANT",
          attestations: [
            {
              sequence: 1,
              name: "unit",
              type: "junit",
              is_compliant: true,
              level: "artifact",
              control: null
            }
          ]
        }
      ]
    }
  ]
}

const textOf = (policy: string): string => {
  const version = /max_age|where|must_be_verified/.test(policy) ? "v2" : "v1"
  return `_schema: https://x.example/${version}\nartifacts:\n${policy.replace(/^(?=.)/gm, "  ")}`
}

const remarksOf = (text: string, isObserved: boolean) =>
  Either.getOrThrowWith(
    isObserved ? PolicyLint.checkAgainst(text, observed) : PolicyLint.check(text),
    (error) => error
  )

describe("PolicyLint corpus", () => {
  it.each(cases)("remarks on $name", ({ observed: isObserved, policy, remarks }) => {
    assert.deepStrictEqual(
      remarksOf(textOf(policy), isObserved).map(
        ({ code, column, line }) => `${code} ${line}:${column}`
      ),
      [...remarks]
    )
  })

  it("has a case for every code", () => {
    const covered = new Set(cases.flatMap(({ remarks }) => remarks.map((one) => one.split(" ")[0])))
    assert.deepStrictEqual([...covered].sort(), [...RemarkCode.literals].sort())
  })

  it("suggests the nearest name, and a guard for a tag that may be missing", () => {
    const suggestions = (policy: string) =>
      remarksOf(textOf(policy), true).flatMap(({ suggestion }) => suggestion ?? [])
    assert.include(suggestions("attestations:\n  - { type: junit, name: unti }\n"), "unit")
    const guarded = suggestions(
      `attestations:\n  - { type: junit, name: unit, if: '\${{ flow.tags.risk > 5 }}' }\n`
    )
    assert.include(guarded, `\${{ exists(flow.tags.risk) and flow.tags.risk > 5 }}`)
  })

  it("says which rules an exception of provenance does not lift", () => {
    const remarks = remarksOf(
      textOf(
        "provenance:\n  required: true\n  exceptions:\n    - if: '" +
          `\${{ artifact.name == "agent" }}'\n` +
          "trail-compliance:\n  required: true\n" +
          "attestations:\n  - { type: junit, name: unit }\n  - { type: snyk, name: scan }\n"
      ),
      false
    )
    assert.deepStrictEqual(
      remarks.map(({ message, severity }) => [severity, message]),
      [
        [
          "warning",
          "this exception lifts one rule; the artifact still fails `trail-compliance` and the rules on " +
            "lines 10 and 11: add the exception to `trail-compliance`, and a condition to the others that " +
            "is false for it"
        ]
      ]
    )
  })

  it("reports the problems of a text that is no policy", () => {
    assert.isTrue(Either.isLeft(PolicyLint.check("a: 1\n")))
  })
})

/** The document without what a remark is about. */
const without = (given: PolicyDocument, path: string): PolicyDocument => {
  const [, key, ...steps] = path.split(".")
  const drop = <A>(items: ReadonlyArray<A>, at: string | undefined) =>
    items.filter((_, index) => String(index) !== at)
  if (key === "attestations") return { ...given, attestations: drop(given.attestations, steps[0]) }
  const part = key === "provenance" ? "provenance" : "trailCompliance"
  const requirement = given[part]
  return {
    ...given,
    [part]: { ...requirement, exceptions: drop(requirement.exceptions, steps[1]) }
  }
}

const DEAD: ReadonlyArray<string> = [
  "dead_rule",
  "dead_exception",
  "rule_implied",
  "duplicate_rule"
]

describe("PolicyLint: laws", () => {
  const runs = { fastCheck: { numRuns: process.env.ATTESTRY_DEEP === undefined ? 150 : 3_000 } }

  it.prop(
    "LINT-1: without a dead, implied or repeated rule or a dead exception every status is the same",
    { document: FastCheck.oneof(document, agedDocument), row: agedFacts, days: FastCheck.nat(7) },
    ({ days, document: given, row }) => {
      const moment = Moment.at(Timestamp.fromSeconds(FIRST_REPORTED + days * 86_400))
      for (const { code, path } of remarksOf(print(given), false))
        if (DEAD.includes(code))
          assert.strictEqual(
            status(without(given, path), row, moment),
            status(given, row, moment),
            `${code} ${path}`
          )
    },
    runs
  )

  it.prop(
    "LINT-7: an artifact that no flow knows is refused where an exception of provenance is not enough",
    { document, row: facts },
    ({ document: given, row }) => {
      const unknown = { ...row, flows: [] }
      for (const { code, path } of remarksOf(print(given), false))
        if (code === "exception_not_enough") {
          const exception = given.provenance.exceptions[Number(path.split(".")[3])]
          assert.isDefined(exception)
          const only = { ...given, provenance: { required: true, exceptions: [exception] } }
          assert.strictEqual(status(only, unknown), "NON-COMPLIANT")
        }
    },
    runs
  )

  it.prop(
    "LINT-2: what is never true, always true or always an error is so on every row",
    { document, row: facts },
    ({ document: given, row }) => {
      const claims = {
        condition_never_true: "True",
        condition_always_true: "True",
        condition_always_error: "Error"
      }
      for (const { code, path } of remarksOf(print(given), false)) {
        if (!Object.hasOwn(claims, code)) continue
        const [, key, at, index] = path.split(".")
        const condition =
          key === "attestations"
            ? given.attestations[Number(at)]?.condition
            : given[key === "provenance" ? "provenance" : "trailCompliance"].exceptions[
                Number(index)
              ]
        if (condition === undefined || condition === null)
          throw new Error(`no condition at ${path}`)
        for (const flow of [null, ...row.flows]) {
          const truth = PolicyExpression.evaluate(condition.expression, {
            artifact: row.artifact,
            flow
          })
          if (code === "condition_never_true") assert.notStrictEqual(truth, "True")
          else assert.strictEqual(truth, code === "condition_always_true" ? "True" : "Error")
        }
      }
    },
    runs
  )

  it.prop(
    "LINT-2: a condition on facts that is never true is true on no facts",
    { where: drawnWhere, rows: FastCheck.array(askedFacts, { minLength: 5, maxLength: 5 }) },
    ({ rows, where }) => {
      const asked = JSON.stringify(PolicyExpression.wrap(where.text))
      const text = textOf(`attestations:\n  - type: generic\n    where: ${asked}\n`)
      const codes = Either.getOrThrow(PolicyLint.check(text)).map(({ code }) => code)
      const test = PolicyExpression.compileWhere(where.expression)
      for (const { facts } of rows.flatMap(({ flows }) =>
        flows.flatMap((flow) => flow.attestations)
      )) {
        if (codes.includes("condition_never_true"))
          assert.notStrictEqual(test(facts ?? null), "True")
        if (codes.includes("condition_always_true")) assert.strictEqual(test(facts ?? null), "True")
      }
    }
  )
})
