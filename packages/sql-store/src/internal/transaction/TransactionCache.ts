/**
 * Values that a transaction has read together with a lock, for its later reads; a batched transaction has no others.
 * Gain: 4 statements of a changed report, which reads snapshot, rows, allow-list and notifications with the lock
 * (`bench report-writes`). INVARIANT: a value stays true while the transaction holds its lock, and the module that
 * writes the rows deletes it. The cache ends with the transaction, and is cleared when any of its work is undone;
 * outside of a transaction it keeps nothing.
 */
import * as Effect from "effect/Effect"
import { type TransactionHandle, withCurrent } from "./TransactionHandle.js"
import type { WriteBuffer } from "./WriteBuffer.js"

/** Cached values of one kind, by key. */
export interface TransactionCache<A> {
  readonly set: (key: string, value: A) => Effect.Effect<void>
  readonly get: (key: string) => Effect.Effect<A | undefined>
  /** Continues with the cached value and the transaction's write buffer: one lookup for both. */
  readonly use: <B, E, R>(
    key: string,
    next: (value: A | undefined, buffer: WriteBuffer | undefined) => Effect.Effect<B, E, R>
  ) => Effect.Effect<B, E, R>
  readonly delete: (key: string) => Effect.Effect<void>
}

/** The cache of a kind; each kind has its own name. */
export const make = <A>(kind: string): TransactionCache<A> => {
  const keyOf = (key: string): string => `${kind} ${key}`
  const valueIn = (handle: TransactionHandle | undefined, key: string) =>
    // WHY: only `set` writes keys of this kind, and it writes values of this type.
    handle?.cache.get(keyOf(key)) as A | undefined
  return {
    set: (key, value) =>
      withCurrent((handle) => {
        handle?.cache.set(keyOf(key), value)
        return Effect.void
      }),
    use: (key, next) => withCurrent((handle) => next(valueIn(handle, key), handle?.buffer)),
    get: (key) => withCurrent((handle) => Effect.succeed(valueIn(handle, key))),
    delete: (key) =>
      withCurrent((handle) => {
        handle?.cache.delete(keyOf(key))
        return Effect.void
      })
  }
}

/** Runs a function once the current transaction is committed; never when any of its work is undone. */
export const afterCommit = (work: () => void): Effect.Effect<void> =>
  withCurrent((handle) => {
    handle?.afterCommit.push(work)
    return Effect.void
  })
