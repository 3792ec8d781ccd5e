/** The contract of `AuditStore` about copies, as far as other ports can write what it erases. */

import { AuditStore, erasedLogin } from "@attestry/core/AuditStore"
import { DeniedAttemptStore } from "@attestry/core/DeniedAttemptStore"
import * as Environment from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { Fingerprint } from "@attestry/core/Fingerprint"
import { HistoryStore } from "@attestry/core/HistoryStore"
import { IdempotencyStore } from "@attestry/core/IdempotencyStore"
import { ApiKeyId, Login, MembershipEventId, ScimId } from "@attestry/core/Identifier"
import type { User } from "@attestry/core/Membership"
import { MembershipStore } from "@attestry/core/MembershipStore"
import { NotificationStore } from "@attestry/core/NotificationStore"
import type { Org } from "@attestry/core/Org"
import { OutboxStore } from "@attestry/core/OutboxStore"
import type { Ports } from "@attestry/core/Ports"
import { ScimStore } from "@attestry/core/ScimStore"
import type { ScimUser } from "@attestry/core/ScimUser"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "../Fixture.js"
import * as NotificationFixture from "../NotificationFixture.js"
import { type SuiteIt, type SuiteOptions, suite } from "../Suite.js"
import { addressTests, commitTests } from "./ErasedTextTests.js"

const LEFT = "**ERASED**"

/** Adds a delivery that says a text. */
const deliver = (org: Org, description: string) =>
  Effect.gen(function* () {
    const target = yield* NotificationFixture.newTarget()
    const notification = { ...NotificationFixture.verdictNotification(org), description }
    const delivery = yield* NotificationFixture.newDelivery(org, target, { notification })
    yield* (yield* OutboxStore).append([delivery])
    return { id: delivery.id, notification }
  })

const deliveryTests = (it: SuiteIt) => {
  it.effect("finds the deliveries that contain a part, in this org alone", () =>
    Effect.gen(function* () {
      const [org, other] = [yield* Fixture.org, yield* Fixture.org]
      const copies = yield* AuditStore
      const said = yield* deliver(org, "reported by Ada King")
      yield* deliver(org, "reported by Eve")
      yield* deliver(other, "reported by Ada King")
      const found = yield* copies.listDeliveries(org.id, ["no such", "Ada K"])
      assert.deepStrictEqual(
        found.map(({ id }) => id),
        [said.id]
      )
      assert.deepInclude(found[0]?.notification, { description: "reported by Ada King" })
      assert.deepStrictEqual(yield* copies.listDeliveries(org.id, ["no such"]), [])
    })
  )

  it.effect("replaces what a delivery says, in this org alone", () =>
    Effect.gen(function* () {
      const [org, other] = [yield* Fixture.org, yield* Fixture.org]
      const copies = yield* AuditStore
      const { id, notification } = yield* deliver(org, "reported by Ada King")
      const next = { ...notification, description: `reported by ${LEFT}` }
      yield* copies.putDelivery(other.id, { id, notification: next })
      assert.lengthOf(yield* copies.listDeliveries(org.id, ["Ada King"]), 1)
      yield* copies.putDelivery(org.id, { id, notification: next })
      assert.deepStrictEqual(yield* copies.listDeliveries(org.id, ["Ada King"]), [])
      const [left] = yield* copies.listDeliveries(org.id, [LEFT])
      assert.strictEqual(left?.id, id)
      assert.deepInclude(left?.notification, { description: `reported by ${LEFT}` })
    })
  )

  it.effect("finds no delivery where there is none", () =>
    Effect.gen(function* () {
      const { id: org } = yield* Fixture.org
      const copies = yield* AuditStore
      assert.deepStrictEqual(yield* copies.listDeliveries(org, ["a"]), [])
    })
  )
}

const allowedPeriodTests = (it: SuiteIt) => {
  it.effect("replaces reasons and creators in all that was ever allowed in an environment", () =>
    Effect.gen(function* () {
      const [copies, lists, history] = [
        yield* AuditStore,
        yield* EnvironmentStore,
        yield* HistoryStore
      ]
      const org = yield* Fixture.org
      const refs = [
        Environment.ref(yield* Fixture.environment(org, "one")),
        Environment.ref(yield* Fixture.environment(org, "two"))
      ]
      for (const ref of refs) {
        const entry = {
          org_id: ref.org,
          environment_id: ref.environment,
          name: "shop",
          fingerprint: Fingerprint.make("a".repeat(64)),
          created_by: "Ada King",
          reason: "asked by Ada",
          created_at: Fixture.AT,
          expires_at: null,
          owner: null
        }
        yield* lists.putAllowed(entry)
        yield* lists.putAllowed({ ...entry, reason: "kept", created_at: Fixture.LATER })
      }
      const said = (ref: (typeof refs)[number]) =>
        Effect.map(history.allowedPeriods(ref), (found) =>
          found.map(({ reason, created_by }) => [reason, created_by])
        )
      const before = [
        ["asked by Ada", "Ada King"],
        ["kept", "Ada King"]
      ]
      const [one, two] = refs
      if (one === undefined || two === undefined) return
      const texts = ["asked by Ada", "King"]
      yield* copies.eraseTexts(org.id, { environment: one.environment, texts, left: LEFT })
      const left = [
        [LEFT, "Ada King"],
        ["kept", "Ada King"]
      ]
      assert.deepStrictEqual([yield* said(one), yield* said(two)], [left, before])
      const name = { environment: one.environment, texts: ["Ada King"], left: LEFT }
      yield* copies.eraseTexts(org.id, name)
      const last = [
        [LEFT, LEFT],
        ["kept", LEFT]
      ]
      assert.deepStrictEqual([yield* said(one), yield* said(two)], [last, before])
    })
  )

  it.effect("replaces the creator of a notification that is equal to a text", () =>
    Effect.gen(function* () {
      const copies = yield* AuditStore
      const notifications = yield* NotificationStore
      const org = yield* Fixture.org
      const flow = yield* Fixture.flow(org)
      const { number: first } = yield* NotificationFixture.subscription(org)
      const { number: second } = yield* NotificationFixture.subscription(org)
      const { number: third } = yield* NotificationFixture.flowSubscription(org, [flow.id])
      const creators = Effect.gen(function* () {
        const found = [
          Option.getOrThrow(
            yield* notifications.findEnvironmentNotification({ org: org.id, number: first })
          ),
          Option.getOrThrow(
            yield* notifications.findEnvironmentNotification({ org: org.id, number: second })
          ),
          Option.getOrThrow(
            yield* notifications.findFlowNotification({ org: org.id, number: third })
          )
        ]
        return found.map(({ created_by }) => created_by)
      })
      const erase = (number: number, text: string) =>
        copies.eraseTexts(org.id, { number, texts: [text], left: LEFT })
      yield* erase(first, "an")
      assert.deepStrictEqual(yield* creators, ["anna", "anna", "anna"])
      yield* erase(first, "anna")
      yield* erase(third, "anna")
      assert.deepStrictEqual(yield* creators, [LEFT, "anna", LEFT])
    })
  )
}

/** A user of orgs, with names; the first org has a history of the membership. */
const named = (orgs: ReadonlyArray<Org>) =>
  Effect.gen(function* () {
    const [store, attempts] = [yield* MembershipStore, yield* DeniedAttemptStore]
    const fresh = yield* Fixture.newUser
    const user: User = { ...fresh, display_name: "Ada King", email: "ada@example.org" }
    yield* store.insertUser(user)
    for (const { id } of orgs) {
      yield* store.insert({
        org_id: id,
        user_id: user.id,
        role: "member" as const,
        created_at: Fixture.AT
      })
      yield* store.appendEvent({
        org_id: id,
        id: MembershipEventId.make(yield* Fixture.freshId),
        user_id: user.id,
        user: "Ada King",
        changed_by: "root",
        role: "member" as const,
        previous_role: null,
        suspended: false,
        source: "script" as const,
        created_at: Fixture.AT
      })
    }
    yield* attempts.insert({
      actor: { kind: "user", id: user.id, name: "Ada King" },
      key_id: ApiKeyId.make(user.id),
      operation: "flow.put",
      org: `asked-${user.id}`
    })
    return user
  })

const personTests = (it: SuiteIt) => {
  it.effect("replaces the names of a user: in the account, the history and refused requests", () =>
    Effect.gen(function* () {
      const [copies, store] = [yield* AuditStore, yield* MembershipStore]
      const attempts = yield* DeniedAttemptStore
      const org = yield* Fixture.org
      const [user, other] = [yield* named([org]), yield* named([org])]
      const erase = (text: string) =>
        copies.eraseTexts(org.id, { user: user.id, texts: [text], left: LEFT })
      yield* erase("Ada")
      deepStrictEqual(yield* store.findUser(user.login), Option.some(user))
      yield* erase("Ada King")
      const nameless = { ...user, display_name: LEFT }
      deepStrictEqual(yield* store.findUser(user.login), Option.some(nameless))
      yield* erase("ada@example.org")
      yield* erase(user.login)
      deepStrictEqual(yield* store.findUser(user.login), Option.none())
      const login = Login.make(erasedLogin(user.id))
      deepStrictEqual(
        yield* store.findUser(login),
        Option.some({ ...nameless, login, email: LEFT })
      )
      deepStrictEqual(yield* store.findUser(other.login), Option.some(other))
      const { events } = yield* store.listEvents(
        org.id,
        { sort: "when", direction: "asc" },
        { offset: 0, limit: 10 }
      )
      assert.deepStrictEqual(
        events.map((event) => [event.user_id, event.user]).sort(),
        [
          [user.id, LEFT],
          [other.id, "Ada King"]
        ].sort()
      )
      const [attempt] = yield* attempts.list({ org: `asked-${user.id}`, limit: 1 })
      assert.strictEqual(attempt?.actor.name, LEFT)
    })
  )

  it.effect("drops what the SCIM client of the org said about a user", () =>
    Effect.gen(function* () {
      const [copies, store] = [yield* AuditStore, yield* ScimStore]
      const org = yield* Fixture.org
      const [ada, other] = [yield* named([org]), yield* named([org])]
      const said = (user: User, id: string): ScimUser => ({
        org_id: org.id,
        id: ScimId.make(`${id}-${org.id}`),
        user_id: user.id,
        external_id: id,
        user_name: `${id}@example.org`,
        active: true,
        attributes: { displayName: "Ada King" },
        created_at: Fixture.AT,
        updated_at: Fixture.AT
      })
      const [kept, erased] = [said(other, "b"), said(ada, "a")]
      for (const each of [kept, erased]) yield* store.insert(each)
      const erase = (text: string) =>
        copies.eraseTexts(org.id, { user: ada.id, texts: [text], left: LEFT })
      yield* erase("Grace")
      deepStrictEqual(yield* store.find({ org: org.id, id: erased.id }), Option.some(erased))
      yield* erase("Ada King")
      deepStrictEqual(
        yield* store.find({ org: org.id, id: erased.id }),
        Option.some({ ...erased, user_name: erasedLogin(ada.id), attributes: {} })
      )
      deepStrictEqual(yield* store.find({ org: org.id, id: kept.id }), Option.some(kept))
    })
  )

  it.effect("leaves the account of a user of another org, and of one who never was a member", () =>
    Effect.gen(function* () {
      const [copies, store] = [yield* AuditStore, yield* MembershipStore]
      const [org, elsewhere] = [yield* Fixture.org, yield* Fixture.org]
      const [both, stranger] = [yield* named([org, elsewhere]), yield* named([])]
      for (const user of [both, stranger]) {
        const texts = ["Ada King", user.login]
        yield* copies.eraseTexts(org.id, { user: user.id, texts, left: LEFT })
        deepStrictEqual(yield* store.findUser(user.login), Option.some(user))
      }
      const query = { sort: "when", direction: "asc" } as const
      const slice = { offset: 0, limit: 10 }
      const own = yield* store.listEvents(org.id, query, slice)
      const others = yield* store.listEvents(elsewhere.id, query, slice)
      assert.deepStrictEqual(
        [own, others].map(({ events }) => events.map(({ user }) => user)),
        [[LEFT], ["Ada King"]]
      )
    })
  )
}

/** States the contract of `AuditStore` about copies. */
export const erasedCopiesSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`${name}: AuditStore`, ports, options, (it) => {
    it.effect("withholds stored answers that contain a part, in this org alone", () =>
      Effect.gen(function* () {
        const [{ id: org }, { id: other }] = [yield* Fixture.org, yield* Fixture.org]
        const [requests, copies] = [yield* IdempotencyStore, yield* AuditStore]
        const store = (id: typeof org, request: string, text: string) =>
          Effect.gen(function* () {
            const claimed = { org: id, request, token: "t" }
            yield* requests.claim({ ...claimed, content: "c", seconds: 600 })
            const response = { code: 200, mediaType: "application/json", text, entries: null }
            yield* requests.complete(claimed, { response: Option.some(response), seconds: 600 })
          })
        const outcomeOf = (id: typeof org, request: string) =>
          Effect.map(
            requests.claim({ org: id, request, token: "u", content: "c", seconds: 600 }),
            (found) => Option.getOrThrow(found).outcome._tag
          )
        yield* store(org, "a", '{"author":"ada"}')
        yield* store(org, "b", '{"author":"eve"}')
        yield* store(other, "a", '{"author":"ada"}')
        yield* copies.withholdAnswers(org, ["no such text"])
        assert.strictEqual(yield* outcomeOf(org, "a"), "Answered")
        yield* copies.withholdAnswers(org, ["zoe", "ada"])
        assert.strictEqual(yield* outcomeOf(org, "a"), "Withheld")
        assert.strictEqual(yield* outcomeOf(org, "b"), "Answered")
        assert.strictEqual(yield* outcomeOf(other, "a"), "Answered")
      })
    )

    deliveryTests(it)
    allowedPeriodTests(it)
    personTests(it)
    commitTests(it)
    addressTests(it)
  })
