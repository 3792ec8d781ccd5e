/** The contract of the stores of configurations, subscriptions and signing secrets. */
import * as Environment from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { EnvironmentName, FlowId, TeamId, TeamName } from "@attestry/core/Identifier"
import { empty, type NotificationConfigKey } from "@attestry/core/NotificationConfig"
import { NotificationStore } from "@attestry/core/NotificationStore"
import { OutboxStore } from "@attestry/core/OutboxStore"
import type { Ports } from "@attestry/core/Ports"
import type { SigningSecret } from "@attestry/core/SigningSecret"
import { TeamStore } from "@attestry/core/TeamStore"
import { TrailStore } from "@attestry/core/TrailStore"
import { Transaction } from "@attestry/core/Transaction"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "../Fixture.js"
import * as NotificationFixture from "../NotificationFixture.js"
import { type SuiteIt, type SuiteOptions, suite } from "../Suite.js"

const newKey = Effect.map(
  Fixture.org,
  (org): NotificationConfigKey => ({ org: org.id, type: "api_key_expiry" })
)

const inOrder = Effect.all([
  NotificationFixture.newTarget(),
  NotificationFixture.newTarget({ type: "EMAIL", emails: ["anna@example.org", "b@example.org"] }),
  Effect.map(
    NotificationFixture.newTarget({ type: "CHAT", webhook: "https://chat.example.org/x" }),
    (target) => ({
      ...target,
      context: { channel_id: "C1", channel_name: "ops", team_id: "T1" }
    })
  )
])

const configs = (it: SuiteIt) => {
  it.effect("finds an empty configuration before the first write", () =>
    Effect.gen(function* () {
      const store = yield* NotificationStore
      const key = yield* newKey
      deepStrictEqual(yield* store.findConfig(key), empty(key))
      deepStrictEqual(yield* store.findConfig(key, { lock: true }), empty(key))
      deepStrictEqual(yield* store.findConfig(key), empty(key))
    })
  )

  it.effect("returns targets in their order, and keeps the times of those that stay", () =>
    Effect.gen(function* () {
      const store = yield* NotificationStore
      const key = yield* newKey
      const [webhook, email, chat] = yield* inOrder
      yield* store.findConfig(key, { lock: true })
      yield* store.replaceConfigTargets(key, [webhook, email, chat])
      deepStrictEqual(yield* store.findConfig(key), {
        ...empty(key),
        targets: [webhook, email, chat]
      })
      yield* store.replaceConfigTargets(key, [chat, { ...webhook, last_success_at: Fixture.AT }])
      deepStrictEqual((yield* store.findConfig(key)).targets, [chat, webhook])
      yield* store.replaceConfigTargets(key, [])
      deepStrictEqual(yield* store.findConfig(key), empty(key))
    })
  )

  it.effect("stores a failure without a delivery", () =>
    Effect.gen(function* () {
      const store = yield* NotificationStore
      const key = yield* newKey
      const failure = { failed_at: Fixture.AT, error: "no recipients" }
      yield* store.findConfig(key, { lock: true })
      yield* store.failConfig(key, failure)
      deepStrictEqual(yield* store.findConfig(key), { ...empty(key), failure })
    })
  )
}

/** The results of a configuration's deliveries, with derived recipients too. */
const outcomes = (it: SuiteIt) => {
  it.effect("returns the results of deliveries, with targets and without", () =>
    Effect.gen(function* () {
      const store = yield* NotificationStore
      const outbox = yield* OutboxStore
      const org = yield* Fixture.org
      const key = { org: org.id, type: "api_key_expiry" } as const
      const target = { type: "EMAIL", emails: ["anna@example.org"] } as const
      const notification = NotificationFixture.expiryNotification(org, "k1", 7)
      yield* outbox.append([
        yield* NotificationFixture.newDelivery(org, { id: key.type, target }, { notification })
      ])
      const claimOwn = Effect.map(
        outbox.claim({ limit: 1_000, perQueue: 1_000, leaseMillis: 1_000 }),
        (all) => all.filter(({ org_id }) => org_id === org.id)
      )
      const retried = (yield* claimOwn).map(({ org_id, id, token }) => ({
        org_id,
        id,
        token,
        outcome: { _tag: "Retry", error: "timeout", afterMillis: 0 } as const
      }))
      yield* outbox.settle(retried)
      const failed = yield* store.findConfig(key)
      assert.strictEqual(failed.failure?.error, "timeout")
      assert.isNull(failed.last_notified_at)
      const delivered = (yield* claimOwn).map(({ org_id, id, token }) => ({
        org_id,
        id,
        token,
        outcome: { _tag: "Delivered" } as const
      }))
      assert.strictEqual((yield* outbox.settle(delivered)).length, 1)
      const sent = yield* store.findConfig(key)
      assert.isNotNull(sent.last_notified_at)
      deepStrictEqual(sent.failure, failed.failure)
      deepStrictEqual(sent.targets, [])
    })
  )
}

const subscriptions = (it: SuiteIt) => {
  it.effect("numbers subscriptions from 1, and never reuses a number", () =>
    Effect.gen(function* () {
      const store = yield* NotificationStore
      const org = yield* Fixture.org
      const first = yield* NotificationFixture.subscription(org)
      const second = yield* NotificationFixture.subscription(org, 2)
      assert.deepStrictEqual([first.number, second.number], [1, 2])
      deepStrictEqual(yield* store.listEnvironmentNotifications(org.id), [first, second])
      yield* store.remove(second)
      deepStrictEqual(yield* store.listEnvironmentNotifications(org.id), [first])
      deepStrictEqual(
        yield* store.findEnvironmentNotification({ org: org.id, number: 2 }),
        Option.none()
      )
      assert.strictEqual((yield* NotificationFixture.subscription(org)).number, 3)
      assert.strictEqual((yield* NotificationFixture.subscription(yield* Fixture.org)).number, 1)
    })
  )

  it.effect("keeps the team that owns a subscription", () =>
    Effect.gen(function* () {
      const store = yield* NotificationStore
      const org = yield* Fixture.org
      const team = TeamId.make(yield* Fixture.freshId)
      yield* (yield* TeamStore).insert({
        org_id: org.id,
        id: team,
        name: TeamName.make("payments"),
        kind: "hand",
        description: "",
        group_name: null,
        external_id: null,
        created_at: Fixture.AT,
        deleted_at: null
      })
      const first = yield* NotificationFixture.subscription(org, 1, { team })
      const second = yield* NotificationFixture.flowSubscription(org, [FlowId.make("f")], 1, {
        team
      })
      const third = yield* NotificationFixture.subscription(org)
      deepStrictEqual(yield* store.listEnvironmentNotifications(org.id), [first, third])
      deepStrictEqual(yield* store.listFlowNotifications(org.id), [second])
      yield* store.updateEnvironmentNotification({ ...first, name: "other" })
      const key = { org: org.id, number: first.number }
      deepStrictEqual(
        yield* store.findEnvironmentNotification(key),
        Option.some({ ...first, name: "other" })
      )
    })
  )

  it.effect("gives every concurrent creation its own number", () =>
    Effect.gen(function* () {
      const org = yield* Fixture.org
      const made = yield* Effect.replicateEffect(NotificationFixture.subscription(org), 8, {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        made.map(({ number }) => number).sort((left, right) => left - right),
        [1, 2, 3, 4, 5, 6, 7, 8]
      )
    })
  )

  it.effect("reads the next number without using it", () =>
    Effect.gen(function* () {
      const store = yield* NotificationStore
      const transaction = yield* Transaction
      const org = yield* Fixture.org
      const asked = transaction.run(org.id, () => store.lockNextNumber(org.id))
      assert.deepStrictEqual([yield* asked, yield* asked], [1, 1])
    })
  )

  it.effect("replaces the content of a subscription, and not its creator", () =>
    Effect.gen(function* () {
      const store = yield* NotificationStore
      const org = yield* Fixture.org
      const before = yield* NotificationFixture.subscription(org, 2)
      const after = {
        ...before,
        name: "other",
        environments: [EnvironmentName.make("stage"), EnvironmentName.make("prod")],
        triggers: ["ON_COMPLIANT_ENV", "ON_EXITED_ARTIFACT"] as const,
        targets: [...before.targets].reverse(),
        last_modified_at: Fixture.LATER
      }
      yield* store.updateEnvironmentNotification({ ...after, created_by: "somebody else" })
      const key = { org: org.id, number: before.number }
      deepStrictEqual(yield* store.findEnvironmentNotification(key), Option.some(after))
      deepStrictEqual(
        yield* store.findEnvironmentNotification(key, { lock: true }),
        Option.some(after)
      )
    })
  )

  it.effect("finds the subscriptions of an environment, by its name or a former one", () =>
    Effect.gen(function* () {
      const store = yield* NotificationStore
      const org = yield* Fixture.org
      const first = yield* NotificationFixture.subscription(org)
      const second = {
        ...(yield* NotificationFixture.subscription(org)),
        environments: [EnvironmentName.make("stage"), EnvironmentName.make("prod")]
      }
      yield* store.updateEnvironmentNotification(second)
      const stage = yield* Fixture.environment(org, "stage")
      const watching = (environment: Environment.Environment) =>
        store.listWatchingEnvironment(Environment.ref(environment), environment.name)
      deepStrictEqual(yield* watching(yield* Fixture.environment(org, "prod")), [first, second])
      deepStrictEqual(yield* watching(stage), [second])
      deepStrictEqual(yield* watching(yield* Fixture.environment(org, "test")), [])
      const renamed = { ...stage, name: EnvironmentName.make("live") }
      yield* (yield* EnvironmentStore).rename(renamed, stage.name)
      deepStrictEqual(yield* watching(renamed), [second])
      deepStrictEqual(yield* watching(yield* Fixture.environment(org, "stage")), [second])
      deepStrictEqual(yield* watching(renamed), [])
    })
  )
}

const flowSubscriptions = (it: SuiteIt) => {
  it.effect("numbers subscriptions to flows and to environments in one sequence", () =>
    Effect.gen(function* () {
      const store = yield* NotificationStore
      const org = yield* Fixture.org
      const flow = yield* Fixture.flow(org)
      const first = yield* NotificationFixture.flowSubscription(org, [flow.id], 2)
      const second = yield* NotificationFixture.subscription(org)
      const third = yield* NotificationFixture.flowSubscription(org, [flow.id])
      assert.deepStrictEqual([first.number, second.number, third.number], [1, 2, 3])
      deepStrictEqual(yield* store.listFlowNotifications(org.id), [first, third])
      deepStrictEqual(yield* store.listEnvironmentNotifications(org.id), [second])
      const at = (number: number) => ({ org: org.id, number })
      deepStrictEqual(yield* store.findFlowNotification(at(1)), Option.some(first))
      deepStrictEqual(yield* store.findFlowNotification(at(3), { lock: true }), Option.some(third))
      deepStrictEqual(yield* store.findFlowNotification(at(2)), Option.none())
      deepStrictEqual(yield* store.findEnvironmentNotification(at(1)), Option.none())
      yield* store.remove({ ...first, number: 2 })
      yield* store.remove({ ...second, number: 1 })
      deepStrictEqual(yield* store.listEnvironmentNotifications(org.id), [second])
      deepStrictEqual(yield* store.listFlowNotifications(org.id), [first, third])
      yield* store.remove(third)
      deepStrictEqual(yield* store.listFlowNotifications(org.id), [first])
      assert.strictEqual((yield* NotificationFixture.subscription(org)).number, 4)
    })
  )

  it.effect("finds the subscriptions of a flow", () =>
    Effect.gen(function* () {
      const store = yield* NotificationStore
      const org = yield* Fixture.org
      const [shop, web] = [yield* Fixture.flow(org, "shop"), yield* Fixture.flow(org, "web")]
      const both = yield* NotificationFixture.flowSubscription(org, [web.id, shop.id])
      const one = yield* NotificationFixture.flowSubscription(org, [shop.id])
      deepStrictEqual(yield* store.listWatchingFlow(org.id, shop.id), [both, one])
      deepStrictEqual(yield* store.listWatchingFlow(org.id, web.id), [both])
      const other = yield* Fixture.flow(org, "other")
      deepStrictEqual(yield* store.listWatchingFlow(org.id, other.id), [])
      const elsewhere = yield* Fixture.org
      deepStrictEqual(yield* store.listWatchingFlow(elsewhere.id, shop.id), [])
    })
  )

  it.effect("finds the subscriptions of the flow of a locked trail", () =>
    Effect.gen(function* () {
      const store = yield* NotificationStore
      const trails = yield* TrailStore
      const transaction = yield* Transaction
      const org = yield* Fixture.org
      const flow = yield* Fixture.flow(org)
      const trail = yield* Fixture.trail(flow)
      const locked = transaction.run(org.id, () =>
        Effect.zipRight(
          trails.lockWithFlow({ org: org.id, flow: flow.name, name: trail.name }),
          store.listWatchingFlow(org.id, flow.id)
        )
      )
      deepStrictEqual(yield* locked, [])
      const made = yield* NotificationFixture.flowSubscription(org, [flow.id])
      deepStrictEqual(yield* locked, [made])
    })
  )

  it.effect("keeps the results of deliveries, and removes deliveries with their target", () =>
    Effect.gen(function* () {
      const store = yield* NotificationStore
      const outbox = yield* OutboxStore
      const org = yield* Fixture.org
      const made = yield* NotificationFixture.flowSubscription(org, [(yield* Fixture.flow(org)).id])
      const [target = assert.fail("there is no target")] = made.targets
      const delivery = yield* NotificationFixture.newDelivery(org, target)
      yield* outbox.append([delivery])
      const claimed = yield* outbox.claim({ limit: 1_000, perQueue: 4, leaseMillis: 60_000 })
      const mine = claimed.filter(({ id }) => id === delivery.id)
      yield* outbox.settle(
        mine.map(({ org_id, id, token }) => ({
          org_id,
          id,
          token,
          outcome: { _tag: "Delivered" as const }
        }))
      )
      const [stored] = yield* store.listFlowNotifications(org.id)
      assert.isNotNull(stored?.targets[0]?.last_success_at ?? null)
      yield* outbox.append([yield* NotificationFixture.newDelivery(org, target)])
      yield* store.remove(made)
      const left = yield* outbox.claim({ limit: 1_000, perQueue: 4, leaseMillis: 60_000 })
      deepStrictEqual(
        left.filter(({ org_id }) => org_id === org.id),
        []
      )
    })
  )
}

const secrets = (it: SuiteIt) => {
  it.effect("stores one signing secret for each org, and the previous one", () =>
    Effect.gen(function* () {
      const store = yield* NotificationStore
      const { id: org_id } = yield* Fixture.org
      const first: SigningSecret = {
        org_id,
        secret: "whsec_Zmlyc3Q=",
        created_at: Fixture.AT,
        previous: null
      }
      deepStrictEqual(yield* store.findSecret(org_id), Option.none())
      assert.strictEqual(yield* store.insertSecret(first), true)
      assert.strictEqual(yield* store.insertSecret({ ...first, secret: "whsec_b3RoZXI=" }), false)
      deepStrictEqual(yield* store.findSecret(org_id, { lock: true }), Option.some(first))
      const next: SigningSecret = {
        org_id,
        secret: "whsec_bmV4dA==",
        created_at: Fixture.LATER,
        previous: { secret: first.secret, signs_until: Fixture.LATER }
      }
      yield* store.updateSecret(next)
      deepStrictEqual(yield* store.findSecret(org_id), Option.some(next))
      deepStrictEqual(yield* store.findSecret((yield* Fixture.org).id), Option.none())
    })
  )
}

/** States the contracts of the stores of configurations, subscriptions to environments and flows, and secrets. */
export const notificationStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`NotificationStore (${name})`, ports, options, (it) => {
    configs(it)
    flowSubscriptions(it)
    outcomes(it)
    subscriptions(it)
    secrets(it)
  })
