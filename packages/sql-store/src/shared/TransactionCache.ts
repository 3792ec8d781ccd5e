/**
 * What a transaction knows of rows that it has read or locked, for whoever asks next in the same transaction.
 *
 * Outside of a transaction nothing is kept and nothing is found; what is kept goes with it, and is forgotten
 * when any of its work is undone.
 */
import * as Effect from "effect/Effect"
import * as TenantTransaction from "./TenantTransaction.js"
import type { WriteBuffer } from "./WriteBuffer.js"

/** What is known of things of one kind, by their names. */
export interface TransactionCache<A> {
  readonly remember: (name: string, known: A) => Effect.Effect<void>
  readonly find: (name: string) => Effect.Effect<A | undefined>
  /**
   * Goes on with what is known, and with the writes that wait. WHY not `find` alone: every report comes by here
   * several times.
   */
  readonly use: <B, E, R>(
    name: string,
    next: (known: A | undefined, pending: WriteBuffer | undefined) => Effect.Effect<B, E, R>
  ) => Effect.Effect<B, E, R>
  readonly forget: (name: string) => Effect.Effect<void>
}

/** What is known of things of a kind; no two kinds have one name. */
export const make = <A>(kind: string): TransactionCache<A> => {
  const keyOf = (name: string): string => `${kind} ${name}`
  const use: TransactionCache<A>["use"] = (name, next) =>
    // WHY: only `remember` writes under keys of this kind, and it writes nothing else.
    TenantTransaction.withHeld((held, pending) =>
      next(held?.get(keyOf(name)) as A | undefined, pending)
    )
  return {
    remember: (name, known) =>
      TenantTransaction.withHeld((held) => {
        held?.set(keyOf(name), known)
        return Effect.void
      }),
    use,
    find: (name) => use(name, (known) => Effect.succeed(known)),
    forget: (name) =>
      TenantTransaction.withHeld((held) => {
        held?.delete(keyOf(name))
        return Effect.void
      })
  }
}
