/** The contract of `GrantStore`. */
import type { Grant, GrantDraft, GrantSubject } from "@attestry/core/Grant"
import { type GrantQuery, GrantStore } from "@attestry/core/GrantStore"
import { SpaceId, TeamId, TeamName, type UserId } from "@attestry/core/Identifier"
import { MembershipStore } from "@attestry/core/MembershipStore"
import type { Org } from "@attestry/core/Org"
import type { Ports } from "@attestry/core/Ports"
import type { Role } from "@attestry/core/Role"
import { TeamStore } from "@attestry/core/TeamStore"
import * as Timestamp from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "../Fixture.js"
import { type SuiteIt, type SuiteOptions, suite } from "../Suite.js"

const PAGE = { page: 1, perPage: 100 }
const ANNA: GrantSubject = { kind: "user", id: "anna" }
const EVERYONE: GrantSubject = { kind: "everyone", id: "" }
const LAST = Timestamp.plusSeconds(Fixture.LATER, 60)
const justBefore = (at: Timestamp.Timestamp) => Timestamp.fromMicros(at - 1)

const spaceOf = (name: string): SpaceId => SpaceId.make(name)

const draft = (org: Org, fields: Partial<GrantDraft> = {}): GrantDraft => ({
  org_id: org.id,
  subject: ANNA,
  space_id: spaceOf("s1"),
  role: "member",
  eligible: false,
  expires_at: null,
  reason: "she pays 🦉",
  given_by: "u-9",
  from_at: Fixture.AT,
  to_at: null,
  ...fields
})

const numbers = (it: SuiteIt): void => {
  it.effect("numbers the grants of each org from 1, also those of concurrent calls", () =>
    Effect.gen(function* () {
      const store = yield* GrantStore
      const transaction = yield* Transaction
      const [org, other] = [yield* Fixture.org, yield* Fixture.org]
      const made = yield* Effect.forEach(
        ["s1", "s2", "s3"],
        (space) =>
          transaction.run(org.id, () => store.append(draft(org, { space_id: spaceOf(space) }))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(made.map(({ number }) => number).sort(), [1, 2, 3])
      const one = yield* store.append(draft(other, { expires_at: Fixture.LATER }))
      deepStrictEqual(one, { ...draft(other, { expires_at: Fixture.LATER }), number: 1 })
      deepStrictEqual(yield* store.find({ org: other.id, number: 1 }), Option.some(one))
      deepStrictEqual(yield* store.find({ org: other.id, number: 2 }), Option.none())
    })
  )

  it.effect("counts those that nobody has ended, of the org and of one subject", () =>
    Effect.gen(function* () {
      const store = yield* GrantStore
      const transaction = yield* Transaction
      const org = yield* Fixture.org
      const count = (subject: GrantSubject) =>
        transaction.run(org.id, () => store.countToAdd(org.id, subject))
      deepStrictEqual(yield* count(ANNA), { org: 0, subject: 0 })
      yield* store.append(draft(org, { expires_at: Timestamp.fromMicros(Fixture.AT + 1) }))
      yield* store.append(draft(org, { subject: EVERYONE }))
      const gone = yield* store.append(draft(org, { space_id: spaceOf("s2") }))
      yield* store.append(draft(yield* Fixture.org))
      deepStrictEqual(yield* count(ANNA), { org: 3, subject: 2 })
      yield* store.end({ ...gone, to_at: Fixture.LATER })
      deepStrictEqual(yield* count(ANNA), { org: 2, subject: 1 })
      deepStrictEqual(yield* count({ kind: "team", id: ANNA.id }), { org: 2, subject: 0 })
    })
  )

  it.effect("lets one at a time count and add", () =>
    Effect.gen(function* () {
      const store = yield* GrantStore
      const transaction = yield* Transaction
      const org = yield* Fixture.org
      const add = (space: string) =>
        transaction.run(org.id, () =>
          Effect.gen(function* () {
            const found = yield* store.countToAdd(org.id, ANNA)
            yield* store.append(draft(org, { space_id: spaceOf(space) }))
            return found.subject
          })
        )
      const seen = yield* Effect.all([add("s1"), add("s2"), add("s3")], {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual([...seen].sort(), [0, 1, 2])
    })
  )
}

const endings = (it: SuiteIt): void => {
  it.effect("ends a grant, writes nothing else, and lets another one begin", () =>
    Effect.gen(function* () {
      const store = yield* GrantStore
      const org = yield* Fixture.org
      const made = yield* store.append(draft(org))
      const open = () => store.lockOpen(org.id, ANNA, { space: spaceOf("s1"), eligible: false })
      deepStrictEqual(yield* open(), Option.some(made))
      const none = [
        store.lockOpen(org.id, ANNA, { space: spaceOf("s2"), eligible: false }),
        store.lockOpen(org.id, ANNA, { space: spaceOf("s1"), eligible: true }),
        store.lockOpen(org.id, EVERYONE, { space: spaceOf("s1"), eligible: false })
      ]
      for (const each of none) deepStrictEqual(yield* each, Option.none())
      assert.isTrue(yield* store.hasOpenIn(org.id, spaceOf("s1")))
      assert.isFalse(yield* store.hasOpenIn(org.id, spaceOf("s2")))
      yield* store.end({ ...made, to_at: Fixture.LATER, role: "admin", reason: "ignored" })
      const over = { ...made, to_at: Fixture.LATER }
      deepStrictEqual(yield* store.find({ org: org.id, number: 1 }), Option.some(over))
      deepStrictEqual(yield* open(), Option.none())
      assert.isFalse(yield* store.hasOpenIn(org.id, spaceOf("s1")))
      const next = yield* store.append(draft(org, { from_at: Fixture.LATER }))
      deepStrictEqual(yield* open(), Option.some(next))
      deepStrictEqual(yield* store.listOpen(org.id, ANNA), [next])
    })
  )

  it.effect("gives the lock of a grant to one at a time", () =>
    Effect.gen(function* () {
      const store = yield* GrantStore
      const transaction = yield* Transaction
      const org = yield* Fixture.org
      yield* store.append(draft(org))
      const end = transaction.run(org.id, () =>
        Effect.gen(function* () {
          const grant: Grant = Option.getOrThrow(
            yield* store.find({ org: org.id, number: 1 }, { lock: true })
          )
          if (grant.to_at !== null) return false
          yield* store.end({ ...grant, to_at: Fixture.LATER })
          return true
        })
      )
      const ended = yield* Effect.all([end, end, end], { concurrency: "unbounded" })
      assert.deepStrictEqual(ended.filter((each) => each).length, 1)
    })
  )
}

const lists = (it: SuiteIt): void => {
  it.effect("lists grants newest first, by what the query asks for", () =>
    Effect.gen(function* () {
      const store = yield* GrantStore
      const org = yield* Fixture.org
      const drafts: ReadonlyArray<Partial<GrantDraft>> = [
        {},
        { space_id: spaceOf("s2"), role: "admin" },
        { subject: EVERYONE, role: "reader" },
        { space_id: spaceOf("s3"), expires_at: Fixture.LATER },
        { space_id: spaceOf("s4"), to_at: Fixture.LATER }
      ]
      yield* Effect.forEach(drafts, (fields) => store.append(draft(org, fields)))
      const list = (query: Partial<GrantQuery>, page = PAGE) =>
        Effect.map(
          store.list(org.id, { now: Fixture.AT, ended: false, ...query }, page),
          ({ items, total }) => [items.map(({ number }) => number), total]
        )
      deepStrictEqual(yield* list({}), [[5, 4, 3, 2, 1], 5])
      deepStrictEqual(yield* list({}, { page: 2, perPage: 2 }), [[3, 2], 5])
      deepStrictEqual(yield* list({}, { page: 9, perPage: 2 }), [[], 5])
      deepStrictEqual(yield* list({ now: justBefore(Fixture.LATER) }), [[5, 4, 3, 2, 1], 5])
      deepStrictEqual(yield* list({ now: Fixture.LATER }), [[3, 2, 1], 3])
      deepStrictEqual(yield* list({ now: Fixture.LATER, ended: true }), [[5, 4, 3, 2, 1], 5])
      deepStrictEqual(yield* list({ subject: ANNA }), [[5, 4, 2, 1], 4])
      deepStrictEqual(yield* list({ subject: { ...ANNA, kind: "team" } }), [[], 0])
      deepStrictEqual(yield* list({ role: "admin" }), [[2], 1])
      deepStrictEqual(yield* list({ spaces: [spaceOf("s1"), spaceOf("s4")] }), [[5, 3, 1], 3])
      deepStrictEqual(yield* list({ spaces: [] }), [[], 0])
      const other = yield* Fixture.org
      const none = yield* store.list(other.id, { now: Fixture.AT, ended: true }, PAGE)
      deepStrictEqual(none, { items: [], total: 0 })
    })
  )
}

/** A member of an org who is in a team from `AT` on. */
const inTeam = (org: Org) =>
  Effect.gen(function* () {
    const user = yield* Fixture.user
    yield* Effect.flatMap(MembershipStore, (store) =>
      store.insert({ org_id: org.id, user_id: user.id, role: "none", created_at: Fixture.AT })
    )
    const id = TeamId.make(yield* Fixture.freshId)
    const teams = yield* TeamStore
    yield* teams.insert({
      org_id: org.id,
      id,
      name: TeamName.make(`team-${id}`),
      kind: "hand",
      description: "",
      group_name: null,
      external_id: null,
      created_at: Fixture.AT,
      deleted_at: null
    })
    const time = {
      org_id: org.id,
      team_id: id,
      user_id: user.id,
      source: "hand" as const,
      from_at: Fixture.AT,
      to_at: null
    }
    yield* teams.begin(org.id, [time])
    return { user: user.id, team: id, time }
  })

const bindings = (it: SuiteIt): void => {
  const give = (org: Org, subject: GrantSubject, space: string, role: Role, more: object = {}) =>
    Effect.flatMap(GrantStore, (store) =>
      store.append(draft(org, { subject, space_id: spaceOf(space), role, ...more }))
    )
  const bindingsOf = (
    org: Org,
    id: UserId | string,
    at: Timestamp.Timestamp,
    kind: "user" | "service-account" = "user"
  ) =>
    Effect.map(
      Effect.flatMap(GrantStore, (store) => store.listBindings(org.id, { kind, id }, at)),
      (found) => found.map(({ role, space }) => `${space} ${role}`)
    )

  it.effect("gives a user what is granted to the user, to its teams and to everyone", () =>
    Effect.gen(function* () {
      const org = yield* Fixture.org
      const { team, user } = yield* inTeam(org)
      const { team: foreign } = yield* inTeam(org)
      deepStrictEqual(yield* bindingsOf(org, user, Fixture.AT), [])
      yield* give(org, { kind: "user", id: user }, "s1", "admin")
      yield* give(org, { kind: "team", id: team }, "s2", "member")
      yield* give(org, { kind: "team", id: team }, "s1", "admin")
      yield* give(org, EVERYONE, "s1", "reader")
      yield* give(org, { kind: "team", id: foreign }, "s3", "member")
      yield* give(org, { kind: "service-account", id: user }, "s4", "member")
      yield* give(yield* Fixture.org, EVERYONE, "s5", "reader")
      const mine = ["s1 admin", "s1 reader", "s2 member"]
      deepStrictEqual(yield* bindingsOf(org, user, Fixture.AT), mine)
      deepStrictEqual(yield* bindingsOf(org, user, Fixture.LATER), mine)
      deepStrictEqual(yield* bindingsOf(org, user, justBefore(Fixture.AT)), [])
      deepStrictEqual(yield* bindingsOf(org, user, Fixture.AT, "service-account"), [
        "s1 reader",
        "s4 member"
      ])
      deepStrictEqual(yield* bindingsOf(org, "nobody", Fixture.AT), ["s1 reader"])
    })
  )

  it.effect("counts neither what has ended or expired, nor teams that were left", () =>
    Effect.gen(function* () {
      const store = yield* GrantStore
      const teams = yield* TeamStore
      const org = yield* Fixture.org
      const { team, time, user } = yield* inTeam(org)
      const own: GrantSubject = { kind: "user", id: user }
      yield* give(org, own, "s1", "member", { expires_at: Fixture.LATER })
      const grant = yield* give(org, own, "s2", "member")
      yield* give(org, { kind: "team", id: team }, "s3", "member")
      yield* give(org, own, "s4", "member", { from_at: Fixture.LATER })
      yield* store.end({ ...grant, to_at: Fixture.LATER })
      yield* teams.end(org.id, [{ ...time, to_at: Fixture.LATER }])
      const before = ["s1 member", "s2 member", "s3 member"]
      deepStrictEqual(yield* bindingsOf(org, user, Fixture.AT), before)
      deepStrictEqual(yield* bindingsOf(org, user, justBefore(Fixture.LATER)), before)
      deepStrictEqual(yield* bindingsOf(org, user, Fixture.LATER), ["s4 member"])
      yield* teams.begin(org.id, [{ ...time, from_at: LAST }])
      deepStrictEqual(yield* bindingsOf(org, user, justBefore(LAST)), ["s4 member"])
      deepStrictEqual(yield* bindingsOf(org, user, LAST), ["s3 member", "s4 member"])
    })
  )

  it.effect("tells eligible grants from those that count, side by side in a space", () =>
    Effect.gen(function* () {
      const store = yield* GrantStore
      const org = yield* Fixture.org
      const { team, user } = yield* inTeam(org)
      const own: GrantSubject = { kind: "user", id: user }
      const plain = yield* give(org, own, "s1", "reader")
      const eligible = yield* give(org, own, "s1", "admin", { eligible: true })
      yield* give(org, { kind: "team", id: team }, "s2", "member", { eligible: true })
      yield* give(org, EVERYONE, "s3", "member", { eligible: true, expires_at: Fixture.LATER })
      const place = { space: spaceOf("s1"), eligible: true }
      deepStrictEqual(yield* store.lockOpen(org.id, own, place), Option.some(eligible))
      deepStrictEqual(yield* bindingsOf(org, user, Fixture.AT), ["s1 reader"])
      const waiting = (at: Timestamp.Timestamp) =>
        Effect.map(store.listEligible(org.id, user, at), (all) =>
          all.map(({ role, space }) => `${space} ${role}`)
        )
      deepStrictEqual(yield* waiting(Fixture.AT), ["s1 admin", "s2 member", "s3 member"])
      deepStrictEqual(yield* waiting(Fixture.LATER), ["s1 admin", "s2 member"])
      const listed = (wanted: boolean) =>
        store.list(org.id, { now: Fixture.AT, ended: false, subject: own, eligible: wanted }, PAGE)
      deepStrictEqual((yield* listed(false)).items, [plain])
      deepStrictEqual(yield* listed(true), { items: [eligible], total: 1 })
    })
  )

  it.effect("says what is granted to a member who is suspended", () =>
    Effect.gen(function* () {
      const memberships = yield* MembershipStore
      const org = yield* Fixture.org
      const { team, user } = yield* inTeam(org)
      yield* give(org, { kind: "team", id: team }, "s1", "member")
      const membership = Option.getOrThrow(yield* memberships.lock({ org: org.id, user }))
      yield* memberships.update({ ...membership, suspended_at: Fixture.AT })
      deepStrictEqual(yield* bindingsOf(org, user, Fixture.LATER), ["s1 member"])
    })
  )
}

/** States the contract of `GrantStore`. */
export const grantStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`GrantStore (${name})`, ports, options, (it) => {
    numbers(it)
    endings(it)
    lists(it)
    bindings(it)
  })
