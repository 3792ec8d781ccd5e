/** Makes users, who are global. */
import * as Effect from "effect/Effect"
import type { WriteContext } from "../../access/internal/WriteContext.js"
import { Login, UserId } from "../../shared/Identifier.js"
import { IdGenerator } from "../../shared/IdGenerator.js"
import type { StoreError } from "../../shared/StoreError.js"
import * as Upsert from "../../shared/Upsert.js"
import * as Membership from "../Membership.js"
import { MembershipStore } from "../MembershipStore.js"
import * as NumberedLogin from "../NumberedLogin.js"

/** The names of a new user. */
export interface NewUser extends Pick<Membership.User, "login" | "display_name" | "email"> {}

/** A new user whose login may be taken by others. */
export interface NumberedUser extends Omit<NewUser, "login"> {
  /** The login, where it is free. */
  readonly name: string
  /** How many logins are tried. */
  readonly tries: number
}

/** When the user is made. */
type Instant = Pick<WriteContext, "at">

/** Makes the functions. */
export const make = Effect.gen(function* () {
  const store = yield* MembershipStore
  const ids = yield* IdGenerator

  const newUser = ({ login, display_name, email }: NewUser, { at }: Instant) =>
    Effect.map(
      ids.next,
      (id): Membership.User => ({
        id: UserId.make(id),
        login,
        display_name,
        email,
        created_at: at
      })
    )

  /** The user of that login, or a new one. */
  const ensureUser = (draft: NewUser, at: Instant) =>
    Effect.gen(function* () {
      const fresh = yield* newUser(draft, at)
      const [user] = yield* Upsert.getOrCreate(
        { find: store.findUser(draft.login), insert: store.insertUser(fresh) },
        fresh
      )
      return user
    })

  /** Makes a user, never an existing one. */
  const createUser = (draft: NewUser, at: Instant) =>
    Effect.gen(function* () {
      const user = yield* newUser(draft, at)
      return (yield* store.insertUser(user))
        ? user
        : yield* new Membership.LoginTaken({ login: draft.login })
    })

  /** Makes a user with the first login of `NumberedLogin` that is free; fails when none of those tried is. */
  const createNumbered = (
    draft: NumberedUser,
    at: Instant,
    attempt = 0
  ): Effect.Effect<Membership.User, Membership.LoginTaken | StoreError> => {
    const { display_name, email, name, tries } = draft
    const login = Login.make(NumberedLogin.at(name, attempt))
    return createUser({ login, display_name, email }, at).pipe(
      Effect.catchTag("LoginTaken", (taken) =>
        attempt + 1 < tries ? createNumbered(draft, at, attempt + 1) : taken
      )
    )
  }

  return { ensureUser, createUser, createNumbered } as const
})
