/** REMEDY-1 and REMEDY-2 on evaluated trails: steps are reported, and the trail and the policy are evaluated again. */

import type { AttestationRecord } from "@attestry/core/AttestationBinding"
import type { FlowTemplate } from "@attestry/core/FlowTemplate"
import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import type { Facts } from "@attestry/core/PolicyFacts"
import * as TrailCompliance from "@attestry/core/TrailCompliance"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import * as FailingEntries from "../../src/remedy/internal/FailingEntries.js"
import * as PolicyRemedy from "../../src/remedy/PolicyRemedy.js"
import type * as RemedyStep from "../../src/remedy/RemedyStep.js"

const F = "f".repeat(64)
const NAMES = ["unit", "scan"] as const
const TYPES = ["junit", "generic", "sbom", "custom:scan"] as const

const name = FastCheck.constantFrom(...NAMES)
const type = FastCheck.constantFrom(...TYPES)
const pattern = FastCheck.constantFrom(...TYPES, "*" as const)
const expected = FastCheck.array(FastCheck.record({ name, type: pattern }), { maxLength: 3 })

const template: FastCheck.Arbitrary<FlowTemplate> = FastCheck.tuple(expected, expected).map(
  ([ofTrail, ofArtifact]) => ({
    version: 1,
    trail: { attestations: ofTrail, artifacts: [{ name: "api", attestations: ofArtifact }] }
  })
)

const recordOf = (
  given: { readonly name: string; readonly type: string; readonly level: string },
  sequence: number,
  isCompliant: boolean
): AttestationRecord => ({
  sequence,
  id: `a${sequence}`,
  name: given.name,
  type: given.type,
  isCompliant,
  isOverride: false,
  fingerprint: given.level === "artifact" ? F : null,
  slots: [],
  commit: null
})

const attestations: FastCheck.Arbitrary<ReadonlyArray<AttestationRecord>> = FastCheck.array(
  FastCheck.record({
    name,
    type,
    level: FastCheck.constantFrom("artifact", "trail"),
    isCompliant: FastCheck.boolean()
  }),
  { maxLength: 5 }
).map((drawn) => drawn.map((each, index) => recordOf(each, index + 2, each.isCompliant)))

const rule = FastCheck.record({
  name: FastCheck.constantFrom(...NAMES, "*"),
  type: pattern,
  condition: FastCheck.constant(null),
  mustBeCompliant: FastCheck.boolean(),
  forControl: FastCheck.constant(null)
})

const compiledOf = (
  rules: ReadonlyArray<typeof rule extends FastCheck.Arbitrary<infer A> ? A : never>
) =>
  PolicyEvaluation.compile([
    {
      id: "p",
      name: "p",
      version: 1,
      document: {
        schema: "https://x.example/v1",
        provenance: { required: true, exceptions: [] },
        trailCompliance: { required: true, exceptions: [] },
        attestations: rules
      }
    }
  ])

/** What the flow knows of the artifact, as the service gathers it. */
const factsOf = (given: FlowTemplate, reported: ReadonlyArray<AttestationRecord>): Facts => {
  const { records } = TrailCompliance.evaluate({
    template: given,
    artifacts: [{ sequence: 1, id: "r", slot: "api", fingerprint: F, commit: null }],
    attestations: reported
  })
  const [standing] = records
  if (standing === undefined) throw new Error("the artifact has a record")
  return {
    artifact: { name: "api", fingerprint: F },
    flows: [
      {
        flow_name: "shop",
        tags: {},
        trail_name: "t1",
        artifact_status: standing.status,
        attestations: reported.map(({ fingerprint, isCompliant, name, sequence, type }) => ({
          sequence,
          name,
          type,
          is_compliant: isCompliant,
          level: fingerprint === null ? ("trail" as const) : ("artifact" as const),
          control: null
        })),
        entries: FailingEntries.of(given, standing)
      }
    ]
  }
}

const reporting = (
  reported: ReadonlyArray<AttestationRecord>,
  steps: ReadonlyArray<RemedyStep.Step>
): ReadonlyArray<AttestationRecord> => [
  ...reported,
  ...steps.flatMap((step, index) =>
    "attestation_name" in step
      ? [
          recordOf(
            { name: step.attestation_name, type: step.attestation_type, level: step.level },
            1_000 + index,
            true
          )
        ]
      : []
  )
]

describe("PolicyRemedy: laws on trails", () => {
  it.prop(
    "REMEDY-1, REMEDY-2: what is reported makes the trail and the policy say yes, and no step of it can go",
    { given: template, reported: attestations, rules: FastCheck.array(rule, { maxLength: 3 }) },
    ({ given, reported, rules }) => {
      const compiled = compiledOf(rules)
      const verdictAfter = (steps: ReadonlyArray<RemedyStep.Step>) =>
        PolicyEvaluation.evaluate(compiled, factsOf(given, reporting(reported, steps))).verdict
      for (const { steps } of PolicyRemedy.remedies(compiled, factsOf(given, reported))) {
        assert.strictEqual(verdictAfter(steps), "Compliant")
        for (const step of steps)
          assert.strictEqual(verdictAfter(steps.filter((other) => other !== step)), "NonCompliant")
      }
    },
    { fastCheck: { numRuns: lengthForRun({ quick: 330, full: 1_000, deep: 20_000 }) } }
  )
})
