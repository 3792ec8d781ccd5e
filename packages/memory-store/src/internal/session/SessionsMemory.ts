/** Sessions of `CredentialStore` in memory. */

import type { CredentialStore } from "@attestry/core/CredentialStore"
import type { SessionId } from "@attestry/core/Identifier"
import type { Session } from "@attestry/core/Session"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import * as MemoryRows from "../shared/MemoryRows.js"
import { MemoryState, table } from "../shared/MemoryState.js"

/** Sessions by id. */
export const sessions = table<Session>("session")

/** A session that waits for a command line to claim it. */
interface Offered {
  readonly session: Session
  readonly source: SessionId
  readonly challenge: string
  readonly until: Timestamp.Timestamp
}

const offers = table<Offered>("session_offer")

/** Sessions of `CredentialStore` in memory. */
export const make: Effect.Effect<
  Pick<
    CredentialStore["Type"],
    "insertSession" | "findSession" | "removeSession" | "offerSession" | "claimSession"
  >,
  never,
  MemoryState
> = Effect.gen(function* () {
  const state = yield* MemoryState
  const rows = yield* MemoryRows.make(sessions)
  const offered = yield* MemoryRows.make(offers)
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
    offerSession: ({ id, source, digest, challenge, claimSeconds }) =>
      state.transaction((now) =>
        Effect.gen(function* () {
          const found = Option.filter(yield* rows.find(source), (each) => now < each.expires_at)
          if (Option.isNone(found)) return Option.none()
          const session: Session = { ...found.value, id, digest }
          const until = Timestamp.plusSeconds(now, claimSeconds)
          yield* state.modify(offers, (all) => [
            undefined,
            HashMap.set(
              HashMap.filter(all, (other) => now < other.until),
              id,
              { session, source, challenge, until }
            )
          ])
          return Option.some(session)
        })
      ),
    claimSession: ({ id, digest, challenge, newDigest }) =>
      state.transaction((now) =>
        Effect.gen(function* () {
          const found = Option.filter(
            yield* offered.find(id),
            ({ session, until, ...offer }) =>
              offer.challenge === challenge &&
              session.digest === digest &&
              now < until &&
              now < session.expires_at
          )
          if (Option.isNone(found)) return Option.none()
          if (Option.isNone(yield* rows.find(found.value.source))) return Option.none()
          const session: Session = { ...found.value.session, digest: newDigest }
          yield* offered.remove(id)
          yield* rows.set(id, session)
          return Option.some(session)
        })
      ),
    removeSession: (id) => rows.remove(id)
  }
})
