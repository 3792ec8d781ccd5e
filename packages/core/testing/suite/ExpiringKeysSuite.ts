/** The contract of `NotificationStore` about keys that expire, and of `BackgroundLeaseStore`. */
import type { ApiKey } from "@attestry/core/ApiKey"
import { BackgroundLeaseStore } from "@attestry/core/BackgroundLeaseStore"
import { CredentialStore } from "@attestry/core/CredentialStore"
import { MembershipStore } from "@attestry/core/MembershipStore"
import { NotificationStore } from "@attestry/core/NotificationStore"
import type { Org } from "@attestry/core/Org"
import { OutboxStore } from "@attestry/core/OutboxStore"
import type { Ports } from "@attestry/core/Ports"
import type { ServiceAccount } from "@attestry/core/ServiceAccount"
import * as Timestamp from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "../Fixture.js"
import * as NotificationFixture from "../NotificationFixture.js"
import { type SuiteIt, type SuiteOptions, suite } from "../Suite.js"

const DAY = 86_400

const clock = (org: Org) =>
  Effect.flatMap(Transaction, (transaction) => transaction.run(org.id, (scope) => scope.now))

const insertKey = (account: ServiceAccount, change: Partial<ApiKey>) =>
  Effect.gen(function* () {
    const key = { ...(yield* Fixture.newKey(Fixture.accountOwner(account))), ...change }
    const keys = yield* CredentialStore
    yield* keys.insertKey(key)
    yield* keys.updateKey(key)
    return key
  })

const endingKeys = (it: SuiteIt) => {
  it.effect("finds the keys that count and expire in time, and their orgs", () =>
    Effect.gen(function* () {
      const store = yield* NotificationStore
      const org = yield* Fixture.org
      const account = yield* Fixture.serviceAccount(org)
      const now = yield* clock(org)
      const inDays = (days: number) => Timestamp.plusSeconds(now, days * DAY)
      const soon = yield* insertKey(account, { expires_at: inDays(5), description: "deploys" })
      const over = yield* insertKey(account, { expires_at: inDays(-400) })
      yield* insertKey(account, { expires_at: inDays(40) })
      yield* insertKey(account, { expires_at: null })
      yield* insertKey(account, { expires_at: inDays(5), revoked_at: now })
      yield* insertKey(account, { expires_at: inDays(5), grace_period_expires_at: inDays(1) })
      yield* (yield* CredentialStore).insertKey({
        ...(yield* Fixture.newKey(Fixture.userOwner(yield* Fixture.user))),
        expires_at: inDays(5)
      })
      const found = yield* store.listExpiringKeys(org.id, 30 * DAY)
      const expected = [soon, over]
        .map(({ id, description, expires_at }) => ({
          id,
          description,
          service_account: account.name,
          creating_user_id: account.creating_user_id,
          expires_at: expires_at ?? now,
          notified_days: null
        }))
        .sort((left, right) => (left.id < right.id ? -1 : 1))
      deepStrictEqual(found, expected)
      const orgs = yield* store.listExpiringOrgs(30 * DAY)
      deepStrictEqual(
        orgs.filter(({ id }) => id === org.id),
        [{ id: org.id, name: org.name }]
      )
      const quiet = yield* Fixture.org
      deepStrictEqual(yield* store.listExpiringKeys(quiet.id, 30 * DAY), [])
      assert.notInclude(
        orgs.map(({ id }) => id),
        quiet.id
      )
    })
  )

  it.effect("returns the smallest notified threshold, and no key whose expiry is notified", () =>
    Effect.gen(function* () {
      const store = yield* NotificationStore
      const outbox = yield* OutboxStore
      const org = yield* Fixture.org
      const account = yield* Fixture.serviceAccount(org)
      const expires_at = Timestamp.plusSeconds(yield* clock(org), DAY)
      const { id } = yield* insertKey(account, { expires_at })
      const send = (days: number) =>
        Effect.gen(function* () {
          const target = { type: "EMAIL", emails: ["a@example.org"] } as const
          const notification = NotificationFixture.expiryNotification(org, id, days)
          yield* outbox.append([
            yield* NotificationFixture.newDelivery(
              org,
              { id: "api_key_expiry", target },
              { notification }
            )
          ])
          const claimed = yield* outbox.claim({ limit: 1_000, perQueue: 1_000, leaseMillis: 1_000 })
          yield* outbox.settle(
            claimed.map(({ org_id, id: delivery, token }) => ({
              org_id,
              id: delivery,
              token,
              outcome: { _tag: org_id === org.id ? "Delivered" : "Released" }
            }))
          )
          return (yield* store.listExpiringKeys(org.id, 30 * DAY)).map(
            ({ notified_days }) => notified_days
          )
        })
      assert.deepStrictEqual(yield* send(7), [7])
      assert.deepStrictEqual(yield* send(30), [7])
      assert.deepStrictEqual(yield* send(1), [1])
      assert.deepStrictEqual(yield* send(0), [])
      assert.notInclude(
        (yield* store.listExpiringOrgs(30 * DAY)).map((found) => found.id),
        org.id
      )
    })
  )

  it.effect("lists the addresses of an org's members who are not suspended", () =>
    Effect.gen(function* () {
      const store = yield* NotificationStore
      const members = yield* MembershipStore
      const org = yield* Fixture.org
      const silent = yield* Fixture.user
      const reachable = { ...(yield* Fixture.newUser), email: "Anna@example.org" }
      yield* members.insertUser(reachable)
      yield* Fixture.user
      const [one, other] = [
        { user_id: silent.id, role: "reader", email: null } as const,
        { user_id: reachable.id, role: "admin", email: "Anna@example.org" } as const
      ]
      for (const { user_id, role } of [one, other]) {
        yield* members.insert({ org_id: org.id, user_id, role, created_at: Fixture.AT })
      }
      const suspended = yield* Fixture.user
      const member = { org_id: org.id, user_id: suspended.id, role: "admin" } as const
      yield* members.insert({ ...member, created_at: Fixture.AT })
      yield* members.update({
        ...member,
        created_at: Fixture.AT,
        suspended_at: Fixture.AT,
        sessions_after: null
      })
      deepStrictEqual(
        yield* store.listMailboxes(org.id),
        [one, other].sort((left, right) => (left.user_id < right.user_id ? -1 : 1))
      )
    })
  )
}

const leases = (it: SuiteIt) => {
  it.effect("gives a lease to one at a time, and the next when it is due", () =>
    Effect.gen(function* () {
      const store = yield* BackgroundLeaseStore
      const name = `work ${yield* Fixture.freshId}`
      const asked = yield* Effect.replicateEffect(store.acquire(name, 600_000), 5, {
        concurrency: "unbounded"
      })
      const [turn, ...others] = asked.flatMap(Option.toArray)
      if (turn === undefined) throw new Error("nobody got a turn")
      assert.deepStrictEqual(others, [])
      yield* store.release({ ...turn, token: turn.token + 1 }, 0)
      deepStrictEqual(yield* store.acquire(name, 600_000), Option.none())
      yield* store.release(turn, 600_000)
      deepStrictEqual(yield* store.acquire(name, 600_000), Option.none())
      yield* store.release(turn, 0)
      const next = yield* store.acquire(name, 0)
      deepStrictEqual(next, Option.some({ name, token: turn.token + 1 }))
      deepStrictEqual(
        yield* store.acquire(name, 600_000),
        Option.some({ name, token: turn.token + 2 })
      )
    })
  )
  it.effect("says until when a lease is held, by the clock of the store", () =>
    Effect.gen(function* () {
      const store = yield* BackgroundLeaseStore
      const name = `work ${yield* Fixture.freshId}`
      deepStrictEqual(yield* store.heldUntil(name), Option.none())
      yield* store.acquire(name, 600_000)
      const end = Option.getOrThrow(yield* store.heldUntil(name))
      assert.isAbove(end.until - end.now, 500_000_000)
      assert.isAtMost(end.until - end.now, 600_000_000)
    })
  )
}

/** States the contracts of `NotificationStore` about keys that expire, and of `BackgroundLeaseStore`. */
export const expiringKeysSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`NotificationStore, keys that expire (${name})`, ports, options, (it) => {
    endingKeys(it)
    leases(it)
  })
