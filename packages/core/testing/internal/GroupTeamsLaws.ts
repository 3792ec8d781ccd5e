/** Laws of teams that follow groups of a provider, and of the teams of rules for joining. */

import { TeamName } from "@attestry/core/Identifier"
import { Identities } from "@attestry/core/Identities"
import { Subject } from "@attestry/core/Identity"
import { Memberships } from "@attestry/core/Memberships"
import type { Org } from "@attestry/core/Org"
import { RecordVerification } from "@attestry/core/RecordVerification"
import type { GroupTeam } from "@attestry/core/SignInSettings"
import { TeamStore } from "@attestry/core/TeamStore"
import { Teams } from "@attestry/core/Teams"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import type { SuiteIt } from "../Suite.js"
import * as Model from "./model/GroupTeamsModel.js"
import { as, world as newWorld, tagOf, type World } from "./PeopleWorld.js"
import { claimsOf, complete, entra, okta, SYSTEM, services, set } from "./SignInWorld.js"

const GROUPS = ["devs", "ops", "sec"]
const TEAMS = ["api", "core", "hand"].map((team) => TeamName.make(team))
const PEOPLE = ["ann", "bob"]
const PROVIDERS = [okta, entra]

/** Each team follows the groups of one provider. */
const rules = FastCheck.array(
  FastCheck.record({
    provider: FastCheck.constantFrom(...PROVIDERS.map(({ id }) => id)),
    group: FastCheck.constantFrom(...GROUPS),
    team: FastCheck.constantFrom(...TEAMS)
  }),
  { maxLength: 5 }
).map((all) =>
  all.filter(
    ({ provider, team }) => all.find((other) => other.team === team)?.provider === provider
  )
)

type Step =
  | { readonly _tag: "Set"; readonly rules: ReadonlyArray<GroupTeam> }
  | Extract<Model.ModelStep, { readonly _tag: "SignIn" }>

const step: FastCheck.Arbitrary<Step> = FastCheck.oneof(
  FastCheck.record({ _tag: FastCheck.constant("Set" as const), rules }),
  FastCheck.record({
    _tag: FastCheck.constant("SignIn" as const),
    person: FastCheck.constantFrom(...PEOPLE),
    provider: FastCheck.constantFrom(...PROVIDERS.map(({ id }) => id)),
    groups: FastCheck.option(FastCheck.subarray(GROUPS), { nil: null })
  })
)

/** The subject of a person at every provider. */
const subjectOf = ({ org }: World, person: string) => `${org.id}-${person}`

/** An org with people who have an identity at each provider, and one team that is kept by hand. */
const populated = Effect.gen(function* () {
  const of = yield* newWorld
  for (const person of PEOPLE) {
    const member = { org: of.org, login: of.loginOf(person), role: "reader", ...of.people } as const
    const added = { ...member, displayName: person, by: SYSTEM, source: "script" } as const
    const user = yield* (yield* Memberships).add(added)
    for (const { id: provider, issuer } of PROVIDERS) {
      const subject = Subject.make(subjectOf(of, person))
      yield* (yield* Identities).link({ provider, issuer, subject, user_id: user.id }, SYSTEM)
    }
  }
  yield* putTeam(of, "hand")
  return of
})

const putTeam = ({ admin, org }: World, team: string) =>
  Effect.flatMap(Teams, (teams) =>
    teams.put({ org: org.name, team: TeamName.make(team) }, undefined)
  ).pipe(as(admin))

const teamOf = ({ org }: Pick<World, "org">, name: TeamName) =>
  Effect.flatMap(TeamStore, (store) => store.find({ org: org.id, name }))

/** The display names of the people in a team; none where there is no such team. */
const peopleIn = (of: Pick<World, "org">, name: TeamName) =>
  Effect.gen(function* () {
    const found = yield* teamOf(of, name)
    if (Option.isNone(found)) return []
    const { id, org_id: org } = found.value
    const { items } = yield* (yield* TeamStore).listMembers({ org, id }, { page: 1, perPage: 100 })
    return items.map(({ display_name }) => display_name).sort()
  })

const signIn = (of: World, { person, provider: id, groups }: Extract<Step, { _tag: "SignIn" }>) => {
  const provider = PROVIDERS.find((each) => each.id === id) ?? okta
  return complete(provider, claimsOf(provider, subjectOf(of, person), { groups }))
}

/** Plays a history on a store and on the model; after each step teams are kept as the settings say. */
const play = (of: World, history: ReadonlyArray<Step>) =>
  Effect.gen(function* () {
    let model: Model.ModelOrg = { rules: [], teams: new Map([["hand", new Set<string>()]]) }
    for (const each of history) {
      if (each._tag === "Set") yield* set(of.org, { group_teams: each.rules })
      else yield* signIn(of, each)
      model = Model.apply(model, each)
      for (const name of TEAMS) {
        const follows = model.rules.some(({ team }) => team === name)
        const kind = Option.map(yield* teamOf(of, name), (team) => team.kind)
        const expected = model.teams.has(name)
          ? Option.some(follows ? ("claim" as const) : ("hand" as const))
          : Option.none()
        deepStrictEqual(kind, expected)
      }
    }
    return model
  })

const joining = (org: Org, teams: ReadonlyArray<TeamName>) => ({
  provider: okta.id,
  group: org.id,
  role: "none" as const,
  teams
})

/** States the laws. */
export const groupTeamsLaws = (it: SuiteIt, samples: number): void => {
  it.effect("SIGNIN-4: teams that follow groups have the people whom tokens say", () =>
    Effect.gen(function* () {
      const histories = FastCheck.sample(FastCheck.array(step, { maxLength: 10 }), samples)
      for (const history of histories) {
        const of = yield* populated
        const { teams } = yield* play(of, history)
        for (const [team, people] of teams)
          deepStrictEqual(yield* peopleIn(of, TeamName.make(team)), [...people].sort())
        deepStrictEqual(yield* (yield* RecordVerification).verify(of.org.id, 3), [])
      }
    }).pipe(Effect.provide(services))
  )

  it.effect("nobody but sign-ins changes a team that follows a group, until it follows none", () =>
    Effect.gen(function* () {
      const of = yield* populated
      const [team] = TEAMS
      if (team === undefined) return assert.fail("no team")
      const path = { org: of.org.name, team }
      const add = Effect.flatMap(Teams, (teams) =>
        teams.addMember({ ...path, login: of.loginOf("bob") })
      )
      const group_teams = [{ provider: okta.id, group: "devs", team }]
      yield* set(of.org, { group_teams })
      const groups = ["devs"]
      yield* signIn(of, { _tag: "SignIn", person: "ann", provider: "okta", groups })
      assert.strictEqual(yield* tagOf(add.pipe(as(of.admin))), "TeamKept")
      const remove = Effect.flatMap(Teams, (teams) => teams.remove(path))
      assert.strictEqual(yield* tagOf(remove.pipe(as(of.admin))), "TeamKept")
      yield* set(of.org, {})
      yield* add.pipe(as(of.admin))
      deepStrictEqual(yield* peopleIn(of, team), ["ann", "bob"])
      yield* signIn(of, { _tag: "SignIn", person: "ann", provider: "okta", groups: [] })
      deepStrictEqual(yield* peopleIn(of, team), ["ann", "bob"])
    }).pipe(Effect.provide(services))
  )

  it.effect("a person who joins by a rule comes into its teams once, where they still are", () =>
    Effect.gen(function* () {
      const of = yield* populated
      const { org } = of
      const teams = ["one", "two", "gone"].map((team) => TeamName.make(team))
      yield* Effect.forEach(teams, (team) => putTeam(of, team))
      yield* set(org, { join: [joining(org, teams)] })
      const paths = teams.map((team) => ({ org: org.name, team }))
      const [one, , gone] = paths
      if (one === undefined || gone === undefined) return assert.fail("no team")
      yield* (yield* Teams).remove(gone).pipe(as(of.admin))
      const claims = claimsOf(okta, `${org.id}-zoe`, { name: "zoe", groups: [org.id] })
      const { user } = yield* complete(okta, claims)
      const shown = Effect.forEach(teams, (team) => peopleIn(of, team))
      deepStrictEqual(yield* shown, [["zoe"], ["zoe"], []])
      yield* (yield* Teams).removeMember({ ...one, login: user.login }).pipe(as(of.admin))
      yield* complete(okta, claims)
      deepStrictEqual(yield* shown, [[], ["zoe"], []])
      yield* set(org, {})
    }).pipe(Effect.provide(services))
  )
}
