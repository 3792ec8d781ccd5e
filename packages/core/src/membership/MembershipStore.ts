/** Port: users, their memberships and the history of these. Users are global; the rest is an org's. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { ActorMembership } from "../access/Actor.js"
import type { Login, OrgId, UserId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Membership, MembershipKey, User } from "./Membership.js"
import type { MembershipEvent, MembershipEventQuery } from "./MembershipEvent.js"

/** A part of an answer: how many to leave out, and how many to give at most. */
export interface Slice {
  readonly offset: number
  readonly limit: number
}

/** A part of the history, and how many events the whole answer has. */
export interface MembershipHistory {
  readonly events: ReadonlyArray<MembershipEvent>
  readonly total: number
}

/** Port: users and their memberships. */
export class MembershipStore extends Context.Tag("@attestry/core/MembershipStore")<
  MembershipStore,
  {
    /** The user who signs in as that. */
    readonly findUser: (login: Login) => Effect.Effect<Option.Option<User>, StoreError>
    /** Adds a user; `false`, and nothing done, when the login is taken. */
    readonly insertUser: (user: User) => Effect.Effect<boolean, StoreError>
    /** Every org that a user belongs to, the one joined first at the front. */
    readonly listOrgs: (user: UserId) => Effect.Effect<ReadonlyArray<ActorMembership>, StoreError>
    /** The org that a user has chosen as the default. */
    readonly findDefaultOrg: (user: UserId) => Effect.Effect<Option.Option<OrgId>, StoreError>
    /** Makes an org the user's default; `false` when it was. */
    readonly setDefaultOrg: (user: UserId, org: OrgId) => Effect.Effect<boolean, StoreError>
    /** Every membership of an org, the one that began first at the front; in order of user ids within an instant. */
    readonly listMembers: (org: OrgId) => Effect.Effect<ReadonlyArray<Membership>, StoreError>
    /** The membership, kept from other writers until the transaction ends. */
    readonly lock: (key: MembershipKey) => Effect.Effect<Option.Option<Membership>, StoreError>
    /**
     * Every admin of an org, each kept from other writers until the transaction ends: whoever was
     * demoted or removed meanwhile is not among them.
     */
    readonly lockAdmins: (org: OrgId) => Effect.Effect<ReadonlyArray<UserId>, StoreError>
    /** Adds a membership; `false`, and nothing done, when the user is a member already. */
    readonly insert: (membership: Membership) => Effect.Effect<boolean, StoreError>
    /** Replaces the role. */
    readonly update: (membership: Membership) => Effect.Effect<void, StoreError>
    /** Ends a membership. */
    readonly remove: (key: MembershipKey) => Effect.Effect<void, StoreError>
    /** Adds to the history. */
    readonly appendEvent: (event: MembershipEvent) => Effect.Effect<void, StoreError>
    /** The part of the history that a query asks for: as `MembershipEvent.select` says, cut out. */
    readonly listEvents: (
      org: OrgId,
      query: MembershipEventQuery,
      slice: Slice
    ) => Effect.Effect<MembershipHistory, StoreError>
  }
>() {}
