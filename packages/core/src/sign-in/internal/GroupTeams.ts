/**
 * Which teams follow groups of a provider, and who is in them by a token. Pure and total. SPEC §4.27
 *
 * A token that does not say in which groups the person is changes no team.
 */
import type { TeamName } from "../../shared/Identifier.js"
import type { Team } from "../../team/Team.js"
import type { IdentityClaims } from "../IdentityClaims.js"
import type { SignInSettings } from "../SignInSettings.js"

/** What a token says about teams. */
export interface ClaimedTeams {
  /** The teams that follow groups of its provider. */
  readonly kept: ReadonlySet<TeamName>
  /** Those of them that the person is in. */
  readonly own: ReadonlySet<TeamName>
}

/** What a token says about the teams of an org; nothing where it does not say in which groups the person is. */
export const claimed = (
  { group_teams }: Pick<SignInSettings, "group_teams">,
  { groups, provider }: Pick<IdentityClaims, "groups" | "provider">
): ClaimedTeams => {
  const rules = groups === null ? [] : group_teams.filter((rule) => rule.provider === provider)
  const ours = rules.filter(({ group }) => groups?.includes(group))
  return {
    kept: new Set(rules.map(({ team }) => team)),
    own: new Set(ours.map(({ team }) => team))
  }
}

/** A team that a person comes into or leaves. */
export interface TeamChange {
  readonly team: Team["id"]
  readonly isComing: boolean
}

/** What changes for a person who is in some of the teams that claims keep, in the order of the teams' ids. */
export const changes = (
  { kept, own }: ClaimedTeams,
  teams: ReadonlyArray<Pick<Team, "id" | "name">>,
  current: ReadonlySet<Team["id"]>
): ReadonlyArray<TeamChange> =>
  teams
    .filter(({ id, name }) => kept.has(name) && own.has(name) !== current.has(id))
    .map(({ id, name }) => ({ team: id, isComing: own.has(name) }))
    .sort((left, right) => (left.team < right.team ? -1 : 1))

/** How the teams of an org must be kept for its settings. */
export interface Keeping {
  /** Teams that do not exist yet. */
  readonly make: ReadonlyArray<TeamName>
  /** Teams that a claim keeps from now on. */
  readonly follow: ReadonlyArray<Team["id"]>
  /** Teams that follow no group any more; their people stay, and admins keep them by hand. */
  readonly release: ReadonlyArray<Team["id"]>
}

const sortedIds = (teams: ReadonlyArray<Team>): ReadonlyArray<Team["id"]> =>
  teams.map(({ id }) => id).sort()

/** What the settings of an org change about its teams. */
export const keeping = (
  { group_teams }: Pick<SignInSettings, "group_teams">,
  teams: ReadonlyArray<Team>
): Keeping => {
  const wanted = new Set(group_teams.map(({ team }) => team))
  const known = new Set(teams.map(({ name }) => name))
  return {
    make: [...wanted].filter((name) => !known.has(name)).sort(),
    follow: sortedIds(teams.filter(({ kind, name }) => kind === "hand" && wanted.has(name))),
    release: sortedIds(teams.filter(({ kind, name }) => kind === "claim" && !wanted.has(name)))
  }
}
