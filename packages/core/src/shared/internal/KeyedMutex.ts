/**
 * Runs work on one key one after another, within this process.
 *
 * Correctness never rests on this: stores keep writers apart by themselves. It keeps a burst of writes to one
 * key from occupying every connection while they wait for each other's locks. A dry run does not wait: it holds a
 * transaction, for which the work before it may be waiting.
 */
import * as Effect from "effect/Effect"
import { DryRun } from "./DryRun.js"

/** Runs work when all work on the same key that came before it has ended. */
export type KeyedMutex = <A, E, R>(
  key: string,
  work: Effect.Effect<A, E, R>
) => Effect.Effect<A, E, R>

interface Mutex {
  readonly semaphore: Effect.Semaphore
  users: number
}

/** Mutexes by key; a mutex without users is removed. */
export const make = (): KeyedMutex => {
  const mutexes = new Map<string, Mutex>()
  const enter = (key: string) =>
    Effect.sync(() => {
      const mutex = mutexes.get(key) ?? { semaphore: Effect.unsafeMakeSemaphore(1), users: 0 }
      mutexes.set(key, mutex)
      mutex.users += 1
      return mutex
    })
  const leave = (key: string, mutex: Mutex) =>
    Effect.sync(() => {
      mutex.users -= 1
      if (mutex.users === 0) mutexes.delete(key)
    })
  return (key, work) =>
    Effect.flatMap(DryRun, (isDryRun) =>
      isDryRun
        ? work
        : Effect.acquireUseRelease(
            enter(key),
            ({ semaphore }) => semaphore.withPermits(1)(work),
            (mutex) => leave(key, mutex)
          )
    )
}
