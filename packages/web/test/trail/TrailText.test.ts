/** Trails in words. */
import { assert, describe, it } from "vitest"
import type { TrailEvent, TrailSummary } from "../../app/shared/Contract.js"
import { eventText, sightingsOf, standingOf } from "../../app/trail/TrailText.js"

const entry = (is_compliant: boolean | null, unexpected = false) => ({
  attestation_name: "a",
  attestation_type: "generic",
  attestation_id: is_compliant === null ? null : "1",
  overridden_attestation_id: null,
  status: is_compliant === null ? ("MISSING" as const) : ("COMPLETE" as const),
  is_compliant,
  unexpected
})

const standing = (
  compliance_state: TrailSummary["compliance_state"],
  entries: ReadonlyArray<ReturnType<typeof entry>>,
  built = true
) =>
  standingOf({
    compliance_state,
    compliance_status: {
      attestations_statuses: entries,
      artifacts_statuses: {
        app: { artifact_fingerprint: built ? "f" : null, attestations_statuses: [] }
      }
    }
  } as unknown as TrailSummary)

describe("how a trail stands", () => {
  it("names what failed and what is missing", () => {
    assert.strictEqual(
      standing("NON-COMPLIANT", [entry(false), entry(null), entry(true), entry(true, true)]),
      "1 attestation not compliant · 1 of 3 attestations missing"
    )
    assert.strictEqual(standing("INCOMPLETE", [entry(true)], false), "1 artifact missing")
    assert.strictEqual(standing("COMPLIANT", [entry(true)]), "all 1 attestation in place")
    assert.strictEqual(standing("COMPLIANT", []), "its artifacts are in place")
    assert.strictEqual(
      standingOf({
        compliance_state: "COMPLIANT",
        compliance_status: { attestations_statuses: [entry(true, true)], artifacts_statuses: {} }
      } as unknown as TrailSummary),
      "nothing is expected of this trail"
    )
    assert.strictEqual(standing("NON-COMPLIANT", []), "its artifacts are not compliant")
  })
})

const event = (type: string, more: object): TrailEvent =>
  ({
    org_id: "o",
    flow_id: "f",
    trail_id: "t",
    timestamp: 1,
    git_commit_info: null,
    repo_info: null,
    type,
    ...more
  }) as unknown as TrailEvent

const ran = (type: "started" | "stopped", environment: string, timestamp: number) =>
  event(`artifact_${type}_running`, {
    artifact_fingerprint: "f",
    environment_id: environment,
    environment_name: environment,
    snapshot_index: timestamp,
    timestamp
  })

describe("events", () => {
  it("are said in a few words", () => {
    const attested = { template_reference_name: "scan", is_compliant: false }
    assert.deepStrictEqual(
      [
        event("trail_reported", {}),
        event("trail_updated", { changes: ["description"] }),
        event("trail_attestation_reported", { ...attested, is_reattestation: true }),
        event("artifact_attestation_reported", { ...attested, target_artifact: "app" }),
        event("trail_attestation_reported", { ...attested, verification_state: "untrusted" }),
        ran("started", "prod", 3)
      ].map(eventText),
      [
        "begun",
        "updated: description",
        "scan reported again: not compliant",
        "scan reported for app: not compliant",
        "scan reported: not compliant, untrusted",
        "started to run in prod #3"
      ]
    )
  })

  it("say where an artifact runs and ran", () => {
    const events = [ran("started", "prod", 1), ran("started", "test", 2), ran("stopped", "test", 3)]
    assert.deepStrictEqual(
      sightingsOf(events, "f").map(({ environment, isRunning }) => [environment, isRunning]),
      [
        ["prod", true],
        ["test", false]
      ]
    )
    assert.deepStrictEqual(sightingsOf(events, "other"), [])
  })
})
