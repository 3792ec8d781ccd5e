/**
 * Lets work on the same thing take turns within this process, before it asks a store for anything.
 *
 * Correctness never rests on this: stores keep writers apart by themselves. It keeps a burst of writes to
 * one thing from holding every connection while they wait for each other.
 */
import * as Effect from "effect/Effect"

/** Runs work when all work on the same key that came before it has ended. */
export type Turns = <A, E, R>(key: string, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

interface Queue {
  readonly semaphore: Effect.Semaphore
  count: number
}

/** Turns by key; a key that nobody works on is forgotten. */
export const make = (): Turns => {
  const queues = new Map<string, Queue>()
  const join = (key: string): Queue => {
    const queue = queues.get(key) ?? { semaphore: Effect.unsafeMakeSemaphore(1), count: 0 }
    queues.set(key, queue)
    queue.count += 1
    return queue
  }
  const leave = (key: string, queue: Queue): void => {
    queue.count -= 1
    if (queue.count === 0) queues.delete(key)
  }
  return (key, work) =>
    Effect.acquireUseRelease(
      Effect.sync(() => join(key)),
      ({ semaphore }) => semaphore.withPermits(1)(work),
      (queue) => Effect.sync(() => leave(key, queue))
    )
}
