/** `Transaction` on the memory state. Writers are serialized, so there are no conflicts. */
import * as JournalSequences from "@attestry/core/JournalSequences"
import { Transaction } from "@attestry/core/Transaction"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryState } from "./MemoryState.js"

/** `Transaction` on the memory state. */
export const layer: Layer.Layer<Transaction, never, MemoryState> = Layer.effect(
  Transaction,
  Effect.map(MemoryState, (state) => ({
    run: (_org, work) =>
      JournalSequences.within(
        (attempt) => state.transaction((now) => attempt({ now: Effect.succeed(now) })),
        work
      ),
    snapshot: (_org, reads) => state.snapshot(reads)
  }))
)
