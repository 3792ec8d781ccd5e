/**
 * How many questions do several attempts that ask about one name at the same moment make?
 *
 * One: it is sent after the last of them asked, so each of them is resolved afresh and no answer is
 * kept. Attempts that ask later ask again.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { ResolutionError } from "../../outbound/HostResolver.js"

/** What a question came to. */
export type Outcome = Either.Either<ReadonlyArray<string>, ResolutionError>

/** Asks about one name and tells the outcome once. */
export type Ask = (name: string, done: (outcome: Outcome) => void) => void

/** Shares each question between those who ask in the same turn of the event loop. */
export const share = (ask: Ask) => {
  const gathering = new Map<string, Set<(outcome: Outcome) => void>>()

  const join = (name: string, waiter: (outcome: Outcome) => void): (() => void) => {
    const known = gathering.get(name)
    const waiters = known ?? new Set()
    waiters.add(waiter)
    if (known === undefined) {
      gathering.set(name, waiters)
      setImmediate(() => {
        gathering.delete(name)
        if (waiters.size === 0) return
        ask(name, (outcome) => {
          for (const each of waiters) each(outcome)
        })
      })
    }
    return () => waiters.delete(waiter)
  }

  return (name: string, timeoutMs: number) =>
    Effect.async<ReadonlyArray<string>, ResolutionError>((resume) => {
      const leave = join(name, (outcome) => {
        clearTimeout(timer)
        resume(outcome)
      })
      const timer = setTimeout(() => {
        leave()
        resume(Either.left(new ResolutionError({ cause: "no answer in time", late: true })))
      }, timeoutMs)
      return Effect.sync(() => {
        clearTimeout(timer)
        leave()
      })
    })
}
