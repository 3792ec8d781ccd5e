/** The contract of `OutboxStore` for choosing queues, deleting dead letters and counting. */

import * as Audience from "@attestry/core/Audience"
import type { DeliveryOutcome } from "@attestry/core/Delivery"
import { FlowId, TeamId } from "@attestry/core/Identifier"
import { NotificationStore } from "@attestry/core/NotificationStore"
import type { StoredTarget } from "@attestry/core/NotificationTarget"
import { OutboxStore } from "@attestry/core/OutboxStore"
import type { Ports } from "@attestry/core/Ports"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "../Fixture.js"
import * as NotificationFixture from "../NotificationFixture.js"
import { type SuiteIt, type SuiteOptions, suite } from "../Suite.js"
import { ALL, ALL_PAGE, DELIVERED, drained, idsOf, one, settled, waiting } from "./OutboxFixture.js"

const audiences = (it: SuiteIt) => {
  it.effect("keeps for whom a delivery is, and what of it has a place", () =>
    Effect.gen(function* () {
      const store = yield* OutboxStore
      const { org, subscription } = yield* waiting(1, 0)
      const made = yield* NotificationFixture.newDelivery(org, one(subscription.targets))
      const audience = {
        team: TeamId.make("t1"),
        about: { kind: "environment", id: "e1" },
        flow: FlowId.make("f1")
      } as const
      yield* store.append([{ ...made, audience }])
      const claimed = one(yield* store.claim(ALL))
      deepStrictEqual(claimed.audience, audience)
      yield* settled({ _tag: "Dead", error: "timeout" }, claimed)
      deepStrictEqual(one((yield* store.listDead(org.id, ALL_PAGE)).items).audience, audience)
    })
  )

  it.effect("lists and replays dead letters for some audiences alone", () =>
    Effect.gen(function* () {
      const store = yield* OutboxStore
      const { org, subscription } = yield* waiting(1, 1)
      const team = TeamId.make("t1")
      const about = { kind: "flow", id: "f1" } as const
      const given = [{ team }, { team, about }, { team: TeamId.make("t2"), about }, { team, about }]
      for (const audience of given) {
        const made = yield* NotificationFixture.newDelivery(org, one(subscription.targets))
        yield* store.append([{ ...made, audience }])
      }
      deepStrictEqual(yield* store.listDeadAudiences(org.id), [])
      const claimed = yield* store.claim(ALL)
      yield* settled({ _tag: "Dead", error: "timeout" }, ...claimed)
      const found = yield* store.listDeadAudiences(org.id)
      const texts = (all: ReadonlyArray<unknown>) => all.map((each) => JSON.stringify(each)).sort()
      deepStrictEqual(
        texts(found.map(Audience.keyOf)),
        texts(given.slice(0, 3).map(Audience.keyOf))
      )
      const idsFor = (wanted: ReadonlyArray<Audience.Audience>) =>
        claimed
          .filter(
            ({ audience }) =>
              audience != null && wanted.map(Audience.keyOf).includes(Audience.keyOf(audience))
          )
          .map(({ id }) => id)
          .sort()
      for (const wanted of [given.slice(0, 1), given.slice(1, 2), given.slice(0, 3), []]) {
        const { items, total } = yield* store.listDead(org.id, ALL_PAGE, wanted)
        deepStrictEqual([...idsOf(items)].sort(), idsFor(wanted))
        assert.strictEqual(total, items.length)
        assert.strictEqual(idsFor(given).length, 4)
      }
      const [foreign] = idsFor(given.slice(2, 3))
      if (foreign === undefined) throw new Error("none is of the other team")
      deepStrictEqual(yield* store.replay(org.id, [foreign], given.slice(0, 2)), [])
      deepStrictEqual(yield* store.replay(org.id, "all", []), [])
      deepStrictEqual(
        yield* store.replay(org.id, "all", given.slice(0, 2)),
        idsFor(given.slice(0, 2))
      )
      assert.strictEqual((yield* store.listDead(org.id, ALL_PAGE)).total, 2)
    })
  )

  it.effect("removes a dropped delivery, and leaves its target as it was", () =>
    Effect.gen(function* () {
      const store = yield* OutboxStore
      const { org, subscription } = yield* waiting(1, 2)
      const [first, second] = yield* store.claim(ALL)
      if (first === undefined || second === undefined) throw new Error("two are missing")
      assert.strictEqual((yield* settled({ _tag: "Dropped" }, first)).length, 1)
      const { number } = subscription
      const found = yield* (yield* NotificationStore).findEnvironmentNotification({
        org: org.id,
        number
      })
      deepStrictEqual(found, Option.some(subscription))
      yield* settled({ _tag: "Released" }, second)
      assert.deepStrictEqual(idsOf(yield* store.claim(ALL)), [second.id])
      deepStrictEqual(yield* store.listDead(org.id, ALL_PAGE), { items: [], total: 0 })
    })
  )
}

const choosing = (it: SuiteIt) => {
  it.effect("claims from the named queues only", () =>
    Effect.gen(function* () {
      const store = yield* OutboxStore
      const { org, deliveries, subscription } = yield* waiting(3, 2)
      const [first, second] = subscription.targets
      if (first === undefined || second === undefined) throw new Error("two targets are missing")
      const keyOf = ({ id }: StoredTarget) => ({ org_id: org.id, queue: id })
      const of = ({ id }: StoredTarget) => deliveries.filter(({ queue }) => queue === id)
      const only = yield* store.claim({ ...ALL, from: { _tag: "Only", queues: [keyOf(first)] } })
      assert.deepStrictEqual(idsOf(only), idsOf(of(first)))
      const other = yield* Fixture.org
      const queues = [keyOf(second), { org_id: other.id, queue: subscription.targets[2]?.id ?? "" }]
      const rest = yield* store.claim({ ...ALL, from: { _tag: "AllBut", queues } })
      assert.deepStrictEqual(
        idsOf(rest),
        idsOf(deliveries.filter(({ queue }) => queue !== first.id && queue !== second.id))
      )
      const none = yield* store.claim({ ...ALL, from: { _tag: "Only", queues: [] } })
      assert.deepStrictEqual(none, [])
      const last = yield* store.claim({ ...ALL, from: { _tag: "AllBut", queues: [] } })
      assert.deepStrictEqual(idsOf(last), idsOf(of(second)))
    })
  )

  it.effect("claims from queues whose target accepted the last attempt, when requested", () =>
    Effect.gen(function* () {
      const store = yield* OutboxStore
      const { org, subscription } = yield* waiting(4, 3)
      const ids = subscription.targets.map(({ id }) => id)
      const [good = "", mended = "", bad = "", untried = ""] = ids
      const keysOf = (queues: ReadonlyArray<string>) =>
        queues.map((queue) => ({ org_id: org.id, queue }))
      const answering = (...but: ReadonlyArray<string>) =>
        Effect.map(
          store.claim({ ...ALL, perQueue: 1, from: { _tag: "AnsweringBut", queues: keysOf(but) } }),
          (claimed) => claimed.map(({ queue }) => queue)
        )
      const trial = (queue: string, outcome: DeliveryOutcome) =>
        Effect.flatMap(
          store.claim({ ...ALL, limit: 1, from: { _tag: "Only", queues: keysOf([queue]) } }),
          (claimed) => settled(outcome, ...claimed)
        )
      const failed = { _tag: "Dead", error: "timeout" } as const
      assert.deepStrictEqual(yield* answering(), [])
      const [target] = subscription.targets
      if (target === undefined) throw new Error("a target is missing")
      const derived = yield* NotificationFixture.newDelivery(
        org,
        { ...target, id: "api_key_expiry" },
        { notification: NotificationFixture.expiryNotification(org, "key", 7) }
      )
      yield* store.append([derived])
      assert.deepStrictEqual(yield* answering(), [derived.queue])
      yield* trial(good, DELIVERED)
      yield* trial(mended, failed)
      yield* trial(mended, DELIVERED)
      yield* trial(bad, DELIVERED)
      yield* trial(bad, failed)
      assert.deepStrictEqual(yield* answering(good), [mended])
      assert.deepStrictEqual(yield* answering(), [good])
      const rest = yield* store.claim({ ...ALL, perQueue: 1 })
      assert.deepStrictEqual(rest.map(({ queue }) => queue).sort(), [bad, untried].sort())
    })
  )

  it.effect("counts excluded queues towards no limit of others", () =>
    Effect.gen(function* () {
      const store = yield* OutboxStore
      const { org, subscription } = yield* waiting(2, 3)
      const [first] = subscription.targets
      const queues = [{ org_id: org.id, queue: first?.id ?? "" }]
      const named = { limit: 10, perQueue: 1, leaseMillis: 600_000 }
      const once = yield* store.claim({ ...named, from: { _tag: "Only", queues } })
      assert.strictEqual(once.length, 1)
      const again = yield* store.claim({ ...named, from: { _tag: "Only", queues } })
      assert.strictEqual(again.length, 0)
      const others = yield* store.claim({ ...ALL, limit: 2, from: { _tag: "AllBut", queues } })
      assert.strictEqual(others.length, 2)
    })
  )
}

const upkeep = (it: SuiteIt) => {
  it.effect("deletes old dead letters up to the limit, and nothing else", () =>
    Effect.gen(function* () {
      const store = yield* OutboxStore
      const { org } = yield* waiting(1, 3)
      const claimed = yield* store.claim({ ...ALL, limit: 2 })
      yield* settled({ _tag: "Dead", error: "timeout" }, ...claimed)
      assert.strictEqual(yield* store.prune({ olderThanMillis: 3_600_000, limit: 10_000 }), 0)
      assert.strictEqual((yield* store.listDead(org.id, ALL_PAGE)).total, 2)
      assert.strictEqual(yield* store.prune({ olderThanMillis: 0, limit: 1 }), 1)
      yield* store.prune({ olderThanMillis: 0, limit: 10_000 })
      assert.deepStrictEqual(yield* store.listDead(org.id, ALL_PAGE), { items: [], total: 0 })
      assert.strictEqual((yield* store.claim(ALL)).length, 1)
    })
  )

  it.effect("counts due deliveries with their age, and dead letters", () =>
    Effect.gen(function* () {
      const store = yield* OutboxStore
      yield* waiting(1, 3)
      yield* store.prune({ olderThanMillis: 0, limit: 10_000 })
      const before = yield* store.depth
      assert.strictEqual(before.due, 3)
      assert.isAtMost(before.oldestDueMillis, 600_000)
      const claimed = yield* store.claim({ ...ALL, limit: 1 })
      yield* settled({ _tag: "Dead", error: "timeout" }, ...claimed)
      const after = yield* store.depth
      deepStrictEqual([after.due, after.dead - before.dead], [2, 1])
      yield* drained
      deepStrictEqual((yield* store.depth).due, 0)
      deepStrictEqual((yield* store.depth).oldestDueMillis, 0)
    })
  )
}

/** States the contract of `OutboxStore` for choosing queues, deleting dead letters and counting. */
export const outboxUpkeepSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`OutboxStore, upkeep (${name})`, ports, options, (it) => {
    audiences(it)
    choosing(it)
    upkeep(it)
  })
