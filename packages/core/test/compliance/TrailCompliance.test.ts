import { assert, describe, it } from "@effect/vitest"
import * as AttestationBinding from "../../src/compliance/AttestationBinding.js"
import * as TrailCompliance from "../../src/compliance/TrailCompliance.js"
import {
  artifact,
  attest,
  c1,
  c2,
  E,
  evaluate,
  evidence,
  F,
  forBackend,
  onF,
  override,
  type Reported,
  short
} from "./TrailStory.js"

const one = "trail: {artifacts: [{name: backend, attestations: [{name: unit, type: junit}]}]}"

describe("where an attestation counts", () => {
  it("counts for every record of its fingerprint, reported before or after it", () => {
    const { records } = evaluate(one, [
      artifact("backend", F, c1),
      attest("unit", "junit", true, onF),
      artifact("backend", F, c2),
      artifact("frontend", F, null)
    ])
    assert.deepStrictEqual(
      records.map(({ status, attestations_statuses }) => [status, short(attestations_statuses)]),
      [
        ["COMPLIANT", ["unit junit #2 true"]],
        ["COMPLIANT", ["unit junit #2 true"]],
        ["COMPLIANT", ["unit junit #2 true !"]]
      ]
    )
  })

  it("counts by slot and commit for later rebuilds too, and never for another commit", () => {
    const { records } = evaluate(one, [
      attest("unit", "junit", true, forBackend),
      artifact("backend", F, c1),
      artifact("backend", E, c1),
      artifact("backend", E, c2),
      artifact("backend", E, null)
    ])
    assert.deepStrictEqual(
      records.map(({ status }) => status),
      ["COMPLIANT", "COMPLIANT", "INCOMPLETE", "INCOMPLETE"]
    )
  })

  it("counts for a fingerprint in the named slots only when both are given", () => {
    const { records } = evaluate("version: 1", [
      artifact("backend", F, c1),
      artifact("frontend", F, c1),
      attest("unit", "junit", false, { fingerprint: F, slots: ["frontend"], commit: c1 })
    ])
    assert.deepStrictEqual(
      records.map(({ status }) => status),
      ["COMPLIANT", "NON-COMPLIANT"]
    )
  })

  it("counts provisionally only until the slot has a record, whatever its commit", () => {
    const waiting = [attest("unit", "junit", false, forBackend)]
    assert.strictEqual(evaluate(one, waiting).trail.status, "NON-COMPLIANT")
    const arrived = evaluate(one, [...waiting, artifact("backend", E, c2)])
    assert.strictEqual(arrived.trail.status, "INCOMPLETE")
  })

  it("does not count an attestation on the artifact as one on the trail", () => {
    const { trail, slots } = evaluate("trail: {attestations: [{name: release, type: decision}]}", [
      artifact("backend", F, c1),
      attest("release", "decision", true, onF)
    ])
    assert.deepStrictEqual(short(trail.attestations_statuses), ["release system:decision - null"])
    assert.deepStrictEqual(short(slots.get("backend")?.attestations_statuses ?? []), [
      "release system:decision #2 true !"
    ])
    assert.strictEqual(trail.status, "INCOMPLETE")
  })

  it("counts the trail's own attestations for each artifact, and those of sibling slots for none", () => {
    const { trail, slots, records } = evaluate(
      "trail: {attestations: [{name: ticket, type: jira}], artifacts: [{name: a}, {name: b}]}",
      [
        artifact("a", F, c1),
        artifact("b", E, c1),
        attest("ticket", "jira", true),
        attest("lint", "generic", false, { fingerprint: E })
      ]
    )
    assert.strictEqual(trail.status, "NON-COMPLIANT")
    assert.strictEqual(slots.get("a")?.status, "COMPLIANT")
    assert.strictEqual(slots.get("b")?.status, "NON-COMPLIANT")
    assert.deepStrictEqual(records[0]?.attestations_statuses, [])
    assert.deepStrictEqual(records[1]?.flow_reasons_for_non_compliance, [
      {
        type: "non_compliant_attestation",
        level: "artifact",
        attestation_name: "lint",
        attestation_type: "generic"
      }
    ])
  })

  it("returns every bound attestation to other readers, oldest first, with their fields", () => {
    const given = evidence("version: 1", [
      artifact("backend", F, c1),
      attest("a", "generic", true, onF),
      attest("a", "generic", true, onF),
      attest("b", "generic", true, forBackend),
      attest("a", "generic", true, onF),
      attest("a", "generic", true, onF)
    ])
    const binding = AttestationBinding.make(
      given.attestations.map((attestation) => ({ ...attestation, control: attestation.sequence }))
    )
    const [record] = given.artifacts
    assert.deepStrictEqual(
      record === undefined ? [] : binding.bound(record).map(({ control }) => control),
      [2, 3, 4, 5, 6]
    )
  })
})

describe("overrides", () => {
  const trail = (reported: ReadonlyArray<Reported>, type = "junit") => {
    const { trail } = evaluate(`trail: {attestations: [{name: unit, type: "${type}"}]}`, reported)
    return [trail.status, ...short(trail.attestations_statuses)]
  }

  it("complete a slot without any report", () =>
    assert.deepStrictEqual(trail([override("unit", "junit", true)]), [
      "COMPLIANT",
      "unit junit #1 true"
    ]))

  it("refer to the override they replaced", () =>
    assert.deepStrictEqual(
      trail([
        attest("unit", "junit", true),
        override("unit", "junit", false),
        override("unit", "junit", true)
      ]),
      ["COMPLIANT", "unit junit #3<#2 true"]
    ))

  it("are superseded by a later ordinary attestation", () =>
    assert.deepStrictEqual(
      trail([override("unit", "junit", true), attest("unit", "junit", false)]),
      ["NON-COMPLIANT", "unit junit #2 false"]
    ))

  it("match by their original type only", () =>
    assert.deepStrictEqual(
      trail([attest("unit", "junit", false), override("unit", "generic", true)]),
      ["NON-COMPLIANT", "unit junit #1 false", "unit generic #2 true !"]
    ))

  it("of another scope replace nothing", () =>
    assert.deepStrictEqual(
      trail([attest("unit", "junit", false), override("unit", "junit", true, onF)]),
      ["NON-COMPLIANT", "unit junit #1 false"]
    ))

  it("of a custom type without reports match any custom type", () =>
    assert.deepStrictEqual(trail([override("unit", "custom", true)], "custom:coverage"), [
      "COMPLIANT",
      "unit custom #1 true"
    ]))
})

describe("what is expected and what is not", () => {
  it("is COMPLIANT with nothing expected and nothing reported", () =>
    assert.deepStrictEqual(evaluate("version: 1", []).trail, {
      status: "COMPLIANT",
      is_compliant: true,
      attestations_statuses: [],
      artifacts_statuses: {}
    }))

  it("shows the reported type for any type, and the asterisk while it is missing", () => {
    const template = 'trail: {attestations: [{name: a, type: "*"}, {name: b, type: "*"}]}'
    assert.deepStrictEqual(
      short(evaluate(template, [attest("a", "snyk", true)]).trail.attestations_statuses),
      ["a snyk #1 true", "b * - null"]
    )
  })

  it("lists what is unexpected in order of first report, each by its latest", () =>
    assert.deepStrictEqual(
      short(
        evaluate("version: 1", [
          attest("z", "generic", false),
          attest("a", "generic", true),
          attest("z", "junit", true)
        ]).trail.attestations_statuses
      ),
      ["z junit #3 true !", "a generic #2 true !"]
    ))

  it("is incomplete without an expected slot, even one that expects nothing", () => {
    const { trail, slots } = evaluate("trail: {artifacts: [{name: backend}]}", [])
    assert.strictEqual(trail.status, "INCOMPLETE")
    assert.isFalse(trail.is_compliant)
    assert.isFalse(slots.get("backend")?.unexpected)
  })

  it("is not incomplete without an unexpected slot, but fails with it", () => {
    const passing = evaluate("version: 1", [attest("unit", "junit", true, forBackend)])
    assert.strictEqual(passing.trail.status, "COMPLIANT")
    assert.strictEqual(passing.slots.get("backend")?.status, "MISSING")
    assert.isTrue(passing.slots.get("backend")?.unexpected)
    const failing = evaluate("version: 1", [attest("unit", "junit", false, forBackend)])
    assert.strictEqual(failing.trail.status, "NON-COMPLIANT")
  })

  it("lists expected slots first, then others in order of appearance", () => {
    const { slots } = evaluate("trail: {artifacts: [{name: z}]}", [
      artifact("y", F, c1),
      attest("unit", "junit", true, { slots: ["a", "__proto__"], commit: c1 }),
      artifact("b", F, c1)
    ])
    assert.deepStrictEqual([...slots.keys()], ["z", "y", "a", "__proto__", "b"])
  })

  it("expects both when a stored template names a slot twice", () => {
    const given = evidence("version: 1", [artifact("backend", F, c1)])
    const slot = (name: string) => ({
      name: "backend",
      attestations: [{ name, type: "junit" as const }]
    })
    const template = {
      version: 1 as const,
      trail: { attestations: [], artifacts: [slot("unit"), slot("e2e")] }
    }
    const { records } = TrailCompliance.evaluate({ ...given, template })
    assert.deepStrictEqual(short(records[0]?.attestations_statuses ?? []), [
      "unit junit - null",
      "e2e junit - null"
    ])
  })

  it("stays linear when thousands of builds and tests share one commit", () => {
    const reported = Array.from({ length: 4_000 }, (_, index) => [
      artifact("backend", index.toString(16).padStart(64, "0"), c1),
      attest("unit", "junit", index % 2 === 0, forBackend)
    ]).flat()
    const { records, trail } = evaluate(one, [
      ...reported,
      attest("unit", "junit", true, forBackend)
    ])
    assert.strictEqual(records.length, 4_000)
    assert.strictEqual(trail.status, "COMPLIANT")
  })
})
