/** `MembershipStore` in memory. */
import type { Membership, User } from "@attestry/core/Membership"
import { MembershipStore } from "@attestry/core/MembershipStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, type MemoryState, table } from "../shared/MemoryState.js"

/** Users by login. */
export const users = table<User>("user")
/** Memberships by org and user. */
export const memberships = table<Membership>("membership")

/** `MembershipStore` in memory. */
export const layer: Layer.Layer<MembershipStore, never, MemoryState> = Layer.effect(
  MembershipStore,
  Effect.gen(function* () {
    const people = yield* MemoryRows.make(users)
    const members = yield* MemoryRows.make(memberships)
    return MembershipStore.of({
      findUser: people.find,
      insertUser: (user) => people.insert(user.login, user),
      insert: (membership) => members.insert(key(membership.org_id, membership.user_id), membership)
    })
  })
)
