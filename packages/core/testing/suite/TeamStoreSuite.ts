/** The contract of `TeamStore`. */
import { TeamId, TeamName, type UserId } from "@attestry/core/Identifier"
import { MembershipStore } from "@attestry/core/MembershipStore"
import type { Org } from "@attestry/core/Org"
import type { Ports } from "@attestry/core/Ports"
import type { Team } from "@attestry/core/Team"
import * as TeamMember from "@attestry/core/TeamMember"
import { TeamStore } from "@attestry/core/TeamStore"
import * as Timestamp from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

const FIRST = { page: 1, perPage: 100 }

const newTeam = (org: Org, name: string): Effect.Effect<Team> =>
  Effect.map(Fixture.freshId, (id) => ({
    org_id: org.id,
    id: TeamId.make(id),
    name: TeamName.make(name),
    kind: "hand",
    description: "",
    group_name: null,
    external_id: null,
    created_at: Fixture.AT,
    deleted_at: null
  }))

const team = (org: Org, name: string) =>
  Effect.tap(newTeam(org, name), (made) => Effect.flatMap(TeamStore, (store) => store.insert(made)))

const member = (org: Org) =>
  Effect.tap(Fixture.user, (user) =>
    Effect.flatMap(MembershipStore, (store) =>
      store.insert({ org_id: org.id, user_id: user.id, role: "member", created_at: Fixture.AT })
    )
  )

const suspend = (org: Org, user: UserId) =>
  Effect.gen(function* () {
    const store = yield* MembershipStore
    const membership = Option.getOrThrow(yield* store.lock({ org: org.id, user }))
    yield* store.update({ ...membership, suspended_at: Fixture.AT })
  })

const timeOf = (
  { id, kind, org_id }: Team,
  user: UserId,
  from_at = Fixture.AT
): TeamMember.TeamMember => ({
  org_id,
  team_id: id,
  user_id: user,
  source: kind,
  from_at,
  to_at: null
})

const sorted = <A extends string>(ids: ReadonlyArray<A>): ReadonlyArray<A> => [...ids].sort()

/** States the contract of `TeamStore`. */
export const teamStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`TeamStore (${name})`, ports, options, (it) => {
    it.effect("finds a team by name and by id, in its org", () =>
      Effect.gen(function* () {
        const store = yield* TeamStore
        const transaction = yield* Transaction
        const [org, other] = [yield* Fixture.org, yield* Fixture.org]
        const made: Team = {
          ...(yield* newTeam(org, "payments")),
          kind: "scim",
          description: "who pays 🦉",
          group_name: "Payments",
          external_id: "00g1"
        }
        const key = { org: org.id, name: made.name }
        deepStrictEqual(yield* store.find(key), Option.none())
        assert.isTrue(yield* store.insert(made))
        assert.isFalse(yield* store.insert(yield* newTeam(org, "payments")))
        assert.isTrue(yield* store.insert(yield* newTeam(other, "payments")))
        deepStrictEqual(yield* store.find(key), Option.some(made))
        const locked = transaction.run(org.id, () =>
          store.find({ org: org.id, id: made.id }, { lock: true })
        )
        deepStrictEqual(yield* locked, Option.some(made))
        deepStrictEqual(yield* store.find({ org: other.id, id: made.id }), Option.none())
      })
    )

    it.effect("changes a team, and refuses a name that another one has", () =>
      Effect.gen(function* () {
        const store = yield* TeamStore
        const org = yield* Fixture.org
        const [one, two] = [yield* team(org, "one"), yield* team(org, "two")]
        const changed: Team = {
          ...one,
          name: TeamName.make("three"),
          kind: "claim",
          description: "x",
          group_name: "g",
          external_id: "e"
        }
        assert.isTrue(yield* store.update(changed))
        deepStrictEqual(yield* store.find({ org: org.id, id: one.id }), Option.some(changed))
        assert.isFalse(yield* store.update({ ...changed, name: two.name }))
        deepStrictEqual(yield* store.find({ org: org.id, id: one.id }), Option.some(changed))
      })
    )

    it.effect("finds no team that was deleted, and gives its name to another one", () =>
      Effect.gen(function* () {
        const store = yield* TeamStore
        const org = yield* Fixture.org
        const gone = yield* team(org, "ops")
        assert.isTrue(yield* store.update({ ...gone, deleted_at: Fixture.LATER }))
        deepStrictEqual(yield* store.find({ org: org.id, id: gone.id }), Option.none())
        const next = yield* team(org, "ops")
        deepStrictEqual(yield* store.find({ org: org.id, name: gone.name }), Option.some(next))
        deepStrictEqual(yield* store.countToAdd(org.id), 1)
        const { items, total } = yield* store.list(org.id, {}, FIRST)
        deepStrictEqual([items, total], [[{ ...next, members: 0 }], 1])
      })
    )

    it.effect("lists teams by name with their numbers of people, all or those of a user", () =>
      Effect.gen(function* () {
        const store = yield* TeamStore
        const org = yield* Fixture.org
        const [b, a, c] = [yield* team(org, "b"), yield* team(org, "a"), yield* team(org, "c")]
        const [anna, ben] = [yield* member(org), yield* member(org)]
        const left = TeamMember.ended(timeOf(c, anna.id), Fixture.LATER)
        yield* store.begin(org.id, [timeOf(b, anna.id), timeOf(b, ben.id), timeOf(a, ben.id), left])
        const all = [
          { ...a, members: 1 },
          { ...b, members: 2 },
          { ...c, members: 0 }
        ]
        deepStrictEqual(yield* store.list(org.id, {}, FIRST), { items: all, total: 3 })
        deepStrictEqual(yield* store.list(org.id, {}, { page: 2, perPage: 2 }), {
          items: all.slice(2),
          total: 3
        })
        deepStrictEqual(yield* store.list(org.id, {}, { page: 9, perPage: 2 }), {
          items: [],
          total: 3
        })
        deepStrictEqual(yield* store.list(org.id, { user: anna.id }, FIRST), {
          items: all.slice(1, 2),
          total: 1
        })
        deepStrictEqual((yield* store.list((yield* Fixture.org).id, {}, FIRST)).total, 0)
      })
    )

    it.effect("knows the members of the org among some users", () =>
      Effect.gen(function* () {
        const store = yield* TeamStore
        const transaction = yield* Transaction
        const org = yield* Fixture.org
        const [anna, ben] = [yield* member(org), yield* member(org)]
        const foreign = [yield* Fixture.user, yield* member(yield* Fixture.org)]
        const ids = [ben, anna, ...foreign].map(({ id }) => id)
        const logins = new Map([anna, ben].map(({ id, login }) => [id, login]))
        const expected = sorted([anna.id, ben.id]).map((user_id) => ({
          user_id,
          login: logins.get(user_id) ?? anna.login
        }))
        deepStrictEqual(yield* store.listAmong(org.id, ids), expected)
        const locked = transaction.run(org.id, () => store.listAmong(org.id, ids, { lock: true }))
        deepStrictEqual(yield* locked, expected)
        deepStrictEqual(yield* store.listAmong(org.id, []), [])
      })
    )

    it.effect("lists who is in a team in the order of coming, with names", () =>
      Effect.gen(function* () {
        const store = yield* TeamStore
        const org = yield* Fixture.org
        const [made, other] = [yield* team(org, "ops"), yield* team(org, "other")]
        const [anna, ben, cleo] = [yield* member(org), yield* member(org), yield* member(org)]
        const late = timeOf(made, anna.id, Fixture.LATER)
        const early = sorted([ben.id, cleo.id]).map((id) => timeOf(made, id))
        yield* store.begin(org.id, [late, ...early, timeOf(other, anna.id)])
        yield* suspend(org, anna.id)
        const logins = new Map([anna, ben, cleo].map(({ id, login }) => [id, login]))
        const expected = [...early, late].map((time) => ({
          ...time,
          login: logins.get(time.user_id) ?? anna.login,
          display_name: null,
          suspended: time.user_id === anna.id
        }))
        const ref = { org: org.id, id: made.id }
        deepStrictEqual(yield* store.countMembers(ref), 2)
        const { items } = yield* store.list(org.id, { user: anna.id }, FIRST)
        deepStrictEqual(
          items.map(({ members }) => members),
          [2, 0]
        )
        deepStrictEqual(yield* store.listMembers(ref, FIRST), { items: expected, total: 3 })
        deepStrictEqual(yield* store.listMembers(ref, { page: 2, perPage: 1 }), {
          items: expected.slice(1, 2),
          total: 3
        })
        deepStrictEqual(yield* store.listMembers(ref, { page: 4, perPage: 1 }), {
          items: [],
          total: 3
        })
      })
    )

    it.effect("ends times, and finds the last one of each user", () =>
      Effect.gen(function* () {
        const store = yield* TeamStore
        const org = yield* Fixture.org
        const [made, other] = [yield* team(org, "ops"), yield* team(org, "other")]
        const [anna, ben] = [yield* member(org), yield* member(org)]
        const ref = { org: org.id, id: made.id }
        const users = [anna.id, ben.id]
        deepStrictEqual(yield* store.listLast(ref, users), [])
        const first = timeOf(made, anna.id)
        yield* store.begin(org.id, [first, timeOf(other, anna.id), timeOf(made, ben.id)])
        const over = TeamMember.ended(first, Fixture.LATER)
        yield* store.end(org.id, [over])
        const bens = timeOf(made, ben.id)
        const both = (annas: TeamMember.TeamMember) =>
          [annas, bens].sort((left, right) => (left.user_id < right.user_id ? -1 : 1))
        deepStrictEqual(yield* store.listLast(ref, users), both(over))
        deepStrictEqual(yield* store.listOpen(org.id, { team: made.id }), [bens])
        const inOrder = (times: ReadonlyArray<TeamMember.TeamMember>) =>
          [...times].sort((left, right) =>
            `${left.team_id} ${left.user_id}` < `${right.team_id} ${right.user_id}` ? -1 : 1
          )
        const annas = timeOf(other, anna.id)
        const before = Timestamp.fromMicros(first.from_at - 1)
        const last = Timestamp.fromMicros(Fixture.LATER - 1)
        deepStrictEqual(yield* store.listAt(org.id, before), [])
        deepStrictEqual(yield* store.listAt(org.id, last), inOrder([over, annas, bens]))
        deepStrictEqual(yield* store.listAt(org.id, Fixture.LATER), inOrder([annas, bens]))
        const again = timeOf(made, anna.id, Timestamp.fromMicros(Fixture.LATER))
        yield* store.begin(org.id, [again])
        deepStrictEqual(yield* store.listLast(ref, users), both(again))
        deepStrictEqual(yield* store.listLast(ref, [ben.id]), [bens])
        deepStrictEqual(
          (yield* store.listOpen(org.id, { user: anna.id })).map(({ team_id }) => team_id),
          sorted([made.id, other.id])
        )
      })
    )
  })
