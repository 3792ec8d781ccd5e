/**
 * Looks values up by key, and shares one lookup among all callers that asked before it began.
 *
 * It amortises a read of the store over the deliveries of one org that are sent at about the same time. INVARIANT: a
 * caller gets what was stored at some moment after it asked; nothing is kept from one lookup to the next.
 */
import type * as Exit from "effect/Exit"
import type * as Task from "../../outbound/Task.js"

type Caller<A, E> = (exit: Exit.Exit<A, E>) => void

interface Lookup<A, E> {
  readonly callers: Set<Caller<A, E>>
  /** Callers that asked after this lookup began: the next one is theirs. */
  readonly next: Set<Caller<A, E>>
}

/** Shares the lookups of a function; those of different keys run at the same time. */
export const make = <K, A, E>(
  lookUp: (key: K) => Task.Task<A, E>
): ((key: K) => Task.Task<A, E>) => {
  const running = new Map<K, Lookup<A, E>>()

  const begin = (key: K, callers: Set<Caller<A, E>>): void => {
    const lookup = { callers, next: new Set<Caller<A, E>>() }
    running.set(key, lookup)
    lookUp(key)((exit) => {
      if (lookup.next.size > 0) begin(key, lookup.next)
      else running.delete(key)
      for (const done of callers) done(exit)
    })
  }

  return (key) => (done) => {
    const current = running.get(key)
    const callers = current?.next ?? new Set<Caller<A, E>>()
    callers.add(done)
    if (current === undefined) begin(key, callers)
    return () => void callers.delete(done)
  }
}
