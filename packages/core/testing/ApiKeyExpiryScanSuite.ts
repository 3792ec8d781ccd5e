/** The expiry scan on every store: notifies each threshold once, to the right recipients. */
import { type Actor, CurrentActor } from "@attestry/core/Actor"
import { ApiKeyExpiryScan } from "@attestry/core/ApiKeyExpiryScan"
import { CredentialStore } from "@attestry/core/CredentialStore"
import type { ClaimedDelivery, DeliveryOutcome } from "@attestry/core/Delivery"
import { JournalStore } from "@attestry/core/JournalStore"
import { MembershipStore } from "@attestry/core/MembershipStore"
import { NotificationConfigs } from "@attestry/core/NotificationConfigs"
import { NotificationStore } from "@attestry/core/NotificationStore"
import type { Org } from "@attestry/core/Org"
import { OutboxStore } from "@attestry/core/OutboxStore"
import type { Ports } from "@attestry/core/Ports"
import type { Role } from "@attestry/core/Role"
import type { ServiceAccount } from "@attestry/core/ServiceAccount"
import { ServiceAccountStore } from "@attestry/core/ServiceAccountStore"
import * as Timestamp from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Fixture from "./Fixture.js"
import { type SuiteIt, type SuiteOptions, suite } from "./Suite.js"

const services = UseCases.layer.pipe(Layer.provide(SecretsWebCrypto.layer))

const DAY = 86_400

const scan = Effect.flatMap(ApiKeyExpiryScan, ({ scan: run }) => run)

/** WHY: scans and claims span orgs, and other tests leave keys behind. */
const claimed = (org: Org) =>
  Effect.gen(function* () {
    const outbox = yield* OutboxStore
    const all = yield* outbox.claim({ limit: 10_000, perQueue: 10_000, leaseMillis: 600_000 })
    return all.filter(({ org_id }) => org_id === org.id)
  })

const settle = (deliveries: ReadonlyArray<ClaimedDelivery>, outcome: DeliveryOutcome) =>
  Effect.flatMap(OutboxStore, (outbox) =>
    outbox.settle(deliveries.map(({ org_id, id, token }) => ({ org_id, id, token, outcome })))
  )

const member = (org: Org, role: Role, email: string | null) =>
  Effect.gen(function* () {
    const members = yield* MembershipStore
    const user = { ...(yield* Fixture.newUser), email }
    yield* members.insertUser(user)
    yield* members.insert({ org_id: org.id, user_id: user.id, role, created_at: Fixture.AT })
    return user
  })

/** A service account of the creator, or of a user who does not exist. */
const account = (org: Org, creating_user_id = "gone") =>
  Effect.gen(function* () {
    const made = { ...(yield* Fixture.newServiceAccount(org)), creating_user_id }
    yield* (yield* ServiceAccountStore).insert(made)
    return made
  })

const keyWith = (of: ServiceAccount, secondsLeft: number) =>
  Effect.gen(function* () {
    const transaction = yield* Transaction
    const now = yield* transaction.run(of.org_id, (scope) => scope.now)
    const key = {
      ...(yield* Fixture.newKey(Fixture.accountOwner(of))),
      expires_at: Timestamp.plusSeconds(now, secondsLeft)
    }
    yield* (yield* CredentialStore).insertKey(key)
    return key
  })

const notices = (deliveries: ReadonlyArray<ClaimedDelivery>) =>
  deliveries
    .map(({ target, notification }) => {
      const to = target.type === "EMAIL" ? target.emails.join(" ") : target.webhook
      return notification.event_type === "API_KEY_EXPIRY"
        ? `${notification.api_key.days_left} to ${to}`
        : notification.event_type
    })
    .sort()

const configOf = (org: Org) =>
  Effect.flatMap(NotificationStore, (store) =>
    store.findConfig({ org: org.id, type: "api_key_expiry" })
  )

const configure = (org: Org, ...webhooks: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const actor: Actor = Fixture.actor([org, "admin"])
    yield* (yield* NotificationConfigs)
      .put(
        org.name,
        "api_key_expiry",
        webhooks.map((webhook) => ({ type: "CHAT", webhook }))
      )
      .pipe(Effect.provideService(CurrentActor, actor))
  })

const DELIVERED: DeliveryOutcome = { _tag: "Delivered" }

const recipients = (it: SuiteIt) => {
  it.effect("notifies the creator once per threshold, and records it", () =>
    Effect.gen(function* () {
      const org = yield* Fixture.org
      const creator = yield* member(org, "reader", "maker@example.org")
      yield* member(org, "admin", "admin@example.org")
      const { id } = yield* keyWith(yield* account(org, creator.id), 5 * DAY)
      yield* scan
      yield* scan
      const first = yield* claimed(org)
      assert.deepStrictEqual(notices(first), ["5 to maker@example.org"])
      yield* settle(first, DELIVERED)
      yield* scan
      assert.deepStrictEqual(yield* claimed(org), [])
      assert.isNotNull((yield* configOf(org)).last_notified_at)
      const entries = yield* (yield* JournalStore).listBySubject(org.id, { type: "api_key", id })
      assert.deepStrictEqual(
        entries.map(({ kind, content }) => {
          const { days_left, threshold_days } = JSON.parse(content)
          return { kind, days_left, threshold_days }
        }),
        [{ kind: "api_key_expiry_notified", days_left: 5, threshold_days: 7 }]
      )
    }).pipe(Effect.provide(services))
  )

  it.effect(
    "notifies the admins when the creator has no address, and records when there is no recipient",
    () =>
      Effect.gen(function* () {
        const org = yield* Fixture.org
        yield* keyWith(yield* account(org), -DAY)
        yield* scan
        assert.deepStrictEqual(yield* claimed(org), [])
        assert.strictEqual((yield* configOf(org)).failure?.error, "no recipients")
        yield* member(org, "admin", "ada@example.org")
        yield* member(org, "admin", "ADA@example.org")
        yield* scan
        const first = yield* claimed(org)
        assert.match(notices(first).join(), /^0 to (ada|ADA)@example\.org$/)
        yield* settle(first, DELIVERED)
      }).pipe(Effect.provide(services))
  )

  it.effect("notifies all configured targets instead", () =>
    Effect.gen(function* () {
      const org = yield* Fixture.org
      yield* member(org, "admin", "ada@example.org")
      yield* keyWith(yield* account(org), 20 * DAY)
      yield* configure(org, "https://a.example.org", "https://b.example.org")
      yield* scan
      const first = yield* claimed(org)
      assert.deepStrictEqual(notices(first), [
        "20 to https://a.example.org",
        "20 to https://b.example.org"
      ])
      yield* settle(first, DELIVERED)
    }).pipe(Effect.provide(services))
  )
}

const repetition = (it: SuiteIt) => {
  it.effect("NOTIFY-6: sends nothing more when it runs many times at once", () =>
    Effect.gen(function* () {
      const org = yield* Fixture.org
      yield* member(org, "admin", "ada@example.org")
      const of = yield* account(org)
      yield* keyWith(of, 0.5 * DAY)
      yield* keyWith(of, 25 * DAY)
      yield* Effect.replicateEffect(scan, 6, { concurrency: "unbounded" })
      const first = yield* claimed(org)
      assert.deepStrictEqual(notices(first), ["1 to ada@example.org", "25 to ada@example.org"])
      yield* Effect.all(
        [settle(first, DELIVERED), Effect.replicateEffect(scan, 4, { concurrency: "unbounded" })],
        { concurrency: "unbounded" }
      )
      yield* scan
      assert.deepStrictEqual(yield* claimed(org), [])
    }).pipe(Effect.provide(services))
  )

  it.effect("retries after every target failed, and not once one succeeded", () =>
    Effect.gen(function* () {
      const org = yield* Fixture.org
      yield* keyWith(yield* account(org), 5 * DAY)
      yield* configure(org, "https://a.example.org", "https://b.example.org")
      yield* scan
      const first = yield* claimed(org)
      yield* settle(first, { _tag: "Dead", error: "timeout" })
      assert.strictEqual((yield* configOf(org)).failure?.error, "timeout")
      yield* scan
      const again = yield* claimed(org)
      assert.deepStrictEqual(again.map(({ id }) => id).sort(), first.map(({ id }) => id).sort())
      yield* settle(again.slice(0, 1), DELIVERED)
      yield* settle(again.slice(1), { _tag: "Dead", error: "timeout" })
      yield* scan
      assert.deepStrictEqual(yield* claimed(org), [])
    }).pipe(Effect.provide(services))
  )

  it.effect("replaces a larger threshold that still waits by a smaller one", () =>
    Effect.gen(function* () {
      const org = yield* Fixture.org
      yield* member(org, "admin", "ada@example.org")
      const of = yield* account(org)
      const key = yield* keyWith(of, 20 * DAY)
      yield* scan
      const late = yield* claimed(org)
      assert.deepStrictEqual(notices(late), ["20 to ada@example.org"])
      const keys = yield* CredentialStore
      yield* keys.removeKey({ owner: key.owner, id: key.id })
      yield* keys.insertKey({
        ...key,
        expires_at: Timestamp.plusSeconds(key.expires_at, -19.5 * DAY)
      })
      yield* scan
      assert.deepStrictEqual(notices(yield* claimed(org)), ["1 to ada@example.org"])
      assert.deepStrictEqual(yield* settle(late, DELIVERED), [])
    }).pipe(Effect.provide(services))
  )
}

/** States the contract of the expiry scan. */
export const apiKeyExpiryScanSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`ApiKeyExpiryScan (${name})`, ports, options, (it) => {
    recipients(it)
    repetition(it)
  })
