/** Port: the people that the SCIM client of an org describes, and the org that alone has a user. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Slice } from "../membership/MembershipStore.js"
import type { Org } from "../org/Org.js"
import type { OrgId, ScimId, UserId } from "../shared/Identifier.js"
import type { Paged } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Locking } from "../shared/Transaction.js"
import type { ScimFilter } from "./ScimFilter.js"
import type { ScimUser } from "./ScimUser.js"

/** A person of an org, by the id that its client uses. */
export interface ScimKey {
  readonly org: OrgId
  readonly id: ScimId
}

/** A user whom one org alone has. */
export interface DescribedUser {
  readonly org: Org
  readonly user: UserId
}

/** Port: the people that the SCIM client of an org describes. */
export class ScimStore extends Context.Tag("@attestry/core/ScimStore")<
  ScimStore,
  {
    /** The person of that id; none when there is none. */
    readonly find: (
      key: ScimKey,
      locking?: Locking
    ) => Effect.Effect<Option.Option<ScimUser>, StoreError>
    /** The people whom a filter lets pass, as `ScimFilter.matches` says, in the order of creation, then of ids. */
    readonly list: (
      org: OrgId,
      filter: ScimFilter,
      slice: Slice
    ) => Effect.Effect<Paged<ScimUser>, StoreError>
    /** The people with some ids, or with some users, in any order. */
    readonly listAmong: (
      org: OrgId,
      which: { readonly ids: ReadonlyArray<string> } | { readonly users: ReadonlyArray<UserId> }
    ) => Effect.Effect<ReadonlyArray<ScimUser>, StoreError>
    /**
     * Adds a person and returns true. Returns false and does nothing when another one has the user name, in any case,
     * or the external id.
     */
    readonly insert: (user: ScimUser) => Effect.Effect<boolean, StoreError>
    /** Replaces all but ids and creation, under the same conditions. The caller holds the lock. */
    readonly update: (user: ScimUser) => Effect.Effect<boolean, StoreError>
    /** Removes a person. The caller holds the lock. */
    readonly remove: (key: ScimKey) => Effect.Effect<void, StoreError>
    /**
     * The org that alone has a user, since its client made the user; none for every other user, and once the user has
     * signed in.
     */
    readonly findHome: (user: UserId) => Effect.Effect<Option.Option<OrgId>, StoreError>
    /** The active people with that external id whom an org alone has, with that org, in the order of creation. */
    readonly listDescribed: (
      externalId: string
    ) => Effect.Effect<ReadonlyArray<DescribedUser>, StoreError>
    /** Says that an org alone has a user, or with null that any org may add the user. */
    readonly setHome: (user: UserId, org: OrgId | null) => Effect.Effect<void, StoreError>
  }
>() {}
