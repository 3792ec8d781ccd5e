/** The attestations of a record in the facts, and their levels. */
import { assert, describe, it } from "@effect/vitest"
import * as Timestamp from "../../src/shared/Timestamp.js"
import * as RowFacts from "../../src/snapshot/RowFacts.js"

const F = "f".repeat(64)
const commit = "c".repeat(40)

const known = (more: Partial<RowFacts.KnownRecord["record"]> = {}): RowFacts.KnownRecord => ({
  record: { sequence: 1, id: "r1", slot: "api", fingerprint: F, commit, ...more },
  trail_id: "t1",
  flow_name: "build",
  tags: { kind: "build" },
  trail_name: "run-1",
  status: "COMPLIANT",
  at: Timestamp.fromMicros(1_000_000)
})

const attestation = (
  sequence: number,
  more: Partial<RowFacts.TrailAttestation> = {}
): RowFacts.TrailAttestation => ({
  trail_id: "t1",
  sequence,
  id: `a${sequence}`,
  name: "unit",
  type: "junit",
  isCompliant: true,
  isOverride: false,
  fingerprint: null,
  slots: [],
  commit: null,
  control: null,
  at: Timestamp.fromMicros(sequence * 1_000_000),
  ...more
})

const decision = (sequence: number, more: Partial<RowFacts.TrailAttestation> = {}) =>
  attestation(sequence, { type: "decision", name: "sign-off", control: "CTL-7", ...more })

const seen = (
  attestations: ReadonlyArray<RowFacts.TrailAttestation>,
  record = known()
): ReadonlyArray<readonly [number, string]> =>
  RowFacts.make(attestations)(record).attestations.map(({ level, sequence }) => [sequence, level])

describe("RowFacts", () => {
  it("has flow, tags, trail, slot and status of a record", () => {
    assert.deepStrictEqual(RowFacts.make([])(known()), {
      flow_name: "build",
      tags: { kind: "build" },
      trail_name: "run-1",
      template_reference_name: "api",
      artifact_status: "COMPLIANT",
      reported_at: 1,
      attestations: []
    })
  })

  it("has what policies ask about, without what is null", () => {
    const factsOf = (policy_facts: RowFacts.TrailAttestation["policy_facts"]) => {
      const [fact] = RowFacts.make([
        attestation(2, policy_facts === undefined ? {} : { policy_facts })
      ])(known()).attestations
      return [fact?.verification, fact?.facts]
    }
    const facts = { level: 3 }
    assert.deepStrictEqual(factsOf({ verification: "verified", facts }), ["verified", facts])
    assert.deepStrictEqual(factsOf({ verification: null, facts: null }), [undefined, undefined])
    assert.deepStrictEqual(factsOf(null), [undefined, undefined])
    assert.deepStrictEqual(factsOf(undefined), [undefined, undefined])
  })

  it("has the attestations of the record, by fingerprint or by slot and commit", () => {
    const attestations = [
      attestation(1, { fingerprint: F }),
      attestation(2, { slots: ["api"], commit }),
      attestation(3, { fingerprint: F, slots: ["api"] })
    ]
    assert.deepStrictEqual(seen(attestations), [
      [1, "artifact"],
      [2, "artifact"],
      [3, "artifact"]
    ])
  })

  it("has the attestations of the trail", () => {
    assert.deepStrictEqual(seen([attestation(1)]), [[1, "trail"]])
  })

  it("leaves out other artifacts, other slots, other commits and other trails", () => {
    const attestations = [
      attestation(1, { fingerprint: "e".repeat(64) }),
      attestation(2, { slots: ["web"], commit }),
      attestation(3, { slots: ["api"], commit: "d".repeat(40) }),
      attestation(4, { fingerprint: F, slots: ["web"] }),
      attestation(5, { trail_id: "t2" })
    ]
    assert.deepStrictEqual(seen(attestations), [])
    assert.deepStrictEqual(seen(attestations, { ...known(), trail_id: "t2" }), [[5, "trail"]])
  })

  it("an override of a decision counts for the control of the overridden one", () => {
    const override = { isOverride: true, control: null, isCompliant: false }
    const facts = RowFacts.make([
      decision(1, { control: "CTL-1" }),
      decision(2),
      decision(3, override),
      decision(4, { ...override, name: "other" })
    ])(known())
    assert.deepStrictEqual(
      facts.attestations.map(({ control, is_compliant, sequence }) => [
        sequence,
        control,
        is_compliant
      ]),
      [
        [1, "CTL-1", true],
        [2, "CTL-7", true],
        [3, "CTL-7", false],
        [4, null, false]
      ]
    )
  })

  it("finds the overridden one under the same name and target only, and never later", () => {
    const override = { isOverride: true, control: null }
    const controlOf = (...others: ReadonlyArray<RowFacts.TrailAttestation>) =>
      RowFacts.make([...others, decision(5, { ...override, fingerprint: F })])(
        known()
      ).attestations.find(({ sequence }) => sequence === 5)?.control
    assert.strictEqual(controlOf(decision(1, { fingerprint: F })), "CTL-7")
    assert.strictEqual(controlOf(decision(1)), null)
    assert.strictEqual(controlOf(decision(9, { fingerprint: F })), null)
    assert.strictEqual(controlOf(decision(1, { fingerprint: F, slots: ["api"] })), null)
  })
})
