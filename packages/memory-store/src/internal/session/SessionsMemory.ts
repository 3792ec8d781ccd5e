/** Sessions of `CredentialStore` in memory. */

import type { CredentialStore } from "@attestry/core/CredentialStore"
import type { Session } from "@attestry/core/Session"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import * as MemoryRows from "../shared/MemoryRows.js"
import { MemoryState, table } from "../shared/MemoryState.js"

/** Sessions by id. */
export const sessions = table<Session>("session")

/** Sessions of `CredentialStore` in memory. */
export const make: Effect.Effect<
  Pick<CredentialStore["Type"], "insertSession" | "findSession" | "removeSession">,
  never,
  MemoryState
> = Effect.gen(function* () {
  const state = yield* MemoryState
  const rows = yield* MemoryRows.make(sessions)
  return {
    insertSession: ({ lifetimeSeconds, ...draft }) =>
      state.transaction((now) => {
        const expires_at = Timestamp.plusSeconds(now, lifetimeSeconds)
        const session: Session = { ...draft, created_at: now, expires_at }
        return state.modify(sessions, (all) => [
          session,
          HashMap.set(
            HashMap.filter(all, (other) => now < other.expires_at),
            session.id,
            session
          )
        ])
      }),
    findSession: (id) =>
      state.transaction((now) =>
        Effect.map(
          rows.find(id),
          Option.filter(({ expires_at }) => now < expires_at)
        )
      ),
    removeSession: (id) => rows.remove(id)
  }
})
