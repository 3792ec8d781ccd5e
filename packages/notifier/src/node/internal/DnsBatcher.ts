/**
 * How many questions do several attempts that ask about one name at the same moment make?
 *
 * One: it is sent after the last of them asked, so each of them is resolved afresh and no answer is
 * kept. Attempts that ask later ask again.
 */
import type * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import { ResolutionError } from "../../outbound/HostResolver.js"
import type * as Task from "../../outbound/Task.js"

/** What a question came to. */
export type Outcome = Either.Either<ReadonlyArray<string>, ResolutionError>

type Told = Exit.Exit<ReadonlyArray<string>, ResolutionError>

const late = () => Exit.fail(new ResolutionError({ cause: "no answer in time", late: true }))

/** Asks about one name and tells the outcome once. */
export type Ask = (name: string, done: (outcome: Outcome) => void) => void

/** Shares each question between those who ask in the same turn of the event loop. */
export const share = (ask: Ask) => {
  const gathering = new Map<string, Set<(told: Told) => void>>()

  const join = (name: string, waiter: (told: Told) => void): Task.Cancel => {
    const known = gathering.get(name)
    const waiters = known ?? new Set()
    waiters.add(waiter)
    if (known === undefined) {
      gathering.set(name, waiters)
      setImmediate(() => {
        gathering.delete(name)
        if (waiters.size === 0) return
        ask(name, (outcome) => {
          const told = Exit.fromEither(outcome)
          for (const each of waiters) each(told)
        })
      })
    }
    return () => waiters.delete(waiter)
  }

  return (name: string, timeoutMs: number): Task.Task<ReadonlyArray<string>, ResolutionError> =>
    (done) => {
      const leave = join(name, (told) => {
        clearTimeout(timer)
        done(told)
      })
      const timer = setTimeout(() => {
        leave()
        done(late())
      }, timeoutMs)
      return () => {
        clearTimeout(timer)
        leave()
      }
    }
}
