/**
 * Who sees and changes an action: of one of the org every caller with the permission in the whole org, of one of a team
 * the people of the team and the admins of the org. SPEC §4.2
 *
 * A team's action names only what its saver and the team read, so that no person learns by it what there is.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Access from "../../access/Access.js"
import type { GrantedWithin } from "../../access/Reaches.js"
import { Reaches } from "../../access/Reaches.js"
import { EnvironmentNotFound } from "../../environment/EnvironmentFailure.js"
import { EnvironmentStore } from "../../environment/EnvironmentStore.js"
import { FlowNotFound } from "../../flow/Flow.js"
import { FlowStore } from "../../flow/FlowStore.js"
import {
  type EnvironmentName,
  type FlowId,
  type FlowName,
  type TeamId,
  type TeamName,
  UserId
} from "../../shared/Identifier.js"
import type { PlacedThing } from "../../space/ThingPlace.js"
import { TeamNotFound } from "../../team/Team.js"
import { TeamStore } from "../../team/TeamStore.js"
import { TeamReach } from "../TeamReach.js"

/** An action, as far as its owner goes. */
export interface Owned {
  readonly team?: TeamId
}

/** A flow that an action may name. */
export interface NamedFlow {
  readonly id: FlowId
  readonly name: FlowName
}

/** The rules about owners. */
export const make = Effect.gen(function* () {
  const reaches = yield* Reaches
  const teams = yield* TeamStore
  const reach = yield* TeamReach
  const environments = yield* EnvironmentStore
  const flows = yield* FlowStore

  /** The teams of which the caller sees the actions: undefined for admins, who see all, else those that it is in. */
  const teamsOf = ({ actor, org, orgId }: GrantedWithin) =>
    Effect.gen(function* () {
      const raised = yield* reaches.atRoot(actor, org)
      if (Access.isAllowed(raised, org, "team.write")) return undefined
      // WHY also accounts: the id of an account is that of no user, so it is in no team.
      const times = yield* teams.listOpen(orgId, { user: UserId.make(actor.id) })
      return new Set(times.map(({ team_id }) => team_id))
    })

  const ownTeams = (granted: GrantedWithin) =>
    Effect.map(
      teamsOf(granted),
      (own) =>
        (team: TeamId): boolean =>
          own === undefined || own.has(team)
    )

  /** The actions of some that the caller sees, in the same order. */
  const visible = <A extends Owned>(granted: GrantedWithin, all: ReadonlyArray<A>) =>
    Effect.gen(function* () {
      const isWhole = granted.readable._tag === "Whole"
      if (isWhole && all.every(({ team }) => team === undefined)) return all
      const isOwn = yield* ownTeams(granted)
      return all.filter(({ team }) => (team === undefined ? isWhole : isOwn(team)))
    })

  /** Whether the caller sees an action; fails where it may not change one that it sees. */
  const permit = <E>(granted: GrantedWithin, action: Owned, notFound: () => E) =>
    Effect.gen(function* () {
      const [seen] = yield* visible(granted, [action])
      if (seen === undefined) return yield* Effect.fail(notFound())
      if (seen.team === undefined && granted.reach._tag !== "Whole")
        return yield* new Access.AccessDenied({ org: granted.org, permission: granted.permission })
    })

  /** The team of that name, if the caller may save actions of it; absent for the org. */
  const ownerOf = (granted: GrantedWithin, team: TeamName | undefined) =>
    Effect.gen(function* () {
      const { org, orgId, permission } = granted
      if (team === undefined) {
        if (granted.reach._tag !== "Whole")
          return yield* new Access.AccessDenied({ org, permission })
        return {}
      }
      const found = yield* teams.find({ org: orgId, name: team })
      const missing = new TeamNotFound({ org, team })
      if (Option.isNone(found)) return yield* missing
      const isOwn = yield* ownTeams(granted)
      return isOwn(found.value.id) ? { team: found.value.id } : yield* missing
    })

  /** Whether the caller and the team of an action read a thing. */
  const readableOf = (granted: GrantedWithin, { team }: Owned) =>
    Effect.map(
      team === undefined ? Effect.succeed(undefined) : reach.readable(granted.orgId, team),
      (ofTeam) => (thing: PlacedThing) =>
        Effect.gen(function* () {
          if (!(yield* reaches.isReadable(granted, thing))) return false
          return (
            ofTeam === undefined ||
            (yield* reaches.isReadable({ orgId: granted.orgId, readable: ofTeam }, thing))
          )
        })
    )

  /** Fails where an action of a team names an environment that there is not, for its saver and for the team. */
  const checkEnvironments = (
    granted: GrantedWithin,
    owner: Owned,
    names: ReadonlyArray<EnvironmentName>
  ) =>
    Effect.gen(function* () {
      if (owner.team === undefined) return
      const { org, orgId } = granted
      const isReadable = yield* readableOf(granted, owner)
      for (const name of names) {
        const found = yield* environments.findByName({ org: orgId, name })
        const isThere =
          Option.isSome(found) &&
          (yield* isReadable({ kind: "environment", id: found.value.environment.id }))
        if (!isThere) return yield* new EnvironmentNotFound({ org, environment: name })
      }
    })

  /** The ids of flows, each once, in the order of their first mention. */
  const flowsOf = (granted: GrantedWithin, owner: Owned, names: ReadonlyArray<FlowName>) =>
    Effect.gen(function* () {
      const { org, orgId } = granted
      const isReadable = yield* readableOf(granted, owner)
      const ids = new Set<FlowId>()
      for (const flow of new Set(names)) {
        const found = yield* flows.findByName({ org: orgId, name: flow })
        if (Option.isNone(found) || !(yield* isReadable({ kind: "flow", id: found.value.id })))
          return yield* new FlowNotFound({ org, flow })
        ids.add(found.value.id)
      }
      return [...ids]
    })

  /** The environments of an action that the caller is shown; all to those who read the whole org. */
  const shownEnvironments = (granted: GrantedWithin, names: ReadonlyArray<EnvironmentName>) =>
    granted.readable._tag === "Whole"
      ? Effect.succeed(names)
      : Effect.filter(names, (name) =>
          Effect.flatMap(environments.findByName({ org: granted.orgId, name }), (found) =>
            Option.isNone(found)
              ? Effect.succeed(false)
              : reaches.isReadable(granted, {
                  kind: "environment",
                  id: found.value.environment.id
                })
          )
        )

  /** The flows that the caller is shown. */
  const shownFlows = (granted: GrantedWithin, found: ReadonlyArray<NamedFlow>) =>
    reaches.keepReadable(granted, { kind: "flow", things: found, idOf: ({ id }) => id })

  /** The names of the teams that own actions; a team that was deleted has none. */
  const namesOf = (granted: GrantedWithin, all: ReadonlyArray<Owned>) =>
    Effect.gen(function* () {
      const names = new Map<TeamId, TeamName>()
      for (const id of new Set(all.flatMap(({ team }) => team ?? []))) {
        const found = yield* teams.find({ org: granted.orgId, id })
        if (Option.isSome(found)) names.set(id, found.value.name)
      }
      return ({ team }: Owned): { readonly team?: TeamName | null } =>
        team === undefined ? {} : { team: names.get(team) ?? null }
    })

  return {
    teamsOf,
    readableOf,
    visible,
    permit,
    ownerOf,
    checkEnvironments,
    flowsOf,
    shownEnvironments,
    shownFlows,
    namesOf
  } as const
})
