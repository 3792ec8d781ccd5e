/**
 * Tells that a SCIM client was refused to take the last admin of an org: the provider and the org differ until a person
 * acts. Told once an hour for a person and process, since clients repeat what is refused.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Access from "../../access/Access.js"
import { AccessNotices } from "../../access/AccessNotices.js"
import type { LastAdmin } from "../../membership/Membership.js"
import { MembershipStore } from "../../membership/MembershipStore.js"
import * as BoundedCache from "../../shared/BoundedCache.js"
import type { StoreError } from "../../shared/StoreError.js"
import { Transaction } from "../../shared/Transaction.js"

const HOUR_MILLIS = 3_600_000

/** The number of people whose last hour a process remembers. */
const CACHED_MAX = 1_000

/** Makes what tells refusals. */
export const make = Effect.gen(function* () {
  const notices = yield* AccessNotices
  const members = yield* MembershipStore
  const transaction = yield* Transaction
  const hours = BoundedCache.make<number>(CACHED_MAX)

  /** Tells a refusal, in a transaction of its own: that of the refused change is gone. */
  return (
    { actor, orgId }: Access.Granted,
    { login }: LastAdmin
  ): Effect.Effect<void, StoreError> =>
    Effect.gen(function* () {
      const hour = Math.floor((yield* Clock.currentTimeMillis) / HOUR_MILLIS)
      const key = `${orgId} ${login}`
      if (hours.get(key) === hour) return
      const user = yield* members.findUser(login)
      if (Option.isNone(user)) return
      yield* transaction.run(orgId, (scope) =>
        Effect.flatMap(scope.now, (at) =>
          notices.add(orgId, at, {
            _tag: "AccessChange",
            change: "scim-refused",
            by: actor.name,
            subject: { kind: "user", id: user.value.id },
            role: "admin",
            previous_role: "admin",
            eligible: false,
            settings: [],
            reason: ""
          })
        )
      )
      hours.set(key, hour)
    })
})
