/** The contract of `AuditStore` about commits in rows of snapshots, and about addresses of notifications. */

import { AuditStore } from "@attestry/core/AuditStore"
import * as Environment from "@attestry/core/Environment"
import { Fingerprint } from "@attestry/core/Fingerprint"
import type { FlowView } from "@attestry/core/FlowView"
import {
  ArtifactId,
  CommitSha,
  DeliveryId,
  FlowId,
  SlotName,
  TrailId,
  TrailName
} from "@attestry/core/Identifier"
import { NotificationStore } from "@attestry/core/NotificationStore"
import * as NotificationTarget from "@attestry/core/NotificationTarget"
import type { Org } from "@attestry/core/Org"
import { OutboxStore } from "@attestry/core/OutboxStore"
import { SEMANTICS } from "@attestry/core/PolicySemantics"
import type { SnapshotRow } from "@attestry/core/Snapshot"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import * as Timestamp from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Fixture from "../Fixture.js"
import * as NotificationFixture from "../NotificationFixture.js"
import type { SuiteIt } from "../Suite.js"

const LEFT = "**ERASED**"

const viewOf = (trail: string, author: string): FlowView => ({
  flow_id: FlowId.make("flow-1"),
  trail_id: TrailId.make(trail),
  trail_name: TrailName.make(trail),
  slot: SlotName.make("web"),
  artifact_id: ArtifactId.make("artifact-1"),
  status: "COMPLIANT",
  reasons: [],
  git_commit: null,
  commit_url: null,
  repo: null,
  previous: null,
  first_reported_at: Fixture.AT,
  git_commit_info: {
    sha1: CommitSha.make("a".repeat(40)),
    author,
    message: "by hand",
    branch: author
  }
})

const rowOf = (name: string, index: number, flows: ReadonlyArray<FlowView>): SnapshotRow => ({
  name,
  fingerprint: Fingerprint.make("a".repeat(64)),
  creationTimestamp: [1],
  verdict: "Unknown" as const,
  started_index: index,
  flows,
  decisions: [],
  pods: null,
  container_task_context: null,
  serverless_run_context: null,
  cloudx_app_context: null
})

/** Appends a snapshot in which rows begin. */
const append = (
  ref: Environment.EnvironmentRef,
  index: number,
  begun: ReadonlyArray<SnapshotRow>
) =>
  Effect.flatMap(SnapshotStore, (store) =>
    store.append(ref, {
      index,
      timestamp: Timestamp.plusSeconds(Fixture.AT, index),
      verdict: "Unknown",
      counts: { true: 0, false: 0, null: index },
      policies: [],
      ended: [],
      begun,
      events: [],
      evaluated_all: true,
      semantics: SEMANTICS
    })
  )

const commitsOf = (ref: Environment.EnvironmentRef, index: number) =>
  Effect.gen(function* () {
    const found = yield* (yield* SnapshotStore).find(ref, { _tag: "AtIndex", index })
    return Option.getOrThrow(found)
      .rows.flatMap(({ flows, name }) =>
        flows.map(({ git_commit_info: commit, trail_id }) => [
          name,
          trail_id,
          commit?.author,
          commit?.message,
          commit?.branch
        ])
      )
      .sort()
  })

/** Commits in rows of snapshots. */
export const commitTests = (it: SuiteIt): void => {
  it.effect("replaces what rows say of commits of a trail, in every snapshot of this org", () =>
    Effect.gen(function* () {
      const copies = yield* AuditStore
      const [org, other] = [yield* Fixture.org, yield* Fixture.org]
      const place = Environment.ref(yield* Fixture.environment(org))
      const elsewhere = Environment.ref(yield* Fixture.environment(other))
      const both = [viewOf("one", "Ada"), viewOf("two", "Ada")]
      yield* append(place, 1, [rowOf("app", 1, both)])
      yield* append(place, 2, [rowOf("web", 2, [viewOf("two", "Ada")])])
      yield* append(place, 3, [rowOf("job", 3, [viewOf("one", "Eve")])])
      yield* append(elsewhere, 1, [rowOf("app", 1, both)])
      const texts = { trail: "one", texts: ["Ada"] }
      assert.deepStrictEqual(yield* copies.listCommits(org.id, texts), [
        { environment: place.environment, index: 1 }
      ])
      assert.deepStrictEqual(yield* copies.listCommits(org.id, { trail: "one", texts: ["x"] }), [])
      const before = yield* commitsOf(elsewhere, 1)
      yield* copies.eraseTexts(org.id, { ...texts, left: LEFT })
      assert.deepStrictEqual(yield* commitsOf(place, 3), [
        ["app", "one", LEFT, "by hand", "Ada"],
        ["app", "two", "Ada", "by hand", "Ada"],
        ["job", "one", "Eve", "by hand", "Eve"],
        ["web", "two", "Ada", "by hand", "Ada"]
      ])
      assert.deepStrictEqual(yield* commitsOf(place, 1), [
        ["app", "one", LEFT, "by hand", "Ada"],
        ["app", "two", "Ada", "by hand", "Ada"]
      ])
      assert.deepStrictEqual(yield* commitsOf(elsewhere, 1), before)
      assert.deepStrictEqual(yield* copies.listCommits(org.id, texts), [])
      yield* copies.eraseTexts(org.id, { trail: "two", texts: ["Ada", "by hand"], left: LEFT })
      assert.deepStrictEqual((yield* commitsOf(place, 2)).at(-1), ["web", "two", LEFT, LEFT, "Ada"])
    })
  )
}

const MAIL: NotificationTarget.NotificationTarget = {
  type: "EMAIL",
  emails: ["ada@example.org", "ops@example.org"]
}

/** A subscription with a chat and mail addresses, and a delivery to each. */
const subscribed = (org: Org) =>
  Effect.gen(function* () {
    const store = yield* NotificationStore
    const made = yield* NotificationFixture.subscription(org)
    const mail = yield* NotificationFixture.newTarget(MAIL)
    const next = { ...made, targets: [...made.targets, mail] }
    yield* (yield* Transaction).run(org.id, () => store.updateEnvironmentNotification(next))
    const deliveries = yield* Effect.forEach(next.targets, (target) =>
      NotificationFixture.newDelivery(org, target)
    )
    yield* (yield* OutboxStore).append(deliveries)
    return { ...next, mail, deliveries }
  })

/** Addresses of notifications. */
export const addressTests = (it: SuiteIt): void => {
  it.effect("takes addresses out of a target and its deliveries; what has none is disabled", () =>
    Effect.gen(function* () {
      const [copies, store] = [yield* AuditStore, yield* NotificationStore]
      const org = yield* Fixture.org
      const { deliveries, mail, number, targets } = yield* subscribed(org)
      const [chat] = targets
      const shown = Effect.gen(function* () {
        const found = Option.getOrThrow(
          yield* store.findEnvironmentNotification({ org: org.id, number })
        )
        return found.targets.map(({ disabled_at, target }) => [
          target.type === "EMAIL" ? target.emails : target.webhook,
          disabled_at
        ])
      })
      const waiting = Effect.map(copies.listDeliveries(org.id, ["event_type"]), (found) =>
        found.map(({ id }) => DeliveryId.make(id))
      )
      const erase = (target: string | null, ...texts: ReadonlyArray<string>) =>
        copies.eraseAddresses(org.id, { target, urls: texts, emails: texts, at: Fixture.LATER })
      const url = "https://chat.example.org/0"
      yield* erase(mail.id, url, "nobody@example.org")
      assert.deepStrictEqual(yield* shown, [
        [url, null],
        [["ada@example.org", "ops@example.org"], null]
      ])
      yield* erase(mail.id, "ada@example.org")
      assert.deepStrictEqual(yield* shown, [
        [url, null],
        [["ops@example.org"], null]
      ])
      assert.lengthOf(yield* waiting, 2)
      yield* erase(chat?.id ?? "", url)
      assert.deepStrictEqual(yield* shown, [
        [NotificationTarget.ERASED_URL, Fixture.LATER],
        [["ops@example.org"], null]
      ])
      assert.deepStrictEqual(yield* waiting, [deliveries[1]?.id])
      yield* erase(null, "ops@example.org")
      assert.deepStrictEqual((yield* shown)[1], [["ops@example.org"], null])
      assert.deepStrictEqual(yield* waiting, [])
    })
  )
}
