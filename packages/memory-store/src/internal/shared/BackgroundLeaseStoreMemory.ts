/** `BackgroundLeaseStore` in memory. */
import { BackgroundLeaseStore } from "@attestry/core/BackgroundLeaseStore"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as MemoryRows from "./MemoryRows.js"
import { MemoryState, table } from "./MemoryState.js"

interface Turn {
  readonly token: number
  readonly until: Timestamp.Timestamp
}

const leases = table<Turn>("background_lease")

const plusMillis = (at: Timestamp.Timestamp, millis: number) =>
  Timestamp.fromMicros(at + millis * 1000)

/** `BackgroundLeaseStore` in memory. */
export const layer: Layer.Layer<BackgroundLeaseStore, never, MemoryState> = Layer.effect(
  BackgroundLeaseStore,
  Effect.gen(function* () {
    const state = yield* MemoryState
    const rows = yield* MemoryRows.make(leases)
    return BackgroundLeaseStore.of({
      acquire: (name, forMillis) =>
        state.transaction((now) =>
          Effect.gen(function* () {
            const before = yield* rows.find(name)
            if (Option.isSome(before) && now < before.value.until) return Option.none()
            const token = Option.isSome(before) ? before.value.token + 1 : 1
            yield* rows.set(name, { token, until: plusMillis(now, forMillis) })
            return Option.some({ name, token })
          })
        ),
      heldUntil: (name) =>
        state.transaction((now) =>
          Effect.map(
            rows.find(name),
            Option.map(({ until }) => ({ until, now }))
          )
        ),
      release: ({ name, token }, nextAfterMillis) =>
        state.transaction((now) =>
          Effect.flatMap(rows.find(name), (before) =>
            Option.isSome(before) && before.value.token === token
              ? rows.set(name, { token, until: plusMillis(now, nextAfterMillis) })
              : Effect.void
          )
        )
    })
  })
)
