/** Revocations hold in a second set of use cases on the same store, which is what another process has, in a second. */
import type { CurrentActor } from "@attestry/core/Actor"
import { ApiKeys } from "@attestry/core/ApiKeys"
import { Flows } from "@attestry/core/Flows"
import { Grants } from "@attestry/core/Grants"
import { FlowName, TeamName } from "@attestry/core/Identifier"
import { Memberships } from "@attestry/core/Memberships"
import { Moves } from "@attestry/core/Moves"
import { ScimGroups } from "@attestry/core/ScimGroups"
import { ScimUsers } from "@attestry/core/ScimUsers"
import { Sessions } from "@attestry/core/Sessions"
import { Spaces } from "@attestry/core/Spaces"
import { Teams } from "@attestry/core/Teams"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SuiteIt } from "../Suite.js"
import { as, by, services, tagOf, type World, world } from "./PeopleWorld.js"

const FLOW = FlowName.make("pay-api")
const TEAM = TeamName.make("pay")

const pause = Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20)))

/** A person of the org whom its SCIM client has made, without a base role. */
const provisioned = ({ admin, loginOf, org }: World) =>
  Effect.gen(function* () {
    const body = { userName: loginOf("zoe") }
    const { id: scim, user_id: id } = yield* (yield* ScimUsers).create(org.name, body)
    const members = yield* (yield* Memberships).list(org.id)
    const login = members.find(({ user_id }) => user_id === id)?.login ?? loginOf("zoe")
    return { id, scim, login }
  }).pipe(as(admin))

/** An org with a flow in a space, and a person of a base role with a key and a session. */
const scene = (role: "none" | "reader" | "scim") =>
  Effect.gen(function* () {
    const of = yield* world
    const { org, people } = of
    const added = { org, login: of.loginOf("zoe"), by, source: "script", ...people } as const
    const { id, login, scim } = yield* role === "scim"
      ? provisioned(of)
      : Effect.map((yield* Memberships).add({ ...added, role }), (user) => ({ ...user, scim: "" }))
    const member = { org, login, by, source: "script" } as const
    const keys = yield* ApiKeys
    const { key } = yield* keys.issue({
      org: org.id,
      user: id,
      by,
      description: "k",
      lifetimeSeconds: null
    })
    const session = yield* Effect.flatMap(keys.authenticate(key), (yield* Sessions).open)
    const ids = yield* Effect.gen(function* () {
      const spaces = yield* Spaces
      const made = yield* spaces.create(org.name, "retail", "")
      const inner = yield* spaces.create(org.name, "retail/payments", "")
      yield* spaces.create(org.name, "other", "")
      yield* (yield* Flows).put(org.name, { name: FLOW, description: "", space: inner.path })
      return { retail: made.space.id, payments: inner.space.id }
    }).pipe(as(of.admin))
    const readAs = (actor: Effect.Effect.Success<ReturnType<typeof keys.authenticate>>) =>
      Effect.flatMap(Flows, (flows) => flows.get(org.name, FLOW)).pipe(
        as(actor),
        tagOf,
        Effect.map((tag) => tag === "")
      )
    /** Whether the person reads the flow, by key and by session. */
    const byKey = Effect.flatMap(ApiKeys, (of) => of.authenticate(key)).pipe(Effect.flatMap(readAs))
    const bySession = Effect.flatMap(Sessions, (of) => of.resume(session.text)).pipe(
      Effect.flatMap(({ actor }) => readAs(actor))
    )
    return { ...of, ids, member, scim, byKey, bySession }
  })

type Scene = Effect.Effect.Success<ReturnType<typeof scene>>

const give = ({ org }: World, subject: { readonly kind: "user" | "team"; readonly name: string }) =>
  Effect.flatMap(Grants, (grants) =>
    grants.give(org.name, {
      subject,
      space: "retail",
      role: "reader",
      eligible: false,
      expiresAt: null,
      reason: ""
    })
  )

const byGrant = (of: Scene) => give(of, { kind: "user", name: of.member.login })

const inTeam = ({ member, org }: Scene) => ({ org: org.name, team: TEAM, login: member.login })

const byTeam = (of: Scene) =>
  Effect.gen(function* () {
    const teams = yield* Teams
    yield* teams.put({ org: of.org.name, team: TEAM }, "")
    yield* teams.addMember(inTeam(of))
    yield* give(of, { kind: "team", name: TEAM })
  })

const endGrant = ({ org }: Scene) => Effect.flatMap(Grants, (grants) => grants.end(org.name, 1))

const leaveTeam = (of: Scene) => Effect.flatMap(Teams, (teams) => teams.removeMember(inTeam(of)))

const suspend = ({ member }: Scene) =>
  Effect.flatMap(Memberships, (members) => members.suspend(member))

const lower = ({ member }: Scene) =>
  Effect.flatMap(Memberships, (members) => members.changeRole({ ...member, role: "none" }))

const signOut = ({ member }: Scene) =>
  Effect.flatMap(Memberships, (members) => members.endSessions(member))

const moveFlow = ({ org }: Scene) =>
  Effect.flatMap(Moves, (moves) =>
    moves.move(org.name, { things: [{ kind: "flow", name: FLOW }], to: "other", preview: false })
  )

const moveSpace = ({ ids, org }: Scene) =>
  Effect.flatMap(Spaces, (spaces) => spaces.change(org.name, ids.payments, { parent: "other" }))

const byGroup = (of: Scene) =>
  Effect.gen(function* () {
    const body = { displayName: "pay people", members: [{ value: of.scim }] }
    const { team } = yield* (yield* ScimGroups).create(of.org.name, body)
    yield* give(of, { kind: "team", name: team.name })
  })

const patchOf = (operation: object) => ({
  schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
  Operations: [operation]
})

const groupOf = ({ org }: Scene) =>
  Effect.gen(function* () {
    const wanted = { filter: [], withMembers: false }
    const { items } = yield* (yield* ScimGroups).list(org.name, wanted, { offset: 0, limit: 1 })
    return { org: org.name, id: items[0]?.team.id ?? "" }
  })

const leaveGroup = (of: Scene) =>
  Effect.flatMap(Effect.all([ScimGroups, groupOf(of)]), ([groups, path]) =>
    groups.patch(path, patchOf({ op: "remove", path: `members[value eq "${of.scim}"]` }))
  )

const endGroup = (of: Scene) =>
  Effect.flatMap(Effect.all([ScimGroups, groupOf(of)]), ([groups, path]) => groups.remove(path))

const deactivate = ({ org, scim }: Scene) =>
  Effect.flatMap(ScimUsers, (users) =>
    users.patch({ org: org.name, id: scim }, patchOf({ op: "replace", value: { active: false } }))
  )

const deprovision = ({ org, scim }: Scene) =>
  Effect.flatMap(ScimUsers, (users) => users.remove({ org: org.name, id: scim }))

const nothing = () => Effect.void

type Tagged = { readonly _tag: string }
type Services = Layer.Layer.Success<typeof services>
type Step = (of: Scene) => Effect.Effect<unknown, Tagged, Services | CurrentActor>
type Way = Effect.Effect<boolean, Tagged, Services>

interface Case {
  readonly what: string
  /** The base role of the person, or that the SCIM client of the org has made it. */
  readonly role: "none" | "reader" | "scim"
  readonly begin: Step
  readonly revoke: Step
  /** Whether keys of the person still count. */
  readonly keepsKeys?: true
}

const CASES: ReadonlyArray<Case> = [
  { what: "the end of a grant", role: "none", begin: byGrant, revoke: endGrant },
  { what: "leaving a team", role: "none", begin: byTeam, revoke: leaveTeam },
  { what: "the end of a team's grant", role: "none", begin: byTeam, revoke: endGrant },
  { what: "a move of the thing", role: "none", begin: byGrant, revoke: moveFlow },
  { what: "a move of its space", role: "none", begin: byGrant, revoke: moveSpace },
  { what: "a suspension", role: "none", begin: byGrant, revoke: suspend },
  { what: "a lower role", role: "reader", begin: nothing, revoke: lower },
  { what: "a sign-out", role: "reader", begin: nothing, revoke: signOut, keepsKeys: true },
  { what: "a suspension by SCIM", role: "scim", begin: byGrant, revoke: deactivate },
  { what: "a removal by SCIM", role: "scim", begin: byGrant, revoke: deprovision },
  { what: "leaving a group by SCIM", role: "scim", begin: byGroup, revoke: leaveGroup },
  { what: "the end of a group by SCIM", role: "scim", begin: byGroup, revoke: endGroup }
]

/** The law of revocations. */
export const revocationLaws = (it: SuiteIt) => {
  for (const { begin, keepsKeys = false, revoke, role, what } of CASES)
    it.effect(`AC-15: ${what} holds in another process within a second`, () =>
      Effect.gen(function* () {
        const of = yield* scene(role)
        yield* begin(of).pipe(as(of.admin))
        const others = yield* Layer.build(Layer.fresh(services))
        const ways: ReadonlyArray<Way> = keepsKeys ? [of.bySession] : [of.byKey, of.bySession]
        for (const way of ways) {
          assert.isTrue(yield* way)
          assert.isTrue(yield* Effect.provide(way, others))
        }
        yield* revoke(of).pipe(as(of.admin))
        const since = performance.now()
        for (const way of ways) assert.isFalse(yield* way)
        for (const way of ways)
          while (yield* Effect.provide(way, others)) {
            assert.isBelow(performance.now() - since, 1_000)
            yield* pause
          }
        assert.strictEqual(yield* Effect.provide(of.byKey, others), keepsKeys)
      }).pipe(Effect.scoped, Effect.provide(services))
    )
}
