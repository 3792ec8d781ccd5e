/**
 * What a transaction knows of rows that it has read or locked, for whoever asks next in the same transaction.
 *
 * Outside of a transaction nothing is kept and nothing is found; what is kept goes with it, and is forgotten
 * when any of its work is undone.
 */
import type * as Effect from "effect/Effect"
import * as SqlOrg from "./SqlOrg.js"

/** What is known of things of one kind, by their names. */
export interface Held<A> {
  readonly remember: (name: string, known: A) => Effect.Effect<void>
  readonly find: (name: string) => Effect.Effect<A | undefined>
  readonly forget: (name: string) => Effect.Effect<void>
}

/** What is known of things of a kind; no two kinds have one name. */
export const make = <A>(kind: string): Held<A> => {
  const keyOf = (name: string): string => `${kind} ${name}`
  return {
    remember: (name, known) => SqlOrg.withHeld((held) => void held?.set(keyOf(name), known)),
    // WHY: only `remember` writes under keys of this kind, and it writes nothing else.
    find: (name) => SqlOrg.withHeld((held) => held?.get(keyOf(name)) as A | undefined),
    forget: (name) => SqlOrg.withHeld((held) => void held?.delete(keyOf(name)))
  }
}
