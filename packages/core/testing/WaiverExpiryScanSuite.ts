/** The scan for waivers on every store: notifies each threshold once, to the right recipients. */
import { CurrentActor } from "@attestry/core/Actor"
import type { ClaimedDelivery, DeliveryOutcome } from "@attestry/core/Delivery"
import { Login, PolicyName } from "@attestry/core/Identifier"
import { JournalStore } from "@attestry/core/JournalStore"
import { MembershipStore } from "@attestry/core/MembershipStore"
import { NotificationConfigs } from "@attestry/core/NotificationConfigs"
import { NotificationStore } from "@attestry/core/NotificationStore"
import type { Org } from "@attestry/core/Org"
import { OutboxStore } from "@attestry/core/OutboxStore"
import type { Ports } from "@attestry/core/Ports"
import type { Role } from "@attestry/core/Role"
import * as Timestamp from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import * as UseCases from "@attestry/core/UseCases"
import type { WaiverDraft } from "@attestry/core/Waiver"
import { WaiverExpiryScan } from "@attestry/core/WaiverExpiryScan"
import { WaiverStore } from "@attestry/core/WaiverStore"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Fixture from "./Fixture.js"
import { type SuiteIt, type SuiteOptions, suite } from "./Suite.js"

const services = UseCases.layer.pipe(Layer.provide(SecretsWebCrypto.layer))

const DAY = 86_400

const scan = Effect.flatMap(WaiverExpiryScan, ({ scan: run }) => run)

/** WHY: scans and claims span orgs, and other tests leave waivers behind. */
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

/** The notices that wait, which are then settled. */
const notices = (org: Org) =>
  Effect.gen(function* () {
    const deliveries = yield* claimed(org)
    yield* settle(deliveries, { _tag: "Delivered" })
    return deliveries
      .map(({ target, notification }) => {
        const to = target.type === "EMAIL" ? target.emails.join(" ") : target.webhook
        return notification.event_type === "WAIVER_EXPIRY"
          ? `${notification.waiver.number}: ${notification.waiver.days_left} to ${to}`
          : notification.event_type
      })
      .sort()
  })

const member = (org: Org, role: Role, email: string | null) =>
  Effect.gen(function* () {
    const members = yield* MembershipStore
    const user = { ...(yield* Fixture.newUser), email }
    yield* members.insertUser(user)
    yield* members.insert({ org_id: org.id, user_id: user.id, role, created_at: Fixture.AT })
    return user.id
  })

const clock = (org: Org) =>
  Effect.flatMap(Transaction, (transaction) => transaction.run(org.id, (scope) => scope.now))

/** An approved waiver that ends in this many days. */
const waiver = (org: Org, days: number, fields: Partial<WaiverDraft> = {}) =>
  Effect.gen(function* () {
    const now = yield* clock(org)
    const { number } = yield* (yield* WaiverStore).append({
      org_id: org.id,
      policy_name: PolicyName.make("prod-rules"),
      rule: null,
      environment_id: null,
      condition: null,
      reason: "the scanner is down",
      owner: Login.make("mia"),
      owner_id: "gone",
      ticket_url: null,
      starts_at: Timestamp.plusSeconds(now, -40 * DAY),
      expires_at: Timestamp.plusSeconds(now, days * DAY),
      extends: null,
      approvals_required: 0,
      approver_role: "admin",
      self_approval: false,
      requested_by: "ben",
      requester_id: "gone too",
      requested_at: Timestamp.plusSeconds(now, -40 * DAY),
      approvals: [],
      rejected: null,
      revoked: null,
      activated_at: Timestamp.plusSeconds(now, -40 * DAY),
      settled: null,
      ...fields
    })
    return number
  })

const withOrg = <A, E, R>(test: (org: Org) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Fixture.org, (org) =>
    test(org).pipe(
      Effect.provide(services),
      Effect.provideService(CurrentActor, Fixture.actor([org, "admin"]))
    )
  )

const recipients = (it: SuiteIt) => {
  it.effect("notifies the owner, else the requester, else the admins, and records it", () =>
    withOrg((org) =>
      Effect.gen(function* () {
        const owner_id = yield* member(org, "reader", "mia@example.org")
        const requester_id = yield* member(org, "member", "ben@example.org")
        yield* member(org, "admin", "ada@example.org")
        const number = yield* waiver(org, 5, { owner_id, requester_id })
        yield* waiver(org, 5, { requester_id })
        yield* waiver(org, 5)
        yield* scan
        assert.deepStrictEqual(yield* notices(org), [
          "1: 5 to mia@example.org",
          "2: 5 to ben@example.org",
          "3: 5 to ada@example.org"
        ])
        const subject = { type: "waiver", id: String(number) }
        const entries = yield* (yield* JournalStore).listBySubject(org.id, subject)
        assert.deepStrictEqual(
          entries.map(({ kind, content }) => {
            const { days_left, threshold_days } = JSON.parse(content)
            return { kind, days_left, threshold_days }
          }),
          [{ kind: "waiver_expiry_notified", days_left: 5, threshold_days: 7 }]
        )
      })
    )
  )

  it.effect("notifies all configured targets instead, and records when there is no recipient", () =>
    withOrg((org) =>
      Effect.gen(function* () {
        yield* waiver(org, 10)
        yield* scan
        assert.deepStrictEqual(yield* notices(org), [])
        const config = yield* (yield* NotificationStore).findConfig({
          org: org.id,
          type: "waiver_expiry"
        })
        assert.strictEqual(config.failure?.error, "no recipients")
        yield* (yield* NotificationConfigs).put(org.name, "waiver_expiry", [
          { type: "CHAT", webhook: "https://a.example.org" },
          { type: "CHAT", webhook: "https://b.example.org" }
        ])
        yield* scan
        assert.deepStrictEqual(yield* notices(org), [
          "1: 10 to https://a.example.org",
          "1: 10 to https://b.example.org"
        ])
      })
    )
  )
}

const repetition = (it: SuiteIt) => {
  it.effect("W-9: notifies each threshold once, in any number of scans and processes", () =>
    withOrg((org) =>
      Effect.gen(function* () {
        yield* member(org, "admin", "ada@example.org")
        for (const days of [15, 14, 6, 0.5, -1]) yield* waiver(org, days)
        yield* Effect.replicateEffect(scan, 6, { concurrency: "unbounded" })
        yield* Effect.provide(scan, services)
        const all = ["2: 14", "3: 6", "4: 1", "5: 0"].map((text) => `${text} to ada@example.org`)
        assert.deepStrictEqual(yield* notices(org), all)
        yield* Effect.replicateEffect(scan, 4, { concurrency: "unbounded" })
        assert.deepStrictEqual(yield* notices(org), [])
      })
    )
  )

  it.effect("retries after every target failed", () =>
    withOrg((org) =>
      Effect.gen(function* () {
        yield* member(org, "admin", "ada@example.org")
        yield* waiver(org, 6)
        yield* scan
        yield* settle(yield* claimed(org), { _tag: "Dead", error: "timeout" })
        yield* scan
        assert.deepStrictEqual(yield* notices(org), ["1: 6 to ada@example.org"])
        yield* scan
        assert.deepStrictEqual(yield* notices(org), [])
      })
    )
  )

  it.effect("leaves out waivers that are not approved, revoked, extended, or ended long ago", () =>
    withOrg((org) =>
      Effect.gen(function* () {
        yield* member(org, "admin", "ada@example.org")
        const at = yield* clock(org)
        yield* waiver(org, 5, { activated_at: null, approvals_required: 1 })
        yield* waiver(org, 5, { revoked: { user_id: "u", user: "u", at, reason: "fixed" } })
        const extended = yield* waiver(org, 5)
        yield* waiver(org, 60, { extends: extended })
        yield* waiver(org, -31)
        const open = yield* waiver(org, 5)
        yield* waiver(org, 60, { extends: open, activated_at: null, approvals_required: 1 })
        yield* scan
        assert.deepStrictEqual(yield* notices(org), [`${open}: 5 to ada@example.org`])
      })
    )
  )
}

/** States the contract of the scan for waivers. */
export const waiverExpiryScanSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`WaiverExpiryScan (${name})`, ports, options, (it) => {
    recipients(it)
    repetition(it)
  })
