import { assert, describe, it } from "@effect/vitest"
import {
  artifact,
  attest,
  c1,
  c2,
  E,
  evaluate,
  F,
  forBackend,
  onF,
  override,
  type Reported,
  short
} from "./TrailStory.js"

const worked = `
version: 1
trail:
  attestations:
    - {name: jira-ticket, type: jira}
  artifacts:
    - name: backend
      attestations:
        - {name: unit-tests, type: junit}
        - {name: security-scan, type: snyk}
`

const story: ReadonlyArray<Reported> = [
  attest("unit-tests", "junit", true, forBackend),
  artifact("backend", F, c1),
  attest("jira-ticket", "jira", true),
  attest("security-scan", "generic", true, onF),
  attest("security-scan", "snyk", false, onF),
  override("security-scan", "snyk", true, onF),
  attest("lint", "generic", false, onF),
  attest("lint", "generic", true, onF),
  artifact("backend", E, c2)
]

describe("the worked example of 2.9", () => {
  const rows = [
    ["begin", "INCOMPLETE", "MISSING"],
    ["unit tests for the slot", "INCOMPLETE", "MISSING"],
    ["the artifact with the same commit", "INCOMPLETE", "INCOMPLETE"],
    ["the ticket on the trail", "INCOMPLETE", "INCOMPLETE"],
    ["the scan as a wrong type", "INCOMPLETE", "INCOMPLETE"],
    ["the scan failing", "NON-COMPLIANT", "NON-COMPLIANT"],
    ["an override of it", "COMPLIANT", "COMPLIANT"],
    ["an unexpected failure", "NON-COMPLIANT", "NON-COMPLIANT"],
    ["the same name passing", "COMPLIANT", "COMPLIANT"],
    ["another artifact with another commit", "INCOMPLETE", "INCOMPLETE"]
  ] as const

  for (const [count, [event, trailStatus, slotStatus]] of rows.entries())
    it(`row ${count}, ${event}: trail ${trailStatus}, slot ${slotStatus}`, () => {
      const { trail, slots } = evaluate(worked, story.slice(0, count))
      assert.strictEqual(trail.status, trailStatus)
      assert.strictEqual(slots.get("backend")?.status, slotStatus)
    })

  it("row 1 counts the unit tests provisionally, before there is an artifact", () => {
    const { slots } = evaluate(worked, story.slice(0, 1))
    assert.deepStrictEqual(slots.get("backend"), {
      artifact_fingerprint: null,
      artifact_id: null,
      status: "MISSING",
      is_compliant: null,
      unexpected: false,
      attestations_statuses: [
        {
          attestation_name: "unit-tests",
          attestation_type: "junit",
          attestation_id: "#1",
          overridden_attestation_id: null,
          status: "COMPLETE",
          is_compliant: true,
          unexpected: false
        },
        {
          attestation_name: "security-scan",
          attestation_type: "snyk",
          attestation_id: null,
          overridden_attestation_id: null,
          status: "MISSING",
          is_compliant: null,
          unexpected: false
        }
      ]
    })
  })

  it("row 4 shows the name twice: missing as expected, and unexpected as reported", () => {
    const { slots } = evaluate(worked, story.slice(0, 4))
    assert.deepStrictEqual(short(slots.get("backend")?.attestations_statuses ?? []), [
      "unit-tests junit #1 true",
      "security-scan snyk - null",
      "security-scan generic #4 true !"
    ])
  })

  it("row 6 shows the override and what it replaced", () => {
    const { slots } = evaluate(worked, story.slice(0, 6))
    assert.deepStrictEqual(short(slots.get("backend")?.attestations_statuses ?? []), [
      "unit-tests junit #1 true",
      "security-scan snyk #6<#5 true",
      "security-scan generic #4 true !"
    ])
  })

  it("row 9 keeps the old record compliant for environments where it runs", () => {
    const { slots, records } = evaluate(worked, story)
    assert.strictEqual(slots.get("backend")?.artifact_fingerprint, E)
    assert.deepStrictEqual(
      records.map(({ artifact_id, status }) => [artifact_id, status]),
      [
        ["#2", "COMPLIANT"],
        ["#9", "INCOMPLETE"]
      ]
    )
    assert.deepStrictEqual(records[1]?.flow_reasons_for_non_compliance, [
      {
        type: "missing_attestation",
        level: "artifact",
        attestation_name: "unit-tests",
        attestation_type: "junit"
      },
      {
        type: "missing_attestation",
        level: "artifact",
        attestation_name: "security-scan",
        attestation_type: "snyk"
      }
    ])
  })
})
