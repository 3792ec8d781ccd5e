/** What silences, coming decays and changes of waivers fire. */
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { FastCheck } from "effect"
import * as EnvironmentTrigger from "../../src/notification/internal/EnvironmentTrigger.js"
import { EnvironmentId, EnvironmentName, OrgName } from "../../src/shared/Identifier.js"
import * as Timestamp from "../../src/shared/Timestamp.js"

const NOW = Timestamp.fromSeconds(1_767_225_600)
const LATER = Timestamp.fromSeconds(1_767_268_800)

const place = {
  org: OrgName.make("acme"),
  environment: EnvironmentName.make("prod"),
  environmentId: EnvironmentId.make("env-1"),
  at: NOW,
  snapshot: { index: 3, verdict: "Compliant" } as const
}

const waiver = {
  number: 4,
  policy_name: "prod-rules",
  expires_at: LATER,
  state: "active"
} as const

const changed = { ...place, waiver, change: "activated", sequence: 17 } as const

describe("EnvironmentTrigger", () => {
  it("names the environment, the instant and the next step", () => {
    deepStrictEqual(EnvironmentTrigger.ofSilence({ ...place, since: NOW }), {
      trigger: "ON_SILENT_ENV",
      key: `env-1@${NOW} ON_SILENT_ENV`,
      notification: {
        event_type: "ENVIRONMENT_SILENT",
        org: place.org,
        environment: place.environment,
        at: NOW,
        description:
          "environment prod missed its report that was due at 2026-01-01 00:00:00 UTC: check that its " +
          "reporter runs and reaches the service",
        snapshot: place.snapshot,
        silent_since: NOW
      }
    })
    const decays = [2, 1, null].map(
      (rows) =>
        EnvironmentTrigger.ofDecay({ ...place, dueAt: LATER, rows }).notification.description
    )
    const end = ": report new evidence or renew the exceptions before"
    deepStrictEqual(decays, [
      `environment prod is compliant until 2026-01-01 12:00:00 UTC, then 2 artifacts fail${end}`,
      `environment prod is compliant until 2026-01-01 12:00:00 UTC, then 1 artifact fails${end}`,
      `environment prod is compliant until 2026-01-01 12:00:00 UTC${end}`
    ])
  })

  it("describes each change of a waiver, and asks for more approvals where they are missing", () => {
    const describe = (
      change: EnvironmentTrigger.WaiverChanged["change"],
      state: EnvironmentTrigger.WaiverChanged["waiver"]["state"]
    ) =>
      EnvironmentTrigger.ofWaiver({ ...changed, change, waiver: { ...waiver, state } }).notification
        .description
    const name = "waiver 4 of policy prod-rules in prod"
    const until = "until 2026-01-01 12:00:00 UTC"
    deepStrictEqual(
      [
        describe("requested", "requested"),
        describe("approved", "requested"),
        describe("approved", "scheduled"),
        describe("activated", "active"),
        describe("rejected", "rejected"),
        describe("revoked", "revoked"),
        describe("expired", "expired"),
        describe("lapsed", "lapsed")
      ],
      [
        `${name} was requested ${until}: approve or reject it`,
        `${name} was approved and needs more approvals: approve or reject it`,
        `${name} was approved ${until}: remove the cause before it ends`,
        `${name} is in force ${until}: remove the cause before it ends`,
        `${name} was rejected: make the artifacts compliant, or request another waiver`,
        `${name} was revoked: make the artifacts compliant that it covered`,
        `${name} ended at 2026-01-01 12:00:00 UTC: ` +
          "make the artifacts compliant that it covered, or request an extension",
        `${name} lapsed without a decision: request it again if you still need it`
      ]
    )
  })

  const instant = FastCheck.integer({ min: 0, max: 3 }).map((seconds) =>
    Timestamp.plusSeconds(NOW, seconds)
  )
  const environmentId = FastCheck.constantFrom("env-1", "env-2").map((id) => EnvironmentId.make(id))
  const event = FastCheck.record({ environmentId, since: instant, at: instant })

  it.prop(
    "F-7: beginnings and ends of one silence have one key each, and silences have different keys",
    { left: event, right: event },
    ({ left, right }) => {
      const isSame = left.environmentId === right.environmentId && left.since === right.since
      for (const of of [EnvironmentTrigger.ofSilence, EnvironmentTrigger.ofReporting]) {
        const keys = [left, right].map((one) => of({ ...place, ...one }).key)
        assert.strictEqual(keys[0] === keys[1], isSame)
      }
      assert.notStrictEqual(
        EnvironmentTrigger.ofSilence({ ...place, ...left }).key,
        EnvironmentTrigger.ofReporting({ ...place, ...left }).key
      )
    }
  )

  it("has one key for each decay and for each change of a waiver", () => {
    const decays = [NOW, LATER].map(
      (dueAt) => EnvironmentTrigger.ofDecay({ ...place, dueAt, rows: 1 }).key
    )
    const again = { ...place, at: LATER, dueAt: NOW, rows: 2 }
    assert.strictEqual(EnvironmentTrigger.ofDecay(again).key, decays[0])
    const waivers = [
      changed,
      { ...changed, sequence: 18 },
      { ...changed, sequence: undefined },
      { ...changed, sequence: undefined, at: LATER },
      { ...changed, environmentId: EnvironmentId.make("env-2") }
    ].map((one) => EnvironmentTrigger.ofWaiver(one).key)
    assert.strictEqual(new Set([...decays, ...waivers]).size, 7)
  })
})
