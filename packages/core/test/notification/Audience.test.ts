/** Law AC-14 of deliveries to teams: a cut takes away whole members, says so, and changes nothing else. */
import * as Audience from "@attestry/core/Audience"
import { Fingerprint } from "@attestry/core/Fingerprint"
import { EnvironmentName, FlowName, OrgName, SlotName, TrailName } from "@attestry/core/Identifier"
import type { Notification, Provenance } from "@attestry/core/Notification"
import * as Timestamp from "@attestry/core/Timestamp"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck, Option } from "effect"

const CANARY = "canary"

const common = {
  org: OrgName.make("acme"),
  at: Timestamp.fromMillis(1),
  description: "something happened",
  environment: EnvironmentName.make("prod"),
  snapshot: { index: 3, verdict: "Compliant" }
} as const

const provenance: Provenance = {
  flow: FlowName.make(`${CANARY}-flow`),
  trail: TrailName.make(`${CANARY}-trail`),
  slot: SlotName.make(`${CANARY}-slot`),
  status: "COMPLIANT",
  commit: `${CANARY}-commit`,
  commit_url: `https://${CANARY}.example/commit`,
  build_url: `https://${CANARY}.example/build`
}

const known = { name: "web", fingerprint: Fingerprint.make("a".repeat(64)) }

const artifact = (of: Provenance | null) => ({
  ...common,
  event_type: "ARTIFACT_STARTED" as const,
  artifact: { ...known, provenance: of }
})

const ALL: ReadonlyArray<Notification> = [
  artifact(provenance),
  artifact(null),
  { ...common, event_type: "ENVIRONMENT_NON_COMPLIANT" }
]

const notifications = FastCheck.constantFrom(...ALL)

describe("a delivery to a team", () => {
  it.prop(
    "holds nothing of a flow that the team does not read, and says so (AC-11, AC-14)",
    { notification: notifications, about: FastCheck.boolean(), flow: FastCheck.boolean() },
    ({ notification, about, flow }) => {
      const cut = Audience.cut(notification, { about, flow })
      assert.strictEqual(Option.isSome(cut), about)
      if (Option.isNone(cut)) return
      if (!flow) assert.notInclude(JSON.stringify(cut.value), CANARY)
      const isHidden = !flow && "artifact" in notification && notification.artifact?.provenance
      if (!isHidden) return assert.strictEqual(cut.value, notification)
      const shown: Notification = {
        ...artifact(provenance),
        artifact: { ...known, provenance: null, hidden: true }
      }
      assert.deepStrictEqual(cut.value, shown)
    }
  )
})
