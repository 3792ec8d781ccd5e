/** Which triggers fire, how often, and for which targets. */
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { FastCheck } from "effect"
import {
  type EnvironmentNotification,
  Trigger
} from "../../src/notification/EnvironmentNotification.js"
import * as NotificationTrigger from "../../src/notification/internal/NotificationTrigger.js"
import {
  EnvironmentId,
  EnvironmentName,
  NotificationTargetId,
  OrgName
} from "../../src/shared/Identifier.js"
import * as Timestamp from "../../src/shared/Timestamp.js"
import type { Verdict } from "../../src/shared/Verdict.js"
import * as Generated from "../../testing/arbitrary/SnapshotHistory.js"
import * as Reports from "../../testing/EnvironmentReport.js"
import type { Step } from "../../testing/internal/model/EnvironmentWorld.js"
import * as Model from "../../testing/internal/model/NotificationTriggerModel.js"
import * as History from "../../testing/internal/model/SnapshotHistoryFold.js"

const occasion = {
  org: OrgName.make("acme"),
  environment: EnvironmentName.make("prod"),
  environmentId: EnvironmentId.make("env-1"),
  at: Timestamp.fromSeconds(1_790_000_000)
}

const rowsOf = ({ running, exited }: History.FoldSnapshot) =>
  [...running, ...exited].map(({ row, annotation }) => ({
    place: "prod",
    name: row.name,
    fingerprint: row.fingerprint,
    annotation,
    provenance: null
  }))

/** The firings of each snapshot of a history. */
const firingsOf = (steps: ReadonlyArray<Step>) => {
  const { snapshots } = History.fold(steps)
  return snapshots.flatMap((snapshot, at) =>
    NotificationTrigger.ofSnapshot({
      ...occasion,
      snapshot: { index: snapshot.index, verdict: snapshot.verdict },
      previousVerdict: snapshots[at - 1]?.verdict ?? null,
      rows: rowsOf(snapshot),
      warned: 0
    })
  )
}

const owedBy = (steps: ReadonlyArray<Step>) =>
  Model.fold(
    History.fold(steps).snapshots.map((snapshot) => ({
      index: snapshot.index,
      verdict: snapshot.verdict,
      rows: rowsOf(snapshot).map(({ name, fingerprint, annotation }) => ({
        name,
        fingerprint,
        annotation: annotation.type
      }))
    }))
  )

const asOwed = ({ trigger, notification }: NotificationTrigger.Firing): Model.Owed => {
  if (!("snapshot" in notification)) return assert.fail("only environments are told about here")
  const artifact = "artifact" in notification ? notification.artifact : null
  return {
    trigger,
    index: notification.snapshot?.index ?? 0,
    row: artifact === null ? "" : `${artifact.fingerprint}:${artifact.name}`
  }
}

const { history } = Generated

describe("triggers over histories", () => {
  it.prop(
    "fire exactly what a fold over the snapshots fires (law NOTIFY-2)",
    { steps: history },
    ({ steps }) => deepStrictEqual(firingsOf(steps).map(asOwed), owedBy(steps)),
    { fastCheck: { numRuns: process.env.ATTESTRY_DEEP === undefined ? 600 : 3_000 } }
  )

  it.prop("have one key for one event", { steps: history }, (given) => {
    const firings = firingsOf(given.steps)
    const keys = firings.map(({ key }) => key)
    assert.strictEqual(new Set(keys).size, keys.length)
    const again = firingsOf(given.steps).map(({ key }) => key)
    assert.deepStrictEqual(again, keys)
  })

  it.prop(
    "alternate between non-compliant and compliant, beginning with the former (law NOTIFY-1)",
    { verdicts: FastCheck.array(FastCheck.constantFrom<Verdict>("Compliant", "NonCompliant")) },
    ({ verdicts }) => {
      const fired = verdicts.flatMap((verdict, at) => {
        const trigger = NotificationTrigger.verdictTrigger(verdicts[at - 1] ?? null, verdict)
        return trigger === null ? [] : [trigger]
      })
      fired.forEach((trigger, at) => {
        assert.strictEqual(trigger, at % 2 === 0 ? "ON_NON_COMPLIANT_ENV" : "ON_COMPLIANT_ENV")
      })
    }
  )
})

describe("triggers of verdicts", () => {
  const cases: ReadonlyArray<readonly [Verdict | null, Verdict, Trigger | null]> = [
    [null, "NonCompliant", "ON_NON_COMPLIANT_ENV"],
    ["Unknown", "NonCompliant", "ON_NON_COMPLIANT_ENV"],
    ["Compliant", "NonCompliant", "ON_NON_COMPLIANT_ENV"],
    ["NonCompliant", "NonCompliant", null],
    ["NonCompliant", "Compliant", "ON_COMPLIANT_ENV"],
    ["Unknown", "Compliant", null],
    [null, "Compliant", null],
    ["Compliant", "Compliant", null],
    ["NonCompliant", "Unknown", null],
    [null, "Unknown", null]
  ]
  for (const [before, after, expected] of cases) {
    it(`from ${before ?? "no snapshot"} to ${after} fires ${expected ?? "nothing"}`, () => {
      assert.strictEqual(NotificationTrigger.verdictTrigger(before, after), expected)
    })
  }
})

describe("the content of a firing", () => {
  const [fingerprint] = Reports.fingerprints
  const provenance = null

  it("names the row, its snapshot and the event", () => {
    const [firing] = NotificationTrigger.ofSnapshot({
      ...occasion,
      snapshot: { index: 4, verdict: "Unknown" },
      previousVerdict: "Unknown",
      warned: 0,
      rows: [
        {
          place: "prod",
          name: "shop",
          fingerprint,
          annotation: { type: "started-unknown", was: 0, now: 3 },
          provenance
        }
      ]
    })
    assert.deepStrictEqual(firing?.notification, {
      event_type: "ARTIFACT_STARTED",
      org: occasion.org,
      environment: occasion.environment,
      at: occasion.at,
      description: "3 instances started running (from 0 to 3)",
      snapshot: { index: 4, verdict: "Unknown" },
      artifact: { name: "shop", fingerprint, provenance }
    })
  })

  it("distinguishes two members of a logical environment", () => {
    const row = {
      name: "shop",
      fingerprint,
      annotation: { type: "exited", was: 1, now: 0 },
      provenance
    } as const
    const firings = NotificationTrigger.ofSnapshot({
      ...occasion,
      snapshot: { index: 4, verdict: "Unknown" },
      previousVerdict: "Unknown",
      warned: 0,
      rows: [
        { ...row, place: "east" },
        { ...row, place: "west" }
      ]
    })
    assert.strictEqual(new Set(firings.map(({ key }) => key)).size, 2)
  })

  it("says once for a snapshot how many rows are newly warned about", () => {
    const made = (warned: number) =>
      NotificationTrigger.ofSnapshot({
        ...occasion,
        snapshot: { index: 4, verdict: "Compliant" },
        previousVerdict: "Compliant",
        rows: [],
        warned
      })
    assert.deepStrictEqual(made(0), [])
    assert.deepStrictEqual(
      [1, 2].flatMap(made).map(({ notification, trigger }) => [trigger, notification.description]),
      [
        [
          "ON_WARNED_ENV",
          `policies on trial warn about 1 more artifact in ${occasion.environment}`
        ],
        [
          "ON_WARNED_ENV",
          `policies on trial warn about 2 more artifacts in ${occasion.environment}`
        ]
      ]
    )
  })

  it("has another key for an entry that is added again", () => {
    const allowed = (at: Timestamp.Timestamp) =>
      NotificationTrigger.ofAllowance({
        ...occasion,
        at,
        snapshot: null,
        row: { name: "shop", fingerprint, provenance }
      })
    const [one, other] = [allowed(occasion.at), allowed(Timestamp.plusSeconds(occasion.at, 1))]
    assert.strictEqual(one.trigger, "ON_ALLOWED_ARTIFACT")
    assert.notStrictEqual(one.key, other.key)
    assert.strictEqual(one.key, allowed(occasion.at).key)
  })
})

describe("the targets of a firing", () => {
  const trigger = FastCheck.constantFrom(...Trigger.literals)
  const target = FastCheck.record({
    id: FastCheck.uuid().map((id) => NotificationTargetId.make(id)),
    target: FastCheck.constant({ type: "CHAT", webhook: "https://chat.example.org/x" } as const),
    context: FastCheck.constant(null),
    last_success_at: FastCheck.constant(null),
    last_failure_at: FastCheck.constant(null),
    last_error: FastCheck.constant(null),
    disabled_at: FastCheck.constantFrom(null, occasion.at)
  })
  const subscription: FastCheck.Arbitrary<Pick<EnvironmentNotification, "triggers" | "targets">> =
    FastCheck.record({
      triggers: FastCheck.uniqueArray(trigger, { minLength: 1 }),
      targets: FastCheck.array(target, { maxLength: 3 })
    })

  it.prop(
    "are every enabled target of every subscription to the trigger, and no other",
    { steps: history, subscriptions: FastCheck.array(subscription, { maxLength: 4 }) },
    ({ steps, subscriptions }) => {
      const firings = firingsOf(steps)
      const expected = firings.flatMap((firing) => {
        const told: Array<string> = []
        for (const { triggers, targets } of subscriptions) {
          for (const { id, disabled_at } of targets) {
            if (disabled_at === null && triggers.some((asked) => asked === firing.trigger)) {
              told.push(`${firing.key} ${id}`)
            }
          }
        }
        return told
      })
      assert.deepStrictEqual(
        NotificationTrigger.address(firings, subscriptions).map(
          (addressed) => `${addressed.firing.key} ${addressed.target.id}`
        ),
        expected
      )
    }
  )
})
