/** Port: the teams of an org, and the times in which people are in them. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Login, OrgId, UserId } from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { Locking } from "../shared/Transaction.js"
import type { Team, TeamKey, TeamKind, TeamRef } from "./Team.js"
import type { TeamMember } from "./TeamMember.js"

/** A team, and how many people are in it; those whose membership is suspended do not count. */
export interface CountedTeam extends Team {
  readonly members: number
}

/** A person in a team, with the names of the person. */
export interface NamedTeamMember extends TeamMember {
  readonly login: Login
  readonly display_name: string | null
  /** Whether the person's membership of the org is suspended. */
  readonly suspended: boolean
}

/** A member of an org, by id and login. */
export interface OrgMember {
  readonly user_id: UserId
  readonly login: Login
}

/** Port: the teams of an org. Teams that were deleted are found by no method of it. */
export class TeamStore extends Context.Tag("@attestry/core/TeamStore")<
  TeamStore,
  {
    /** The team of that name or id; none when there is none. */
    readonly find: (
      key: TeamKey | TeamRef,
      locking?: Locking
    ) => Effect.Effect<Option.Option<Team>, StoreError>
    /** One page of the teams by name, in ascending order of code points; with a user those that the user is in. */
    readonly list: (
      org: OrgId,
      which: { readonly user?: UserId },
      page: Page
    ) => Effect.Effect<Paged<CountedTeam>, StoreError>
    /** Every team of a kind, in the order of creation, then of ids. */
    readonly listOfKind: (
      org: OrgId,
      kind: TeamKind
    ) => Effect.Effect<ReadonlyArray<Team>, StoreError>
    /** Keeps others from adding teams until the transaction ends, and returns how many teams there are. */
    readonly countToAdd: (org: OrgId) => Effect.Effect<number, StoreError>
    /** Adds a team and returns true; returns false and does nothing when another team has the name. */
    readonly insert: (team: Team) => Effect.Effect<boolean, StoreError>
    /**
     * Replaces name, kind, description, name and id of the group, and deletion of the team of that id, and returns
     * true; returns false and does nothing when another team has the name. The caller holds the team's lock.
     */
    readonly update: (team: Team) => Effect.Effect<boolean, StoreError>
    /**
     * The members of the org among some users, by user id. With `lock` none of them can be removed from the org until
     * the transaction ends; memberships are locked before teams.
     */
    readonly listAmong: (
      org: OrgId,
      users: ReadonlyArray<UserId>,
      locking?: Locking
    ) => Effect.Effect<ReadonlyArray<OrgMember>, StoreError>
    /** How many people are in a team, without those whose membership is suspended. */
    readonly countMembers: (team: TeamRef) => Effect.Effect<number, StoreError>
    /** One page of the people in a team, in the order of coming, then of user ids. */
    readonly listMembers: (
      team: TeamRef,
      page: Page
    ) => Effect.Effect<Paged<NamedTeamMember>, StoreError>
    /** The times that last: of a team by user id, or of a user by team id. */
    readonly listOpen: (
      org: OrgId,
      which: { readonly team: TeamRef["id"] } | { readonly user: UserId }
    ) => Effect.Effect<ReadonlyArray<TeamMember>, StoreError>
    /** The last time of each of some users in a team, for those who ever were in it, by user id. */
    readonly listLast: (
      team: TeamRef,
      users: ReadonlyArray<UserId>
    ) => Effect.Effect<ReadonlyArray<TeamMember>, StoreError>
    /** The times of an org that hold an instant, by team id, then by user id. */
    readonly listAt: (
      org: OrgId,
      at: Timestamp
    ) => Effect.Effect<ReadonlyArray<TeamMember>, StoreError>
    /** Adds times. The caller holds the lock of the team, and none of the users is in it. */
    readonly begin: (
      org: OrgId,
      times: ReadonlyArray<TeamMember>
    ) => Effect.Effect<void, StoreError>
    /** Writes the ends of times that last. */
    readonly end: (org: OrgId, times: ReadonlyArray<TeamMember>) => Effect.Effect<void, StoreError>
  }
>() {}
