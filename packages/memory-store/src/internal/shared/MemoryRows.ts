/** The operations of adapters on a table with one key. */
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import type * as Option from "effect/Option"
import { MemoryState, type MemoryTable } from "./MemoryState.js"

/** Finds, adds and replaces rows of one table. */
export interface MemoryRows<V> {
  readonly find: (key: string) => Effect.Effect<Option.Option<V>>
  /** Adds a row; `false` and no change when the key exists. */
  readonly insert: (key: string, row: V) => Effect.Effect<boolean>
  readonly set: (key: string, row: V) => Effect.Effect<void>
  /** Replaces a row; no change when there is none. */
  readonly replace: (key: string, row: V) => Effect.Effect<void>
  /** Removes a row, if there is one. */
  readonly remove: (key: string) => Effect.Effect<void>
  readonly values: Effect.Effect<ReadonlyArray<V>>
}

/** The rows of a table. */
export const make = <V>(table: MemoryTable<V>): Effect.Effect<MemoryRows<V>, never, MemoryState> =>
  Effect.map(MemoryState, (state) => ({
    find: (key) => Effect.map(state.read(table), HashMap.get(key)),
    insert: (key, row) =>
      state.modify(table, (rows) =>
        HashMap.has(rows, key) ? [false, rows] : [true, HashMap.set(rows, key, row)]
      ),
    set: (key, row) => state.modify(table, (rows) => [undefined, HashMap.set(rows, key, row)]),
    replace: (key, row) =>
      state.modify(table, (rows) => [undefined, HashMap.modify(rows, key, () => row)]),
    remove: (key) => state.modify(table, (rows) => [undefined, HashMap.remove(rows, key)]),
    values: Effect.map(state.read(table), (rows) => Array.from(HashMap.values(rows)))
  }))
