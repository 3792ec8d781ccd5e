/** Laws of members: generated histories against a model, changes by several at once, revocation, and sign-out. */
import * as Access from "@attestry/core/Access"
import { ApiKeys } from "@attestry/core/ApiKeys"
import { Memberships } from "@attestry/core/Memberships"
import { OrgMembers } from "@attestry/core/OrgMembers"
import { BaseRole } from "@attestry/core/Role"
import { Sessions } from "@attestry/core/Sessions"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Fixture from "../Fixture.js"
import type { SuiteIt } from "../Suite.js"
import * as MembersModel from "./model/MembersModel.js"
import { as, by, findings, services, tagOf, type World, world } from "./PeopleWorld.js"

const WHAT = ["add", "change", "suspend", "restore", "signOut", "remove"] as const

const NAMES = ["ada", "bob", "cleo"]

const command: FastCheck.Arbitrary<MembersModel.MemberCommand> = FastCheck.record({
  what: FastCheck.constantFrom(...WHAT),
  login: FastCheck.constantFrom(...NAMES),
  role: FastCheck.constantFrom(...BaseRole.literals)
})

const change = (
  { org, loginOf, people }: World,
  { login, role, what }: MembersModel.MemberCommand
) =>
  Effect.gen(function* () {
    const members = yield* Memberships
    const member = { org, login: loginOf(login), by, source: "script" } as const
    switch (what) {
      case "add":
        return yield* tagOf(members.add({ ...member, role, ...people }))
      case "change":
        return yield* tagOf(members.changeRole({ ...member, role }))
      case "suspend":
        return yield* tagOf(members.suspend(member))
      case "restore":
        return yield* tagOf(members.restore(member))
      case "signOut":
        return yield* tagOf(members.endSessions(member))
      case "remove":
        return yield* tagOf(members.remove(member))
    }
  })

const countingAdmins = ({ org }: World) =>
  Effect.map(
    Effect.flatMap(Memberships, (members) => members.list(org.id)),
    (all) => all.filter(({ role, suspended_at }) => role === "admin" && suspended_at === null)
  )

/** The laws of members. */
export const memberLaws = (it: SuiteIt, runs: number) => {
  it.effect("KEY-6: each sequence of changes gives what the model says, and leaves an admin", () =>
    Effect.gen(function* () {
      const histories = FastCheck.sample(FastCheck.array(command, { maxLength: 14 }), runs)
      for (const history of histories) {
        const of = yield* world
        let model: MembersModel.Members = new Map([["ada", { role: "admin", suspended: false }]])
        for (const each of history) {
          const expected = MembersModel.apply(model, each)
          assert.strictEqual(yield* change(of, each), expected.error, JSON.stringify(history))
          model = expected.members
        }
        const listed = yield* (yield* Memberships).list(of.org.id)
        assert.deepStrictEqual(
          new Map(
            listed.map(({ login, role, suspended_at }) => [
              login,
              { role, suspended: suspended_at !== null }
            ])
          ),
          new Map([...model].map(([name, member]) => [of.loginOf(name), member]))
        )
        for (const short of NAMES) {
          const found = yield* (yield* Memberships).findUser(of.loginOf(short))
          const member = model.get(short)
          assert.deepStrictEqual(
            found._tag === "None" ? [] : found.value.orgs.map(({ role }) => role),
            member === undefined || member.suspended ? [] : [member.role]
          )
        }
        assert.deepStrictEqual(yield* findings(of), [])
      }
    }).pipe(Effect.provide(services))
  )

  it.effect("KEY-6: changes by several at once leave an admin who is not suspended", () =>
    Effect.gen(function* () {
      const harmful = command.filter(({ what }) => what !== "signOut")
      const histories = FastCheck.sample(FastCheck.array(harmful, { maxLength: 14 }), runs)
      for (const history of histories) {
        const of = yield* world
        const { people } = of
        const bob = { org: of.org, login: of.loginOf("bob"), by, source: "script" } as const
        yield* (yield* Memberships).add({ ...bob, role: "admin", ...people })
        yield* Effect.forEach(history, (each) => change(of, each), { concurrency: 4 })
        assert.isNotEmpty(yield* countingAdmins(of), JSON.stringify(history))
        assert.deepStrictEqual(yield* findings(of), [])
      }
    }).pipe(Effect.provide(services))
  )

  it.effect("only admins change members, whatever role they give", () =>
    Effect.gen(function* () {
      const of = yield* world
      const orgMembers = yield* OrgMembers
      const path = { org: of.org.name, login: of.loginOf("ada") }
      for (const own of BaseRole.literals.filter((role) => role !== "admin")) {
        const caller = as(Fixture.actor([of.org, own]))
        const attempts = [
          ...BaseRole.literals.map((given) => tagOf(orgMembers.put(path, given).pipe(caller))),
          tagOf(orgMembers.suspend(path).pipe(caller)),
          tagOf(orgMembers.restore(path).pipe(caller)),
          tagOf(orgMembers.signOut(path).pipe(caller)),
          tagOf(orgMembers.remove(path).pipe(caller))
        ]
        for (const attempt of attempts) assert.strictEqual(yield* attempt, "AccessDenied")
      }
    }).pipe(Effect.provide(services))
  )

  it.effect("P-REVOKE: what takes a membership away holds on every process within a second", () =>
    Effect.gen(function* () {
      const of = yield* world
      const others = yield* Layer.build(Layer.fresh(services))
      const elsewhere = Effect.provide(ApiKeys, others)
      for (const what of ["suspend", "remove"] as const) {
        const { people } = of
        const zoe = { org: of.org, login: of.loginOf(what), by, source: "script" } as const
        const user = yield* (yield* Memberships).add({ ...zoe, role: "member", ...people })
        const { key } = yield* (yield* ApiKeys).issue({
          org: of.org.id,
          user: user.id,
          by,
          description: "k",
          lifetimeSeconds: null
        })
        const allowed = (on: Effect.Effect<ApiKeys, never, ApiKeys>) =>
          Effect.map(
            Effect.flatMap(on, (keys) => keys.authenticate(key)),
            (actor) => Access.isAllowed(actor, of.org.name, "org.read")
          )
        assert.deepStrictEqual([yield* allowed(ApiKeys), yield* allowed(elsewhere)], [true, true])
        yield* (yield* Memberships)[what](zoe)
        const since = performance.now()
        assert.isFalse(yield* allowed(ApiKeys))
        while (yield* allowed(elsewhere)) {
          assert.isBelow(performance.now() - since, 1_000)
          yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20)))
        }
      }
    }).pipe(Effect.scoped, Effect.provide(services))
  )

  it.effect("a sign-out ends earlier sessions in its org alone, and no later ones", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* world, yield* world]
      const login = one.loginOf("zoe")
      const memberships = yield* Memberships
      const member = { login, by, source: "script" } as const
      const join = ({ org, people }: World) =>
        memberships.add({ ...member, org, role: "member", ...people })
      const user = yield* Effect.zipRight(join(one), join(other))
      const { key } = yield* (yield* ApiKeys).issue({
        org: one.org.id,
        user: user.id,
        by,
        description: "k",
        lifetimeSeconds: null
      })
      const sessions = yield* Sessions
      const keys = yield* ApiKeys
      const open = Effect.flatMap(keys.authenticate(key), sessions.open)
      const orgsOf = (text: Redacted.Redacted<string>) =>
        Effect.map(sessions.resume(text), ({ actor }) => actor.memberships.map(({ org }) => org))
      const before = yield* open
      assert.sameMembers([...(yield* orgsOf(before.text))], [one.org.name, other.org.name])
      yield* memberships.endSessions({ ...member, org: one.org })
      assert.deepStrictEqual([...(yield* orgsOf(before.text))], [other.org.name])
      const after = yield* open
      assert.sameMembers([...(yield* orgsOf(after.text))], [one.org.name, other.org.name])
      const { memberships: byKey } = yield* keys.authenticate(key)
      assert.lengthOf(byKey, 2)
    }).pipe(Effect.provide(services))
  )
}
