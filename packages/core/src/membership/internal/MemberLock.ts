/** Locks a member for a change, and keeps the last admin who is not suspended. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Org } from "../../org/Org.js"
import type { Login } from "../../shared/Identifier.js"
import * as Membership from "../Membership.js"
import { MembershipStore } from "../MembershipStore.js"

/** A member by login. */
interface MemberOf {
  readonly org: Pick<Org, "id" | "name">
  readonly login: Login
}

/** Whether an admin stays one who counts after the change. */
interface Effects {
  readonly keepsAdmin: boolean
}

/** Makes the lock. */
export const make = Effect.map(
  MembershipStore,
  (store) =>
    /** The locked member; fails when the org would have no other admin and the change takes this one. */
    ({ org, login }: MemberOf, { keepsAdmin }: Effects) =>
      Effect.gen(function* () {
        const notAMember = () => new Membership.NotAMember({ org: org.name, login })
        const user = yield* Effect.flatMap(store.findUser(login), Either.fromOption(notAMember))
        const admins = keepsAdmin ? [] : yield* store.lockAdmins(org.id)
        const key = { org: org.id, user: user.id }
        const membership = yield* Effect.flatMap(store.lock(key), Either.fromOption(notAMember))
        const isAdmin = membership.role === "admin" && membership.suspended_at === null
        if (isAdmin && !keepsAdmin && admins.every((admin) => admin === user.id)) {
          return yield* new Membership.LastAdmin({ org: org.name, login })
        }
        return { user, membership } as const
      })
)
