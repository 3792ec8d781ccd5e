import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { FastCheck, Option, Schema } from "effect"
import type { AttestationRecord } from "../../src/compliance/AttestationBinding.js"
import { type Status, TrailStatus } from "../../src/compliance/ComplianceStatus.js"
import * as TrailCompliance from "../../src/compliance/TrailCompliance.js"
import * as FlowTemplate from "../../src/flow/FlowTemplate.js"
import * as Templates from "../../testing/arbitrary/FlowTemplate.js"
import * as Histories from "../../testing/arbitrary/TrailHistory.js"
import * as Model from "../../testing/internal/model/TrailComplianceModel.js"
import { lengthForRun } from "../shared/Effort.js"

/** A normal run has a quarter of the trials of a deep one. */
const runs = (deep: number) => ({
  fastCheck: { numRuns: lengthForRun({ quick: deep / 10, full: deep / 4, deep }) }
})
const many = runs(300)

const evidence = Histories.trailHistory.map(
  ({ template, events }): TrailCompliance.TrailEvidence => ({
    template,
    ...Histories.record(events)
  })
)

const last = 1_000
const attestation = Histories.attestation.map(
  ({ _tag, ...said }): AttestationRecord => ({ ...said, sequence: last, id: "added" })
)

const adding = (
  before: TrailCompliance.TrailEvidence,
  added: AttestationRecord
): TrailCompliance.TrailEvidence => ({
  ...before,
  attestations: [...before.attestations, added]
})

const rank: Record<Status, number> = { "NON-COMPLIANT": 0, INCOMPLETE: 1, COMPLIANT: 2 }
const rankOf = (given: TrailCompliance.TrailEvidence): number =>
  rank[TrailCompliance.evaluate(given).trail.status]

/** Everything but the ids. */
const outcomes = (given: TrailCompliance.TrailEvidence): unknown =>
  JSON.parse(
    JSON.stringify(TrailCompliance.evaluate(given)).replace(
      /"(attestation_id|overridden_attestation_id)":"[^"]*"|"overridden_attestation_id":null/g,
      '"":0'
    )
  )

/** Status words only. */
const words = (given: TrailCompliance.TrailEvidence): unknown => {
  const { trail, records } = TrailCompliance.evaluate(given)
  return [
    trail.status,
    Object.entries(trail.artifacts_statuses).map(([slot, { status }]) => [slot, status]),
    records.map(({ artifact_id, status }) => [artifact_id, status])
  ]
}

const entriesOf = ({ trail }: TrailCompliance.TrailEvaluation) => [
  ...trail.attestations_statuses,
  ...Object.values(trail.artifacts_statuses).flatMap((slot) => slot.attestations_statuses)
]

describe("TrailCompliance laws", () => {
  it.prop(
    "agrees with the model on every history",
    { evidence },
    ({ evidence }) => {
      const fast = TrailCompliance.evaluate(evidence)
      const slow = Model.evaluate(evidence)
      assert.deepStrictEqual(fast, slow)
      assert.deepStrictEqual(
        Object.keys(fast.trail.artifacts_statuses),
        Object.keys(slow.trail.artifacts_statuses)
      )
    },
    runs(2_000)
  )

  it.prop(
    "agrees with the model for many reports under one name",
    { template: Templates.flowTemplate, events: Histories.crowdedEvents },
    ({ template, events }) => {
      const given = { template, ...Histories.record(events) }
      assert.deepStrictEqual(TrailCompliance.evaluate(given), Model.evaluate(given))
    },
    runs(1_000)
  )

  it.prop(
    "gives a single record the status it has among the others",
    { evidence },
    ({ evidence }) => {
      for (const record of TrailCompliance.evaluate(evidence).records)
        deepStrictEqual(
          TrailCompliance.evaluateRecord(evidence, record.artifact_id),
          Option.some(record)
        )
      deepStrictEqual(TrailCompliance.evaluateRecord(evidence, "nobody"), Option.none())
    },
    many
  )

  it.prop(
    "does not depend on the order in which evidence is given",
    { evidence },
    ({ evidence }) =>
      assert.deepStrictEqual(
        TrailCompliance.evaluate({
          ...evidence,
          artifacts: [...evidence.artifacts].reverse(),
          attestations: [...evidence.attestations].reverse()
        }),
        TrailCompliance.evaluate(evidence)
      ),
    many
  )

  it.prop(
    "TRAIL-1 follows the roll-up table, and is compliant exactly when COMPLIANT",
    { evidence },
    ({ evidence }) => {
      const evaluation = TrailCompliance.evaluate(evidence)
      const { trail, records } = evaluation
      const lacks = evidence.template.trail.artifacts.some(
        ({ name }) => !evidence.artifacts.some(({ slot }) => slot === name)
      )
      const rolledUp = Model.rollUp(entriesOf(evaluation))
      assert.strictEqual(trail.status, rolledUp === "COMPLIANT" && lacks ? "INCOMPLETE" : rolledUp)
      assert.strictEqual(trail.is_compliant, trail.status === "COMPLIANT")
      for (const record of records) {
        assert.strictEqual(record.is_compliant, record.status === "COMPLIANT")
        assert.strictEqual(
          record.status,
          Model.rollUp([...record.attestations_statuses, ...trail.attestations_statuses])
        )
        assert.strictEqual(record.flow_reasons_for_non_compliance.length === 0, record.is_compliant)
      }
    },
    many
  )

  it.prop(
    "TRAIL-2 is never INCOMPLETE with the empty template",
    { evidence },
    ({ evidence }) => {
      const { trail, records } = TrailCompliance.evaluate({
        ...evidence,
        template: FlowTemplate.empty
      })
      assert.notStrictEqual(trail.status, "INCOMPLETE")
      for (const record of records) assert.notStrictEqual(record.status, "INCOMPLETE")
    },
    many
  )

  it.prop(
    "TRAIL-3 has the same result when artifacts come before or after their attestations",
    { evidence },
    ({ evidence }) => {
      const later = <A extends { readonly sequence: number }>(items: ReadonlyArray<A>) =>
        items.map((item) => ({ ...item, sequence: item.sequence + last }))
      assert.deepStrictEqual(
        TrailCompliance.evaluate({ ...evidence, artifacts: later(evidence.artifacts) }),
        TrailCompliance.evaluate({ ...evidence, attestations: later(evidence.attestations) })
      )
    },
    many
  )

  it.prop(
    "TRAIL-4 repeating the latest attestation changes no status",
    { evidence },
    ({ evidence }) => {
      const latest = evidence.attestations.at(-1)
      if (latest !== undefined)
        assert.deepStrictEqual(
          words(adding(evidence, { ...latest, sequence: last, id: "again" })),
          words(evidence)
        )
    },
    many
  )

  it.prop(
    "TRAIL-5 a compliant attestation never makes the trail worse",
    { evidence, attestation },
    ({ evidence, attestation }) =>
      assert.isAtLeast(
        rankOf(adding(evidence, { ...attestation, isCompliant: true })),
        rankOf(evidence)
      ),
    many
  )

  it.prop(
    "TRAIL-6 a failing attestation on the trail always makes it NON-COMPLIANT, and all its records",
    { evidence, attestation },
    ({ evidence, attestation }) => {
      const failing = { ...attestation, isCompliant: false, fingerprint: null, slots: [] }
      const { trail, records } = TrailCompliance.evaluate(adding(evidence, failing))
      assert.strictEqual(trail.status, "NON-COMPLIANT")
      for (const record of records) assert.strictEqual(record.status, "NON-COMPLIANT")
    },
    many
  )

  it.prop(
    "TRAIL-7 taking a requirement out of the template never makes the trail worse",
    { evidence, at: FastCheck.nat(2), within: FastCheck.nat(3) },
    ({ evidence, at, within }) => {
      const { attestations, artifacts } = evidence.template.trail
      const without = <A>(items: ReadonlyArray<A>, index: number) =>
        items.filter((_, position) => position !== index)
      const lighter = [
        { attestations: without(attestations, at), artifacts },
        { attestations, artifacts: without(artifacts, at) },
        {
          attestations,
          artifacts: artifacts.map((artifact, index) =>
            index === at
              ? { ...artifact, attestations: without(artifact.attestations, within) }
              : artifact
          )
        }
      ]
      for (const trail of lighter)
        assert.isAtLeast(rankOf({ ...evidence, template: { version: 1, trail } }), rankOf(evidence))
    },
    many
  )

  it.prop(
    "TRAIL-8 a COMPLIANT trail has every expected slot filled, its newest records COMPLIANT",
    { evidence },
    ({ evidence }) => {
      const { trail } = TrailCompliance.evaluate(evidence)
      if (trail.status !== "COMPLIANT") return
      const slots = new Map(Object.entries(trail.artifacts_statuses))
      for (const { name } of evidence.template.trail.artifacts)
        assert.strictEqual(slots.get(name)?.status, "COMPLIANT")
    },
    runs(1_000)
  )

  it.prop(
    "TRAIL-9 evidence for another slot never changes a record",
    { evidence, attestation },
    ({ evidence, attestation }) => {
      if (attestation.slots.length === 0) return
      const unaffected = (given: TrailCompliance.TrailEvidence) =>
        TrailCompliance.evaluate(given).records.filter(
          (record) => !attestation.slots.includes(record.template_reference_name)
        )
      assert.deepStrictEqual(unaffected(adding(evidence, attestation)), unaffected(evidence))
    },
    many
  )

  it.prop(
    "TRAIL-10 an attestation by name with another commit never changes a record",
    { evidence, attestation },
    ({ evidence, attestation }) => {
      const floating = {
        ...attestation,
        fingerprint: null,
        slots: Templates.SLOT_NAMES,
        commit: "9".repeat(40)
      }
      assert.deepStrictEqual(
        TrailCompliance.evaluate(adding(evidence, floating)).records,
        TrailCompliance.evaluate(evidence).records
      )
    },
    many
  )

  it.prop(
    "TRAIL-11 an override has the effect of a new attestation of the original type",
    { evidence, attestation },
    ({ evidence, attestation }) =>
      assert.deepStrictEqual(
        outcomes(adding(evidence, { ...attestation, isOverride: true })),
        outcomes(adding(evidence, { ...attestation, isOverride: false }))
      ),
    many
  )

  it.prop(
    "TRAIL-12 evaluating with another template changes no earlier evaluation",
    { evidence, template: Templates.flowTemplate },
    ({ evidence, template }) => {
      const before = TrailCompliance.evaluate(evidence)
      const kept = structuredClone(before)
      TrailCompliance.evaluate({ ...evidence, template })
      assert.deepStrictEqual(before, kept)
      assert.deepStrictEqual(TrailCompliance.evaluate(evidence), kept)
    },
    many
  )

  it.prop(
    "TRAIL-13 MISSING means no outcome and no id, and is never unexpected",
    { evidence },
    ({ evidence }) => {
      for (const entry of entriesOf(TrailCompliance.evaluate(evidence))) {
        const isMissing = entry.status === "MISSING"
        assert.strictEqual(entry.is_compliant === null, isMissing)
        assert.strictEqual(entry.attestation_id === null, isMissing)
        if (isMissing) assert.isFalse(entry.unexpected)
      }
    },
    many
  )

  it.prop(
    "TRAIL-14 every template that is accepted can be satisfied by reports",
    { template: Templates.printable },
    ({ template }) => {
      const accepted = FlowTemplate.parse(FlowTemplate.print(template))
      assert.deepStrictEqual(accepted._tag, "Right")
      const said = (pair: FlowTemplate.ExpectedAttestation, slots: ReadonlyArray<string>) => ({
        _tag: "Attestation" as const,
        name: pair.name,
        type: pair.type === "*" ? "generic" : pair.type,
        isCompliant: true,
        isOverride: false,
        fingerprint: null,
        slots,
        commit: Histories.COMMITS[0]
      })
      const events = [
        ...template.trail.attestations.map((pair) => said(pair, [])),
        ...template.trail.artifacts.flatMap(({ name, attestations }) => [
          ...attestations.map((pair) => said(pair, [name])),
          {
            _tag: "Artifact" as const,
            slot: name,
            fingerprint: Histories.FINGERPRINTS[0],
            commit: Histories.COMMITS[0]
          }
        ])
      ]
      const { trail } = TrailCompliance.evaluate({ template, ...Histories.record(events) })
      assert.strictEqual(trail.status, "COMPLIANT")
    },
    many
  )

  it.prop(
    "survives storage: decodes what it encodes",
    { evidence },
    ({ evidence }) => {
      const { trail } = TrailCompliance.evaluate(evidence)
      const stored: unknown = JSON.parse(JSON.stringify(Schema.encodeSync(TrailStatus)(trail)))
      assert.deepStrictEqual(Schema.decodeUnknownSync(TrailStatus)(stored), trail)
    },
    many
  )
})
