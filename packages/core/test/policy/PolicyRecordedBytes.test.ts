/**
 * What is stored about policies without modes is byte for byte what it was before modes and remedies existed (MODE-3).
 *
 * `recorded-decisions.json` was written by the code of that time; it is never written again.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as PolicyDocument from "../../src/policy/PolicyDocument.js"
import * as PolicyEvaluation from "../../src/policy/PolicyEvaluation.js"
import * as RowDecision from "../../src/snapshot/RowDecision.js"
import { POLICIES, ROWS } from "./RecordedPolicies.js"

/** The sentence of compliance in the trail where no flow knows the artifact, as it was. */
const SENTENCE = new RegExp(
  String.raw`("rule_index\\":1,(?:[^}]*?))no flow knows the artifact: report it to a flow, ` +
    "or add an exception to the policy that is true for it",
  "g"
)

// WHY with another sentence: sentences are made from stored decisions when they are read, and are not stored.
const recorded: unknown = JSON.parse(
  readFileSync(join(import.meta.dirname, "recorded-decisions.json"), "utf8").replaceAll(
    SENTENCE,
    "$1no flow knows the artifact, so it has no trail that is compliant: report it to a flow, or " +
      "add an exception to `trail-compliance` that is true for it"
  )
)

const versions = Object.entries(POLICIES).map(([name, text]) => {
  const parsed = PolicyDocument.parse(text)
  const document = Either.isRight(parsed) ? parsed.right : parsed.left
  return { id: `id-of-${name}`, name, version: 3, document }
})

/** Dumps of texts, and of each row its decisions, reasons and stored decisions, as they are printed. */
const printed = () => {
  const compiled = PolicyEvaluation.compile(versions)
  return {
    dumps: Object.values(POLICIES).flatMap((text) => {
      const parsed = PolicyDocument.parse(text)
      return Either.isRight(parsed) ? [JSON.stringify(PolicyDocument.dump(parsed.right))] : []
    }),
    rows: ROWS.map((row) => {
      const evaluation = PolicyEvaluation.evaluate(compiled, row)
      const stored = RowDecision.fromDecisions(
        evaluation.policy_decisions,
        (name) => `id-of-${name}`
      )
      return {
        decisions: JSON.stringify(evaluation.policy_decisions),
        reasons: JSON.stringify(PolicyEvaluation.reasons(compiled, evaluation)),
        stored: JSON.stringify(stored),
        key: RowDecision.keyOf(evaluation.verdict, stored)
      }
    })
  }
}

describe("Decisions without modes", () => {
  it("MODE-3: dumps, decisions, reasons and what is stored are byte for byte as recorded", () => {
    assert.deepStrictEqual<unknown>(printed(), recorded)
  })
})
