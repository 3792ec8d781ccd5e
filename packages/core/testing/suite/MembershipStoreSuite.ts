/** The contract of `MembershipStore`. */
import { UserId } from "@attestry/core/Identifier"
import type { Membership, NewMembership, User } from "@attestry/core/Membership"
import * as MembershipEvent from "@attestry/core/MembershipEvent"
import { MembershipStore } from "@attestry/core/MembershipStore"
import type { Org } from "@attestry/core/Org"
import type { Ports } from "@attestry/core/Ports"
import type { Role } from "@attestry/core/Role"
import type { Timestamp } from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import {
  membershipEvent,
  membershipEventQuery,
  membershipHistory
} from "../arbitrary/MembershipEvent.js"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

const join = (org: Org, user: User, role: Role, created_at: Timestamp = Fixture.AT) => {
  const member: NewMembership = { org_id: org.id, user_id: user.id, role, created_at }
  return Effect.as(
    Effect.flatMap(MembershipStore, (store) => store.insert(member)),
    { ...member, suspended_at: null, sessions_after: null } satisfies Membership
  )
}

/** A member who is suspended. */
const joinSuspended = (org: Org, user: User, role: Role) =>
  Effect.gen(function* () {
    const member = yield* join(org, user, role)
    yield* (yield* MembershipStore).update({ ...member, suspended_at: Fixture.LATER })
  })

/** States the contract of `MembershipStore`. */
export const membershipStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`MembershipStore (${name})`, ports, options, (it) => {
    it.effect("finds a user by login and by id, with and without optional fields", () =>
      Effect.gen(function* () {
        const store = yield* MembershipStore
        const plain = yield* Fixture.newUser
        const full = {
          ...(yield* Fixture.newUser),
          display_name: "Anna 🦉",
          email: "anna@example.org"
        }
        for (const user of [plain, full]) {
          deepStrictEqual(yield* store.findUser(user.login), Option.none())
          assert.strictEqual(yield* store.insertUser(user), true)
          deepStrictEqual(yield* store.findUser(user.login), Option.some(user))
          deepStrictEqual(yield* store.findUserById(user.id), Option.some(user))
        }
        const unknown = UserId.make(yield* Fixture.freshId)
        deepStrictEqual(yield* store.findUserById(unknown), Option.none())
      })
    )

    it.effect("adds no second user of one login", () =>
      Effect.gen(function* () {
        const store = yield* MembershipStore
        const user = yield* Fixture.user
        const id = UserId.make(yield* Fixture.freshId)
        assert.strictEqual(yield* store.insertUser({ ...user, id, email: "x" }), false)
        deepStrictEqual(yield* store.findUser(user.login), Option.some(user))
      })
    )

    it.effect("adds a user once to each org", () =>
      Effect.gen(function* () {
        const store = yield* MembershipStore
        const user = yield* Fixture.user
        const [one, other] = yield* Effect.all([Fixture.org, Fixture.org])
        const member: NewMembership = {
          org_id: one.id,
          user_id: user.id,
          role: "reader",
          created_at: Fixture.AT
        }
        assert.strictEqual(yield* store.insert(member), true)
        assert.strictEqual(yield* store.insert({ ...member, role: "admin" }), false)
        assert.strictEqual(yield* store.insert({ ...member, org_id: other.id }), true)
      })
    )

    it.effect("lists the orgs of a user in the order of joining", () =>
      Effect.gen(function* () {
        const store = yield* MembershipStore
        const [user, other] = yield* Effect.all([Fixture.user, Fixture.user])
        const [one, two] = yield* Effect.all([Fixture.org, Fixture.org])
        yield* join(one, user, "reader", Fixture.LATER)
        yield* join(two, user, "admin")
        yield* join(one, other, "admin")
        deepStrictEqual(yield* store.listOrgs(user.id), [
          { org_id: two.id, org: two.name, role: "admin" },
          { org_id: one.id, org: one.name, role: "reader" }
        ])
        deepStrictEqual(yield* store.listOrgs((yield* Fixture.user).id), [])
      })
    )

    it.effect("lists the members of one org in the order of joining", () =>
      Effect.gen(function* () {
        const store = yield* MembershipStore
        const [one, two] = yield* Effect.all([Fixture.org, Fixture.org])
        const [anna, ben, cleo] = yield* Effect.all([Fixture.user, Fixture.user, Fixture.user])
        const late = yield* join(one, anna, "reader", Fixture.LATER)
        const first = yield* Effect.all([join(one, ben, "admin"), join(one, cleo, "member")])
        yield* join(two, anna, "admin")
        const byUser = first.sort((left, right) => (left.user_id < right.user_id ? -1 : 1))
        const named = [...byUser, late].flatMap((member) =>
          [anna, ben, cleo]
            .filter(({ id }) => id === member.user_id)
            .map(({ login, display_name }) => ({ ...member, login, display_name }))
        )
        const list = (org: Org, offset: number, limit: number) =>
          Effect.map(
            store.listMembers(org.id, { offset, limit }),
            ({ items, total }) => [items, total] as const
          )
        deepStrictEqual(yield* list(one, 0, Number.MAX_SAFE_INTEGER), [named, 3])
        deepStrictEqual(yield* list(one, 1, 1), [named.slice(1, 2), 3])
        deepStrictEqual(yield* list(one, 3, 9), [[], 3])
        deepStrictEqual(yield* list(yield* Fixture.org, 0, 9), [[], 0])
      })
    )

    it.effect("changes and removes a membership, and keeps its beginning", () =>
      Effect.gen(function* () {
        const store = yield* MembershipStore
        const [org, user] = [yield* Fixture.org, yield* Fixture.user]
        const key = { org: org.id, user: user.id }
        deepStrictEqual(yield* store.lock(key), Option.none())
        const member = yield* join(org, user, "reader")
        yield* store.update({ ...member, role: "admin", created_at: Fixture.LATER })
        deepStrictEqual(yield* store.lock(key), Option.some({ ...member, role: "admin" as const }))
        yield* store.remove(key)
        yield* store.remove(key)
        deepStrictEqual(yield* store.lock(key), Option.none())
      })
    )

    it.effect("suspends and restores a membership, and keeps the rest of it", () =>
      Effect.gen(function* () {
        const store = yield* MembershipStore
        const [org, user] = [yield* Fixture.org, yield* Fixture.user]
        const key = { org: org.id, user: user.id }
        deepStrictEqual(yield* store.find(key), Option.none())
        const member = yield* join(org, user, "admin")
        const changed = { ...member, suspended_at: Fixture.AT, sessions_after: Fixture.LATER }
        yield* store.update(changed)
        deepStrictEqual(yield* store.find(key), Option.some(changed))
        deepStrictEqual(yield* store.lock(key), Option.some(changed))
        const { items } = yield* store.listMembers(org.id, { offset: 0, limit: 9 })
        const { display_name, login } = user
        deepStrictEqual(items, [{ ...changed, login, display_name }])
        yield* store.update(member)
        deepStrictEqual(yield* store.find(key), Option.some(member))
      })
    )

    it.effect("lists no org in which a user is suspended, and locks no suspended admin", () =>
      Effect.gen(function* () {
        const store = yield* MembershipStore
        const transaction = yield* Transaction
        const [org, other] = yield* Effect.all([Fixture.org, Fixture.org])
        const [anna, ben] = yield* Effect.all([Fixture.user, Fixture.user])
        yield* joinSuspended(org, anna, "admin")
        yield* join(other, anna, "admin")
        yield* join(org, ben, "admin")
        deepStrictEqual(yield* store.listOrgs(anna.id), [
          { org_id: other.id, org: other.name, role: "admin" }
        ])
        const admins = transaction.run(org.id, () => store.lockAdmins(org.id))
        deepStrictEqual(yield* admins, [ben.id])
      })
    )

    it.effect("leaves out an admin who is suspended while it waits for the lock", () =>
      Effect.gen(function* () {
        const store = yield* MembershipStore
        const transaction = yield* Transaction
        const org = yield* Fixture.org
        const users = yield* Effect.all([Fixture.user, Fixture.user, Fixture.user])
        const members = yield* Effect.forEach(users, (user) => join(org, user, "admin"))
        const left = yield* Effect.forEach(
          members,
          (member) =>
            transaction.run(org.id, () =>
              Effect.gen(function* () {
                const admins = yield* store.lockAdmins(org.id)
                if (admins.length === 1) return 0
                yield* store.update({ ...member, suspended_at: Fixture.AT })
                return admins.length - 1
              })
            ),
          { concurrency: "unbounded" }
        )
        deepStrictEqual([...left].sort(), [0, 1, 2])
      })
    )

    it.effect("locks the admins of one org", () =>
      Effect.gen(function* () {
        const store = yield* MembershipStore
        const transaction = yield* Transaction
        const [org, other] = yield* Effect.all([Fixture.org, Fixture.org])
        const [anna, ben, cleo] = yield* Effect.all([Fixture.user, Fixture.user, Fixture.user])
        yield* join(org, anna, "admin")
        yield* join(org, ben, "member")
        yield* join(org, cleo, "admin")
        yield* join(other, ben, "admin")
        deepStrictEqual(
          yield* transaction.run(org.id, () => store.lockAdmins(org.id)),
          [anna.id, cleo.id].sort()
        )
      })
    )

    it.effect("stores the default org of each user", () =>
      Effect.gen(function* () {
        const store = yield* MembershipStore
        const [user, other] = yield* Effect.all([Fixture.user, Fixture.user])
        const [one, two] = yield* Effect.all([Fixture.org, Fixture.org])
        deepStrictEqual(yield* store.findDefaultOrg(user.id), Option.none())
        assert.strictEqual(yield* store.setDefaultOrg(user.id, one.id), true)
        assert.strictEqual(yield* store.setDefaultOrg(user.id, one.id), false)
        assert.strictEqual(yield* store.setDefaultOrg(user.id, two.id), true)
        deepStrictEqual(yield* store.findDefaultOrg(user.id), Option.some(two.id))
        deepStrictEqual(yield* store.findDefaultOrg(other.id), Option.none())
      })
    )

    it.effect(
      "returns every query of a history as `MembershipEvent.select` does, in slices and in whole",
      () =>
        Effect.gen(function* () {
          const store = yield* MembershipStore
          const stranger = yield* Fixture.org
          const [foreign] = FastCheck.sample(membershipEvent(stranger.id), 1)
          if (foreign !== undefined) yield* store.appendEvent(foreign)
          for (const seed of [1, 2, 3]) {
            const org = yield* Fixture.org
            const [history = []] = FastCheck.sample(membershipHistory(org.id), { numRuns: 1, seed })
            for (const event of history) yield* store.appendEvent(event)
            for (const query of FastCheck.sample(membershipEventQuery, { numRuns: 60, seed })) {
              const expected = MembershipEvent.select(query, history)
              const whole = yield* store.listEvents(org.id, query, { offset: 0, limit: 100 })
              deepStrictEqual(whole, { events: expected, total: expected.length })
              const part = yield* store.listEvents(org.id, query, { offset: 2, limit: 3 })
              deepStrictEqual(part, { events: expected.slice(2, 5), total: expected.length })
            }
          }
        })
    )

    it.effect("returns who was a member at an instant, by the last change until then", () =>
      Effect.gen(function* () {
        const store = yield* MembershipStore
        const known = yield* Fixture.newUser
        yield* store.insertUser(known)
        const people = [known.id, UserId.make("one"), UserId.make("two")] as const
        for (const seed of [1, 2, 3]) {
          const org = yield* Fixture.org
          const [history = []] = FastCheck.sample(membershipHistory(org.id), { numRuns: 1, seed })
          const events = history.map((event, index) => ({
            ...event,
            user_id: people[index % people.length] ?? known.id
          }))
          for (const event of events) yield* store.appendEvent(event)
          for (const { created_at: at } of events) {
            const before = MembershipEvent.select(
              { to: at, sort: "when", direction: "asc" },
              events
            )
            const expected = people.flatMap((user_id) => {
              const last = before.filter((event) => event.user_id === user_id).at(-1)
              if (last === undefined || last.role === null) return []
              const login: string = user_id === known.id ? known.login : user_id
              return [{ user_id, login, role: last.role, suspended: last.suspended }]
            })
            const found = yield* store.listMembersAt(org.id, at)
            deepStrictEqual(
              [...found].sort((left, right) => (left.user_id < right.user_id ? -1 : 1)),
              expected.sort((left, right) => (left.user_id < right.user_id ? -1 : 1))
            )
          }
        }
      })
    )
  })
