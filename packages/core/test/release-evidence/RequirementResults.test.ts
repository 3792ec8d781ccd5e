/** Requirements of releases by templates and by policies, and their totals: as the slow model says. RE-4 */
import * as FactTimeline from "@attestry/core/FactTimeline"
import type { FingerprintHistory } from "@attestry/core/FingerprintHistory"
import { FlowId, FlowName, TemplateId, TrailId, TrailName } from "@attestry/core/Identifier"
import * as PolicyDocument from "@attestry/core/PolicyDocument"
import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import { DAYS_MAX, RELEASES_MAX, tooLong, tooMany } from "@attestry/core/ReleaseEvidence"
import * as RequirementResults from "@attestry/core/RequirementResults"
import * as RequirementTotals from "@attestry/core/RequirementTotals"
import type { TrailAttestation } from "@attestry/core/RowFacts"
import * as Timestamp from "@attestry/core/Timestamp"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import * as Model from "../../testing/internal/model/ReleaseTableModel.js"

const CONTENT = "a".repeat(64)
const NAMES = ["review", "tests", "scan"]
const FLOW = FlowId.make("flow")
const TRAIL = TrailId.make("trail")
const TEMPLATE = TemplateId.make("template")

const template = FastCheck.record({
  trail: FastCheck.uniqueArray(FastCheck.constantFrom(...NAMES)),
  artifact: FastCheck.uniqueArray(FastCheck.constantFrom(...NAMES))
})

const reported = FastCheck.record({
  name: FastCheck.constantFrom(...NAMES, "other"),
  isCompliant: FastCheck.boolean(),
  isOfTrail: FastCheck.boolean(),
  isOverride: FastCheck.boolean()
})

type Reported = typeof reported extends FastCheck.Arbitrary<infer A> ? A : never

const release = FastCheck.record({
  template,
  reports: FastCheck.array(reported, { maxLength: 8 }),
  /** How many of the reports the release could see. */
  seen: FastCheck.nat(8)
})

const at = (sequence: number) => Timestamp.fromMicros(sequence)

const attestationOf = (each: Reported, index: number): TrailAttestation => ({
  sequence: index + 2,
  id: `attestation-${index}`,
  name: each.name,
  type: "generic",
  isCompliant: each.isCompliant,
  isOverride: each.isOverride,
  fingerprint: each.isOfTrail ? null : CONTENT,
  slots: [],
  commit: null,
  trail_id: TRAIL,
  control: null,
  at: at(index + 2)
})

const expected = (names: ReadonlyArray<string>) =>
  `[${names.map((name) => `{name: ${name}, type: generic}`).join(", ")}]`

const textOf = ({ artifact, trail }: Model.ModelTemplate) =>
  `version: 1
trail:
  attestations: ${expected(trail)}
  artifacts: [{name: app, attestations: ${expected(artifact)}}]
`

const historyOf = (
  given: Model.ModelTemplate,
  attestations: ReadonlyArray<TrailAttestation>
): FingerprintHistory => ({
  fingerprint: CONTENT,
  trails: [
    {
      id: TRAIL,
      flow_id: FLOW,
      name: TrailName.make("trail"),
      evaluated: { status: "COMPLIANT", template_id: TEMPLATE },
      events: [1, ...attestations.map(({ sequence }) => sequence)].map((sequence) => ({
        sequence,
        position: sequence,
        at: at(sequence),
        template_id: TEMPLATE,
        status: ""
      })),
      artifacts: [
        { sequence: 1, id: "record", slot: "app", fingerprint: CONTENT, commit: null, at: at(1) }
      ],
      attestations
    }
  ],
  flows: new Map([
    [
      FLOW,
      [
        {
          flow_id: FLOW,
          position: 0,
          at: at(0),
          name: FlowName.make("flow"),
          tags: {},
          template_id: TEMPLATE,
          archived_at: null
        }
      ]
    ]
  ]),
  templates: new Map([[TEMPLATE, textOf(given)]])
})

/** The flow of a release as its snapshot saw it. */
const flowOf = (history: FingerprintHistory, seen: number): RequirementResults.ReleaseFlow => {
  const bound = { position: seen + 2, at: at(seen + 2) }
  const [known] = FactTimeline.make(history).at(bound)
  const [trail] = history.trails
  if (known === undefined || trail === undefined) return assert.fail("the flow is not known")
  return { known, trail: FactTimeline.visibleTrails(history)(trail, bound) }
}

const cellsOf = (results: ReadonlyArray<RequirementResults.Result>): Model.ModelCells =>
  Object.fromEntries(results.map(({ requirement, state }) => [requirement.key, state]))

const policyOf = (names: ReadonlyArray<string>) => {
  const text = `_schema: https://example.org/policy/v1\nartifacts:\n  attestations: ${expected(names)}\n`
  const document = Either.getOrThrow(PolicyDocument.parse(text))
  return {
    document,
    compiled: PolicyEvaluation.compile([{ id: "policy", name: "policy", version: 1, document }])
  }
}

describe("RequirementResults", () => {
  it.prop(
    "agree with the model, and so do their totals",
    { releases: FastCheck.array(release, { maxLength: 6 }) },
    ({ releases }) => {
      const judged = releases.map(({ reports, seen, template: given }) => {
        const attestations = reports.map(attestationOf)
        const results = RequirementResults.ofTemplate(flowOf(historyOf(given, attestations), seen))
        const meant = Model.cellsOf(given, attestations.slice(0, seen))
        assert.deepStrictEqual(cellsOf(results), meant)
        for (const { decisive, state } of results)
          assert.strictEqual(decisive.length, state === "missing" ? 0 : 1)
        return { results, meant }
      })
      const cells = judged.map(({ meant }) => meant)
      const { requirements, totals } = RequirementTotals.of(judged)
      assert.deepStrictEqual(totals, {
        releases: cells.length,
        complete: Model.completeOf(cells),
        without_requirements: cells.filter((each) => Object.keys(each).length === 0).length
      })
      assert.sameMembers(
        requirements.map(({ key }) => key),
        [...new Set(cells.flatMap((each) => Object.keys(each)))]
      )
      for (const { key, failed, met, missing, overridden, waived } of requirements)
        assert.deepStrictEqual(
          [met, overridden, waived, failed, missing],
          ["met", "overridden", "waived", "failed", "missing"].map((state) =>
            Model.countOf(cells, key, state)
          )
        )
    }
  )

  it.prop(
    "of a policy fail exactly the releases that its evaluation fails",
    { given: release, names: FastCheck.uniqueArray(FastCheck.constantFrom(...NAMES)) },
    ({ given: { reports, seen, template: expectedThen }, names }) => {
      const flow = flowOf(historyOf(expectedThen, reports.map(attestationOf)), seen)
      const { compiled, document } = policyOf(names)
      const facts = { artifact: { name: "app", fingerprint: CONTENT }, flows: [flow.known.view] }
      const [decision] = PolicyEvaluation.evaluate(compiled, facts).policy_decisions
      if (decision === undefined) return assert.fail("there is no decision")
      const results = RequirementResults.ofPolicy(document, decision, [flow])
      assert.strictEqual(results.length, names.length)
      assert.strictEqual(
        results.some(({ state }) => state === "failed" || state === "missing"),
        decision.status === "NON-COMPLIANT"
      )
      for (const { decisive, requirement } of results)
        for (const { attestation } of decisive)
          assert.strictEqual(attestation.name, requirement.name)
    }
  )
})

describe("the limits of release evidence", () => {
  const end = Timestamp.fromSeconds(2_000_000_000)
  const days = (count: number) => Timestamp.plusSeconds(end, -count * 86_400)

  it("hold for periods on both sides", () => {
    assert.isUndefined(tooLong({ from: days(DAYS_MAX), to: end }))
    const longer = Timestamp.fromMicros(days(DAYS_MAX) - 1)
    assert.strictEqual(tooLong({ from: longer, to: end })?.max, DAYS_MAX)
  })

  it("hold for selections on both sides", () => {
    assert.isUndefined(tooMany(RELEASES_MAX))
    assert.strictEqual(tooMany(RELEASES_MAX + 1)?.count, RELEASES_MAX + 1)
  })
})
