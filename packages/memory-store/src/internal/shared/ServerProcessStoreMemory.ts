/** `ServerProcessStore` in memory: the one process that has it. */
import type { ServerProcess } from "@attestry/core/ServerProcess"
import { ServerProcessStore } from "@attestry/core/ServerProcessStore"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { MemoryState, table } from "./MemoryState.js"

const processes = table<ServerProcess>("server_process")

/** The instant so long before another. */
const before = (at: Timestamp.Timestamp, millis: number) => Timestamp.fromMicros(at - millis * 1000)

const inOrder = (left: ServerProcess, right: ServerProcess): number =>
  left.started_at - right.started_at || (left.id < right.id ? -1 : 1)

/** `ServerProcessStore` in memory. */
export const layer: Layer.Layer<ServerProcessStore, never, MemoryState> = Layer.effect(
  ServerProcessStore,
  Effect.map(MemoryState, (state) => ({
    put: (process, forgottenAfterMillis) =>
      state.transaction((now) =>
        state.modify(processes, (rows) => {
          const oldest = before(now, forgottenAfterMillis)
          const kept = HashMap.filter(rows, ({ seen_at }) => seen_at > oldest)
          const started_at = Option.match(HashMap.get(rows, process.id), {
            onNone: () => now,
            onSome: (known) => known.started_at
          })
          return [
            undefined,
            HashMap.set(kept, process.id, { ...process, started_at, seen_at: now })
          ]
        })
      ),
    list: (withinMillis) =>
      state.transaction((now) =>
        Effect.map(state.read(processes), (rows) =>
          Array.from(HashMap.values(rows))
            .filter(({ seen_at }) => seen_at > before(now, withinMillis))
            .sort(inOrder)
        )
      ),
    remove: (id) => state.modify(processes, (rows) => [undefined, HashMap.remove(rows, id)])
  }))
)
