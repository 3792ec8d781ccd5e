/** Revocations hold in a second set of use cases on the same store, which is what another process has, in a second. */
import type { CurrentActor } from "@attestry/core/Actor"
import { ApiKeys } from "@attestry/core/ApiKeys"
import { Flows } from "@attestry/core/Flows"
import { Grants } from "@attestry/core/Grants"
import { FlowName, TeamName } from "@attestry/core/Identifier"
import { Memberships } from "@attestry/core/Memberships"
import { Moves } from "@attestry/core/Moves"
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

/** An org with a flow in a space, and a person of a base role with a key and a session. */
const scene = (role: "none" | "reader") =>
  Effect.gen(function* () {
    const of = yield* world
    const { org, people } = of
    const member = { org, login: of.loginOf("zoe"), by, source: "script" } as const
    const { id } = yield* (yield* Memberships).add({ ...member, role, ...people })
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
    return { ...of, ids, member, byKey, bySession }
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

const nothing = () => Effect.void

type Tagged = { readonly _tag: string }
type Services = Layer.Layer.Success<typeof services>
type Step = (of: Scene) => Effect.Effect<unknown, Tagged, Services | CurrentActor>
type Way = Effect.Effect<boolean, Tagged, Services>

interface Case {
  readonly what: string
  readonly role: "none" | "reader"
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
  { what: "a sign-out", role: "reader", begin: nothing, revoke: signOut, keepsKeys: true }
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
