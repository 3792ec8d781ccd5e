/** `Transaction` on the memory state. Writers are serialized, so there are no conflicts. */
import { Transaction } from "@attestry/core/Transaction"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryState } from "./MemoryState.js"

/** `Transaction` on the memory state. */
export const layer: Layer.Layer<Transaction, never, MemoryState> = Layer.effect(
  Transaction,
  Effect.map(MemoryState, (state) => ({
    run: (_org, work) => state.transaction((now) => work({ now: Effect.succeed(now) })),
    snapshot: (_org, reads) => state.snapshot(reads)
  }))
)
