/** Lets so many tasks run at once; the others wait for their turn, in order. */

/** Runs a task when it has its turn. */
export type Turns = <A>(task: () => Promise<A>) => Promise<A>

/** Turns for at most so many tasks at once. */
export const make = (max: number): Turns => {
  const waiting: Array<() => void> = []
  let running = 0
  return async (task) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
