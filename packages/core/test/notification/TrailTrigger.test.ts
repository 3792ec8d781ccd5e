/** Which triggers of flows fire, and with which notification. */
import * as Identifier from "@attestry/core/Identifier"
import { Notification } from "@attestry/core/Notification"
import * as Timestamp from "@attestry/core/Timestamp"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as TrailTrigger from "../../src/notification/internal/TrailTrigger.js"
import type { TrailOccurrence } from "../../src/trail/internal/TrailListener.js"

const occasion: TrailTrigger.TrailTriggerInput = {
  org: Identifier.OrgName.make("acme"),
  at: Timestamp.fromSeconds(1_790_000_000),
  flow: Identifier.FlowName.make("shop"),
  trailId: Identifier.TrailId.make("trail-id"),
  trail: { name: Identifier.TrailName.make("t1"), status: "COMPLIANT" },
  artifact: null
}

const fingerprint = "a".repeat(64)
const attestation = { id: "attestation-id", name: "unit", type: "generic", isCompliant: false }

const CASES: ReadonlyArray<
  readonly [TrailOccurrence, trigger: string, type: string, text: string]
> = [
  [{ _tag: "TrailBegun" }, "ON_STARTED_TRAIL", "TRAIL_STARTED", "trail t1 of flow shop was begun"],
  [
    { _tag: "ArtifactReported", id: "artifact-id", fingerprint },
    "ON_ATTESTED_PROVENANCE",
    "ARTIFACT_ATTESTED",
    `${fingerprint} was reported to trail t1 of flow shop`
  ],
  [
    { _tag: "ApprovalRecorded", id: "approval-id", fingerprint },
    "ON_APPROVAL",
    "APPROVAL_REPORTED",
    `an approval of ${fingerprint} was recorded on trail t1 of flow shop`
  ],
  [
    { _tag: "AttestationReported", attestation, fingerprint: null },
    "ON_ATTESTATION",
    "ATTESTATION_REPORTED",
    "attestation unit was reported to trail t1 of flow shop: not compliant"
  ]
]

describe("TrailTrigger", () => {
  for (const [occurrence, trigger, event_type, description] of CASES) {
    it(`fires ${trigger} for ${occurrence._tag}`, () => {
      const firing = TrailTrigger.firingOf(occurrence, occasion)
      assert.strictEqual(firing.trigger as string, trigger)
      assert.strictEqual(TrailTrigger.triggerOf(occurrence), firing.trigger)
      const { notification } = firing
      assert.deepStrictEqual(
        [notification.event_type as string, notification.description],
        [event_type, description]
      )
      const again = Schema.decodeUnknownSync(Notification)(notification)
      assert.deepStrictEqual(again, notification)
    })
  }

  it("has a key for each thing that is stored, and one for the begin of a trail", () => {
    const keys = CASES.map(([occurrence]) => TrailTrigger.firingOf(occurrence, occasion).key)
    assert.deepStrictEqual(keys, [
      "ON_STARTED_TRAIL trail-id",
      "ON_ATTESTED_PROVENANCE artifact-id",
      "ON_APPROVAL approval-id",
      "ON_ATTESTATION attestation-id"
    ])
  })

  it("has the artifact of everything but the begin of a trail", () => {
    const artifact = { name: "app", fingerprint: "" as const, provenance: null }
    const shown = CASES.map(([occurrence]) => {
      const { notification } = TrailTrigger.firingOf(occurrence, { ...occasion, artifact })
      return "artifact" in notification ? notification.artifact : undefined
    })
    assert.deepStrictEqual(shown, [null, artifact, artifact, artifact])
  })
})
