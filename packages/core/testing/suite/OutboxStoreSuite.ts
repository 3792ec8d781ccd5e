/** The contract of `OutboxStore`: each delivery is leased once at a time, and outcomes are recorded. */
import type { Delivery } from "@attestry/core/Delivery"
import { DeliveryId } from "@attestry/core/Identifier"
import { NotificationStore } from "@attestry/core/NotificationStore"
import { isFailing, type StoredTarget } from "@attestry/core/NotificationTarget"
import type { Org } from "@attestry/core/Org"
import { type ClaimRequest, OutboxStore } from "@attestry/core/OutboxStore"
import type { Ports } from "@attestry/core/Ports"
import { Transaction } from "@attestry/core/Transaction"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "../Fixture.js"
import * as NotificationFixture from "../NotificationFixture.js"
import { type SuiteIt, type SuiteOptions, suite } from "../Suite.js"
import { ALL, ALL_PAGE, DELIVERED, idsOf, one, settled, waiting } from "./OutboxFixture.js"

const NO_ITEMS = { items: [], total: 0 }

/** A lease that ends at once. */
const ENDED: ClaimRequest = { ...ALL, leaseMillis: 0 }

const TIMEOUT = { _tag: "Retry", error: "timeout", afterMillis: 0 } as const

const byQueue = (deliveries: ReadonlyArray<Pick<Delivery, "queue">>) => {
  const counts = new Map<string, number>()
  for (const { queue } of deliveries) counts.set(queue, (counts.get(queue) ?? 0) + 1)
  return counts
}

const targetOf = (org: Org, number: number) =>
  Effect.gen(function* () {
    const found = yield* (yield* NotificationStore).findEnvironmentNotification({
      org: org.id,
      number
    })
    return one<StoredTarget>(Option.isSome(found) ? found.value.targets : [])
  })

const appending = (it: SuiteIt) => {
  it.effect("claims what was added, unchanged", () =>
    Effect.gen(function* () {
      const { deliveries } = yield* waiting(2, 1)
      const claimed = yield* (yield* OutboxStore).claim(ALL)
      assert.deepStrictEqual(idsOf(claimed), idsOf(deliveries))
      for (const { token, leased_until, ...delivery } of claimed) {
        assert.strictEqual(token, 1)
        assert.isAbove(leased_until, Fixture.AT - 1e15)
        deepStrictEqual(
          delivery,
          deliveries.find(({ id }) => id === delivery.id)
        )
      }
    })
  )

  it.effect("has one delivery of one intent in one queue (law NOTIFY-3)", () =>
    Effect.gen(function* () {
      const store = yield* OutboxStore
      const { org, subscription } = yield* waiting(2, 0)
      const [left, right] = subscription.targets
      if (left === undefined || right === undefined) throw new Error("two targets are missing")
      // WHY so long: intents contain names, and a database key has a limit.
      const intent = `${"ä".repeat(1_024)} started`
      const first = yield* NotificationFixture.newDelivery(org, left, { intent })
      const again = yield* NotificationFixture.newDelivery(org, left, { intent })
      const other = yield* NotificationFixture.newDelivery(org, right, { intent })
      assert.deepStrictEqual(yield* store.append([first]), [first.id])
      assert.deepStrictEqual(yield* store.append([again, other]), [other.id])
      assert.deepStrictEqual(yield* store.append([]), [])
      assert.deepStrictEqual(idsOf(yield* store.claim(ALL)), idsOf([first, other]))
    })
  )

  it.effect("adds without a result, in a transaction or by itself", () =>
    Effect.gen(function* () {
      const store = yield* OutboxStore
      const { org, subscription } = yield* waiting(1, 0)
      const target = one(subscription.targets)
      const [first, other, last] = yield* Effect.all([
        NotificationFixture.newDelivery(org, target),
        NotificationFixture.newDelivery(org, target),
        NotificationFixture.newDelivery(org, target)
      ])
      const again = yield* NotificationFixture.newDelivery(org, target, { intent: first.intent })
      const { run } = yield* Transaction
      const failing = run(org.id, () => Effect.zipRight(store.add([last]), Effect.fail("no")))
      assert.strictEqual(yield* Effect.flip(failing), "no")
      yield* run(org.id, () => Effect.zipRight(store.add([first]), store.add([again, other])))
      yield* store.add([])
      assert.deepStrictEqual(idsOf(yield* store.claim(ALL)), idsOf([first, other]))
      yield* store.add([last])
      assert.deepStrictEqual(idsOf(yield* store.claim(ALL)), [last.id])
    })
  )

  it.effect("adds nothing when the transaction around it fails", () =>
    Effect.gen(function* () {
      const store = yield* OutboxStore
      const { org, subscription } = yield* waiting(1, 0)
      const delivery = yield* NotificationFixture.newDelivery(org, one(subscription.targets))
      const transaction = yield* Transaction
      yield* Effect.flip(
        transaction.run(org.id, () => Effect.zipRight(store.append([delivery]), Effect.fail("no")))
      )
      assert.deepStrictEqual(yield* store.claim(ALL), [])
    })
  )

  it.effect("withdraws intents from every queue, and no others", () =>
    Effect.gen(function* () {
      const store = yield* OutboxStore
      const { org, deliveries } = yield* waiting(2, 2)
      const [gone, ...kept] = deliveries
      yield* store.withdraw(org.id, [])
      yield* store.withdraw((yield* Fixture.org).id, [gone?.intent ?? ""])
      yield* store.withdraw(org.id, [gone?.intent ?? ""])
      assert.deepStrictEqual(idsOf(yield* store.claim(ALL)), idsOf(kept))
    })
  )
}

const claiming = (it: SuiteIt) => {
  it.effect("never leases one delivery twice at a time", () =>
    Effect.gen(function* () {
      const store = yield* OutboxStore
      const { deliveries } = yield* waiting(5, 8)
      const request = { limit: 7, perQueue: 1_000, leaseMillis: 600_000 }
      const claims = yield* Effect.replicateEffect(store.claim(request), 12, {
        concurrency: "unbounded"
      }).pipe(Effect.map((batches) => batches.flat()))
      const rest = yield* store.claim(ALL)
      const all = [...claims, ...rest]
      assert.deepStrictEqual(idsOf(all), idsOf(deliveries))
      assert.deepStrictEqual(yield* store.claim(ALL), [])
    })
  )

  it.effect(
    "never leases more of one queue than allowed, for any number of concurrent claims",
    () =>
      Effect.gen(function* () {
        const store = yield* OutboxStore
        yield* waiting(3, 9)
        const request = { limit: 100, perQueue: 2, leaseMillis: 600_000 }
        const claims = yield* Effect.replicateEffect(store.claim(request), 8, {
          concurrency: "unbounded"
        }).pipe(Effect.map((batches) => batches.flat()))
        const rest = yield* store.claim(request)
        assert.deepStrictEqual([...byQueue([...claims, ...rest]).values()], [2, 2, 2])
        assert.deepStrictEqual(yield* store.claim(request), [])
      })
  )

  it.effect("delays no queue for another", () =>
    Effect.gen(function* () {
      const store = yield* OutboxStore
      const { org, deliveries } = yield* waiting(1, 50)
      const other = yield* NotificationFixture.subscription(org)
      const late = yield* NotificationFixture.newDelivery(org, one(other.targets))
      const hanging = yield* store.claim({ limit: 10, perQueue: 3, leaseMillis: 600_000 })
      assert.strictEqual(hanging.length, 3)
      yield* store.append([late])
      const next = yield* store.claim({ limit: 1, perQueue: 3, leaseMillis: 600_000 })
      assert.deepStrictEqual(idsOf(next), [late.id])
      const shared = yield* store.claim({ limit: 3, perQueue: 5, leaseMillis: 600_000 })
      assert.deepStrictEqual([...byQueue(shared)], [[deliveries[0]?.queue, 2]])
    })
  )

  it.effect("begins with the delivery that is due longest", () =>
    Effect.gen(function* () {
      const store = yield* OutboxStore
      const { deliveries } = yield* waiting(1, 3)
      const claimed = yield* Effect.replicateEffect(store.claim({ ...ALL, limit: 1 }), 3)
      assert.deepStrictEqual(
        claimed.flat().map(({ id }) => id),
        deliveries.map(({ id }) => id)
      )
    })
  )

  it.effect("accepts an outcome only with the latest token", () =>
    Effect.gen(function* () {
      const store = yield* OutboxStore
      yield* waiting(1, 1)
      const stale = one(yield* store.claim(ENDED))
      const fresh = one(yield* store.claim(ALL))
      assert.deepStrictEqual([stale.id, stale.token + 1], [fresh.id, fresh.token])
      assert.deepStrictEqual(yield* settled(DELIVERED, stale), [])
      assert.deepStrictEqual(yield* settled(DELIVERED, fresh), [
        { org_id: fresh.org_id, id: fresh.id }
      ])
      assert.deepStrictEqual(yield* settled(DELIVERED, fresh), [])
      assert.deepStrictEqual(yield* store.claim(ALL), [])
    })
  )

  it.effect("claims released deliveries again, and retried ones when they are due", () =>
    Effect.gen(function* () {
      const store = yield* OutboxStore
      yield* waiting(1, 1)
      yield* settled({ _tag: "Released" }, ...(yield* store.claim(ALL)))
      const released = yield* store.claim(ALL)
      assert.strictEqual(one(released).attempts, 0)
      yield* settled(TIMEOUT, ...released)
      const again = yield* store.claim(ALL)
      assert.strictEqual(one(again).attempts, 1)
      yield* settled({ ...TIMEOUT, afterMillis: 3_600_000 }, ...again)
      assert.deepStrictEqual(yield* store.claim(ALL), [])
    })
  )
}

const burying = (it: SuiteIt) => {
  it.effect("lists dead letters, newest first, and replays them under their ids", () =>
    Effect.gen(function* () {
      const store = yield* OutboxStore
      const { org, deliveries } = yield* waiting(1, 3)
      for (let turn = 0; turn < 3; turn += 1) {
        const claimed = yield* store.claim({ ...ALL, limit: 1 })
        yield* settled({ _tag: "Dead", error: `status ${500 + turn}` }, ...claimed)
      }
      const { items: dead, total } = yield* store.listDead(org.id, { page: 1, perPage: 10 })
      assert.strictEqual(total, dead.length)
      assert.deepStrictEqual(
        dead.map(({ id, error, attempts }) => [id, error, attempts]),
        deliveries.map(({ id }, turn) => [id, `status ${500 + turn}`, 1]).reverse()
      )
      deepStrictEqual(yield* store.listDead(org.id, { page: 2, perPage: 2 }), {
        items: dead.slice(2),
        total
      })
      assert.deepStrictEqual(yield* store.listDead((yield* Fixture.org).id, ALL_PAGE), NO_ITEMS)
      assert.deepStrictEqual(yield* store.claim(ALL), [])
      const newest = one(dead)
      const unknown = DeliveryId.make("unknown")
      assert.deepStrictEqual(yield* store.replay(org.id, [newest.id, unknown]), [newest.id])
      const replayed = one(yield* store.claim(ALL))
      assert.deepStrictEqual([replayed.id, replayed.attempts], [newest.id, 0])
      assert.deepStrictEqual(
        yield* store.replay(org.id, "all"),
        idsOf(dead.slice(1)).map((id) => DeliveryId.make(id))
      )
      assert.strictEqual((yield* store.claim(ALL)).length, 2)
    })
  )

  it.effect("replays a dead letter whose intent is added again", () =>
    Effect.gen(function* () {
      const store = yield* OutboxStore
      const { org, subscription, deliveries } = yield* waiting(1, 1)
      const { intent, id } = one(deliveries)
      yield* settled({ _tag: "Dead", error: "timeout" }, ...(yield* store.claim(ALL)))
      const again = yield* NotificationFixture.newDelivery(org, one(subscription.targets), {
        intent
      })
      assert.deepStrictEqual(yield* store.append([again]), [id])
      assert.deepStrictEqual(idsOf(yield* store.claim(ALL)), [id])
      assert.deepStrictEqual(yield* store.listDead(org.id, ALL_PAGE), NO_ITEMS)
    })
  )

  it.effect("disables a target that is gone, and makes its deliveries dead letters", () =>
    Effect.gen(function* () {
      const store = yield* OutboxStore
      const { org, subscription, deliveries } = yield* waiting(1, 3)
      const claimed = yield* store.claim({ ...ALL, limit: 1 })
      yield* settled({ _tag: "Gone", error: "status 410" }, ...claimed)
      assert.deepStrictEqual(yield* store.claim(ALL), [])
      const { items: dead } = yield* store.listDead(org.id, ALL_PAGE)
      assert.deepStrictEqual(idsOf(dead), idsOf(deliveries))
      const target = yield* targetOf(org, subscription.number)
      assert.isNotNull(target.disabled_at)
      assert.strictEqual(isFailing(target), true)
    })
  )
}

const bookkeeping = (it: SuiteIt) => {
  it.effect("records the last success and the last failure of a target", () =>
    Effect.gen(function* () {
      const store = yield* OutboxStore
      const { org, subscription } = yield* waiting(1, 1)
      yield* settled(TIMEOUT, ...(yield* store.claim(ALL)))
      const failing = yield* targetOf(org, subscription.number)
      assert.isNotNull(failing.last_failure_at)
      assert.strictEqual(failing.last_error, TIMEOUT.error)
      assert.isNull(failing.last_success_at)
      assert.strictEqual(isFailing(failing), true)
      yield* settled(DELIVERED, ...(yield* store.claim(ALL)))
      const mended = yield* targetOf(org, subscription.number)
      assert.isNotNull(mended.last_success_at)
      assert.strictEqual(mended.last_failure_at, failing.last_failure_at)
      assert.strictEqual(mended.last_error, TIMEOUT.error)
      assert.strictEqual(isFailing(mended), false)
    })
  )

  it.effect("removes the deliveries of a target with the target", () =>
    Effect.gen(function* () {
      const store = yield* OutboxStore
      const subscriptions = yield* NotificationStore
      const { org, subscription, deliveries } = yield* waiting(2, 2)
      const [kept, gone] = subscription.targets
      if (kept === undefined || gone === undefined) throw new Error("two targets are missing")
      const leased = yield* store.claim({ ...ALL, limit: 4 })
      yield* subscriptions.updateEnvironmentNotification({ ...subscription, targets: [kept] })
      const lost = leased.filter(({ queue }) => queue === gone.id)
      assert.deepStrictEqual(yield* settled(DELIVERED, ...lost), [])
      yield* settled({ _tag: "Released" }, ...leased.filter(({ queue }) => queue === kept.id))
      assert.deepStrictEqual(
        idsOf(yield* store.claim(ALL)),
        idsOf(deliveries.filter(({ queue }) => queue === kept.id))
      )
      yield* subscriptions.remove(subscription)
      assert.deepStrictEqual(yield* store.listDead(org.id, ALL_PAGE), NO_ITEMS)
      yield* store.append([yield* NotificationFixture.newDelivery(org, gone)])
      assert.deepStrictEqual(yield* store.claim(ALL), [])
    })
  )
}

/** States the contract of `OutboxStore`. */
export const outboxStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`OutboxStore (${name})`, ports, options, (it) => {
    appending(it)
    claiming(it)
    burying(it)
    bookkeeping(it)
  })
