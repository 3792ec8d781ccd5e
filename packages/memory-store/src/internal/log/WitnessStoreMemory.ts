/** `WitnessStore` in memory. */

import { type WitnessedLog, WitnessStore } from "@attestry/core/WitnessStore"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { MemoryState, table } from "../shared/MemoryState.js"

const witnessed = table<WitnessedLog>("witness_log")

const byOrigin = (left: WitnessedLog, right: WitnessedLog): number =>
  left.origin < right.origin ? -1 : 1

const makeWitness = Effect.map(MemoryState, (state) =>
  WitnessStore.of({
    find: (origin) => Effect.map(state.read(witnessed), (rows) => HashMap.get(rows, origin)),
    advance: (log, from) =>
      state.modify(witnessed, (rows) => {
        const known = Option.match(HashMap.get(rows, log.origin), {
          onNone: () => 0,
          onSome: ({ size }) => size
        })
        return known === from ? [true, HashMap.set(rows, log.origin, log)] : [false, rows]
      }),
    list: Effect.map(state.read(witnessed), (rows) => [...HashMap.values(rows)].sort(byOrigin))
  })
)

/** `WitnessStore` in memory. */
export const layer: Layer.Layer<WitnessStore, never, MemoryState> = Layer.effect(
  WitnessStore,
  makeWitness
)
