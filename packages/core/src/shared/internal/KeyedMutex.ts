/**
 * Lets work on the same thing take turns within this process, before it asks a store for anything.
 *
 * Correctness never rests on this: stores keep writers apart by themselves. It keeps a burst of writes to
 * one thing from holding every connection while they wait for each other.
 */
import * as Effect from "effect/Effect"

/** Runs work when all work on the same key that came before it has ended. */
export type KeyedMutex = <A, E, R>(
  key: string,
  work: Effect.Effect<A, E, R>
) => Effect.Effect<A, E, R>

/** Whoever came first has the turn without asking; the one permit is there when it has gone. */
interface Queue {
  readonly semaphore: Effect.Semaphore
  count: number
}

/** Turns by key; a key that nobody works on is forgotten. */
export const make = (): KeyedMutex => {
  const queues = new Map<string, Queue>()
  const leave = (key: string, queue: Queue): void => {
    queue.count -= 1
    if (queue.count === 0) queues.delete(key)
  }

  const first = <A, E, R>(key: string, work: Effect.Effect<A, E, R>) => {
    const queue = { semaphore: Effect.unsafeMakeSemaphore(0), count: 1 }
    queues.set(key, queue)
    return Effect.onExit(work, () => {
      leave(key, queue)
      return queue.count === 0 ? Effect.void : queue.semaphore.release(1)
    })
  }

  const after = <A, E, R>(queue: Queue, key: string, work: Effect.Effect<A, E, R>) => {
    queue.count += 1
    return Effect.onExit(queue.semaphore.withPermits(1)(work), () =>
      Effect.sync(() => leave(key, queue))
    )
  }

  return (key, work) =>
    // WHY: between taking a place and the promise to leave it nobody may be interrupted.
    Effect.uninterruptibleMask((restore) => {
      const queue = queues.get(key)
      return queue === undefined ? first(key, restore(work)) : after(queue, key, restore(work))
    })
}
