import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import type { Facts, FlowView } from "@attestry/core/PolicyFacts"
import * as Timestamp from "@attestry/core/Timestamp"
import {
  agedDocument,
  askingDocument,
  type GeneratedPolicy,
  policies
} from "@attestry/core/testing/PolicyDocument"
import {
  agedFacts,
  askedFacts,
  FIRST_REPORTED,
  facts,
  VOCABULARY
} from "@attestry/core/testing/PolicyFacts"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as PolicyRemedy from "../../src/remedy/PolicyRemedy.js"
import * as RemedyStep from "../../src/remedy/RemedyStep.js"
import * as PolicyRemedyModel from "./PolicyRemedyModel.js"

const entry = FastCheck.record({
  type: FastCheck.constantFrom(
    "missing_attestation" as const,
    "non_compliant_attestation" as const
  ),
  level: FastCheck.constantFrom("artifact" as const, "trail" as const),
  attestation_name: FastCheck.constantFrom(...VOCABULARY.attestationNames),
  attestation_type: FastCheck.constantFrom("junit", "pull_request", "custom:scan")
})

/** Facts whose failing trails sometimes say what fails. */
const row: FastCheck.Arbitrary<Facts> = FastCheck.tuple(
  agedFacts,
  FastCheck.array(FastCheck.array(entry, { maxLength: 2 }), { minLength: 3, maxLength: 3 })
).map(([drawn, entries]) => ({
  ...drawn,
  flows: drawn.flows.map((flow, index) => {
    const own = entries[index] ?? []
    return flow.artifact_status === "COMPLIANT" || own.length === 0
      ? flow
      : { ...flow, entries: own }
  })
}))

const reportable = facts.map(({ flows }) =>
  flows.map((flow): FlowView => ({ ...flow, attestations: [] }))
)

const moment = FastCheck.nat(14).map((half) => ({
  now: Timestamp.fromSeconds(FIRST_REPORTED + half * 43_200),
  waivers: []
}))

/** Policies of both schema versions. */
const anyPolicies = FastCheck.oneof(
  policies,
  FastCheck.array(agedDocument, { minLength: 1, maxLength: 2 }).map((documents) =>
    documents.map(
      (document, index): GeneratedPolicy => ({
        id: `aged-${index}`,
        name: `aged-${index}`,
        version: 1,
        document
      })
    )
  )
)

const given = { given: anyPolicies, row, reportable, moment }
const isDeep = process.env.ATTESTRY_DEEP !== undefined
const every = { fastCheck: { numRuns: isDeep ? 10_000 : 150 } }

const textsOf = (remedies: ReadonlyArray<RemedyStep.Remedy>) =>
  remedies.map(({ cost, steps }) => [cost, ...steps.map(RemedyStep.textOf)])

const reversed = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> => [...items].reverse()

describe("PolicyRemedy: laws", () => {
  it.prop(
    "REMEDY-1: the steps of a remedy make the row compliant",
    given,
    (drawn) => {
      const compiled = PolicyEvaluation.compile(drawn.given)
      for (const { steps } of PolicyRemedy.remedies(compiled, drawn.row, drawn)) {
        const after = RemedyStep.apply(drawn.row, steps, drawn)
        assert.strictEqual(
          PolicyEvaluation.evaluate(compiled, after, drawn.moment).verdict,
          "Compliant"
        )
      }
    },
    every
  )

  it.prop(
    "REMEDY-1: also where rules ask about verification and facts",
    { document: askingDocument, row: askedFacts, moment },
    ({ document, moment: at, row: facts }) => {
      const compiled = PolicyEvaluation.compile([{ id: "p", name: "p", version: 1, document }])
      for (const { steps } of PolicyRemedy.remedies(compiled, facts, { moment: at }))
        assert.isTrue(PolicyRemedy.isEnough(compiled, { facts, moment: at }, steps))
    },
    every
  )

  it.prop(
    "REMEDY-2: no remedy is enough without one of its steps",
    given,
    (drawn) => {
      const compiled = PolicyEvaluation.compile(drawn.given)
      for (const { steps } of PolicyRemedy.remedies(compiled, drawn.row, drawn))
        for (const step of steps) {
          const rest = steps.filter((other) => other !== step)
          const after = RemedyStep.apply(drawn.row, rest, drawn)
          assert.strictEqual(
            PolicyEvaluation.evaluate(compiled, after, drawn.moment).verdict,
            "NonCompliant"
          )
        }
    },
    every
  )

  it.prop(
    "REMEDY-3: the remedies are those of the model, cheapest first",
    given,
    (drawn) => {
      FastCheck.pre(drawn.row.flows.length > 0)
      FastCheck.pre(PolicyRemedyModel.universe(drawn.given, drawn.row, drawn.moment).length <= 8)
      const compiled = PolicyEvaluation.compile(drawn.given)
      FastCheck.pre(
        PolicyEvaluation.evaluate(compiled, drawn.row, drawn.moment).verdict === "NonCompliant"
      )
      const found = PolicyRemedy.remedies(compiled, drawn.row, {
        limit: 10_000,
        moment: drawn.moment
      })
      const texts = found.map(({ steps }) => steps.map(RemedyStep.textOf).sort().join(", "))
      const expected = PolicyRemedyModel.remedies(drawn.given, drawn.row, drawn.moment)
      assert.sameMembers(
        texts,
        expected.map((steps) => steps.join(", "))
      )
      assert.isTrue(found.every(({ complete }) => complete))
      const costs = found.map(({ cost }) => cost)
      assert.deepStrictEqual(
        costs,
        [...costs].sort((left, right) => left - right)
      )
    },
    // WHY so many in a deep run: as many as the search was designed with.
    { fastCheck: { numRuns: isDeep ? 30_000 : 100, maxSkipsPerRun: 1_000 }, timeout: 3_600_000 }
  )

  it.prop("REMEDY-4: a row that no policy fails has none", given, (drawn) => {
    const compiled = PolicyEvaluation.compile(drawn.given)
    const { verdict } = PolicyEvaluation.evaluate(compiled, drawn.row, drawn.moment)
    const found = PolicyRemedy.remedies(compiled, drawn.row, {
      ...drawn,
      allowIn: "production",
      waiveIn: "production"
    })
    if (verdict !== "NonCompliant") assert.deepStrictEqual(found, [])
    else assert.isTrue(found.length > 0 || drawn.row.artifact.fingerprint === "")
  })

  it.prop(
    "REMEDY-5: the order of rules, flows and attestations changes no remedy",
    given,
    (drawn) => {
      const turned = {
        ...drawn.row,
        flows: reversed(drawn.row.flows).map((flow) => ({
          ...flow,
          attestations: reversed(flow.attestations),
          ...(flow.entries === undefined ? {} : { entries: reversed(flow.entries) })
        }))
      }
      const other = reversed(drawn.given).map(
        (policy): GeneratedPolicy => ({
          ...policy,
          document: { ...policy.document, attestations: reversed(policy.document.attestations) }
        })
      )
      assert.deepStrictEqual(
        textsOf(PolicyRemedy.remedies(PolicyEvaluation.compile(drawn.given), drawn.row, drawn)),
        textsOf(
          PolicyRemedy.remedies(PolicyEvaluation.compile(other), turned, {
            reportable: reversed(drawn.reportable),
            moment: drawn.moment
          })
        )
      )
    },
    every
  )
})
