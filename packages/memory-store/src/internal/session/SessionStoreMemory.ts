/** `SessionStore` in memory. */
import type { Session } from "@attestry/core/Session"
import { SessionStore } from "@attestry/core/SessionStore"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as MemoryRows from "../shared/MemoryRows.js"
import { MemoryState, table } from "../shared/MemoryState.js"

const sessions = table<Session>("session")

/** `SessionStore` in memory. */
export const layer: Layer.Layer<SessionStore, never, MemoryState> = Layer.effect(
  SessionStore,
  Effect.gen(function* () {
    const state = yield* MemoryState
    const rows = yield* MemoryRows.make(sessions)
    return SessionStore.of({
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
    })
  })
)
