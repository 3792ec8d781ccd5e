/** Port: users, memberships and their history. Users are global; the rest belongs to an org. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { ActorMembership } from "../access/Actor.js"
import type { Login, OrgId, UserId } from "../shared/Identifier.js"
import type { Paged } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type {
  Member,
  MemberAtInstant,
  Membership,
  MembershipKey,
  NewMembership,
  User
} from "./Membership.js"
import type { MembershipEvent, MembershipEventQuery } from "./MembershipEvent.js"

/** A slice of a list: the number to skip, and the most to return. */
export interface Slice {
  readonly offset: number
  readonly limit: number
}

/** A slice of the history, and the number of all events of the query. */
export interface MembershipHistory {
  readonly events: ReadonlyArray<MembershipEvent>
  readonly total: number
}

/** Port: users and their memberships. */
export class MembershipStore extends Context.Tag("@attestry/core/MembershipStore")<
  MembershipStore,
  {
    /** The user of that login; none when there is none. */
    readonly findUser: (login: Login) => Effect.Effect<Option.Option<User>, StoreError>
    /** The user of that id; none when there is none. */
    readonly findUserById: (id: UserId) => Effect.Effect<Option.Option<User>, StoreError>
    /** Adds a user and returns true; returns false and does nothing when the login is taken. */
    readonly insertUser: (user: User) => Effect.Effect<boolean, StoreError>
    /** Every org of a user with the role there, in the order of joining; without suspended memberships. */
    readonly listOrgs: (user: UserId) => Effect.Effect<ReadonlyArray<ActorMembership>, StoreError>
    /** The default org that a user has set; none when there is none. */
    readonly findDefaultOrg: (user: UserId) => Effect.Effect<Option.Option<OrgId>, StoreError>
    /** Sets a user's default org; returns false when it was already set. */
    readonly setDefaultOrg: (user: UserId, org: OrgId) => Effect.Effect<boolean, StoreError>
    /**
     * A slice of the members of an org, suspended ones among them, in the order of joining, then of user ids, and the
     * number of all.
     */
    readonly listMembers: (org: OrgId, slice: Slice) => Effect.Effect<Paged<Member>, StoreError>
    /**
     * Who was a member at an instant, suspended ones among them, by the last change of each membership until then, in
     * no order.
     */
    readonly listMembersAt: (
      org: OrgId,
      at: Timestamp
    ) => Effect.Effect<ReadonlyArray<MemberAtInstant>, StoreError>
    /** The membership; none when there is none. */
    readonly find: (key: MembershipKey) => Effect.Effect<Option.Option<Membership>, StoreError>
    /** The membership, locked until the transaction ends; none when there is none. */
    readonly lock: (key: MembershipKey) => Effect.Effect<Option.Option<Membership>, StoreError>
    /**
     * The ids of every admin of an org who is not suspended, each membership locked until the transaction ends; an
     * admin who is demoted, suspended or removed while this waits is left out.
     */
    readonly lockAdmins: (org: OrgId) => Effect.Effect<ReadonlyArray<UserId>, StoreError>
    /** Adds a membership and returns true; returns false and does nothing when the user is a member. */
    readonly insert: (membership: NewMembership) => Effect.Effect<boolean, StoreError>
    /** Replaces the role, the suspension and the end of sessions of a membership. The caller holds its lock. */
    readonly update: (membership: Membership) => Effect.Effect<void, StoreError>
    /** Removes a membership. The caller holds its lock. */
    readonly remove: (key: MembershipKey) => Effect.Effect<void, StoreError>
    /** Appends to the history. */
    readonly appendEvent: (event: MembershipEvent) => Effect.Effect<void, StoreError>
    /** The slice of the events that `MembershipEvent.select` selects and orders. */
    readonly listEvents: (
      org: OrgId,
      query: MembershipEventQuery,
      slice: Slice
    ) => Effect.Effect<MembershipHistory, StoreError>
  }
>() {}
