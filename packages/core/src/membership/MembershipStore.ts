/** Port: users and their memberships. Users are global; a membership belongs to its org. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Login } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Membership, User } from "./Membership.js"

/** Port: users and their memberships. */
export class MembershipStore extends Context.Tag("@attestry/core/MembershipStore")<
  MembershipStore,
  {
    /** The user who signs in as that. */
    readonly findUser: (login: Login) => Effect.Effect<Option.Option<User>, StoreError>
    /** Adds a user; `false`, and nothing done, when the login is taken. */
    readonly insertUser: (user: User) => Effect.Effect<boolean, StoreError>
    /** Adds a membership; `false`, and nothing done, when the user is a member already. */
    readonly insert: (membership: Membership) => Effect.Effect<boolean, StoreError>
  }
>() {}
