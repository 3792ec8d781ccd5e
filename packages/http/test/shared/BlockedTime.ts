/** How long work keeps the event loop from other work. */
import { performance } from "node:perf_hooks"

interface Moment {
  readonly active: number
  readonly cpu: number
}

const moment = (): Moment => {
  const { user, system } = process.cpuUsage()
  return { active: performance.eventLoopUtilization().active, cpu: (user + system) / 1_000 }
}

/**
 * Milliseconds without a turn of the event loop. WHY the lesser of two: one measure includes other processes, the other
 * includes other threads of this process.
 */
const between = (last: Moment, now: Moment): number =>
  Math.min(now.active - last.active, now.cpu - last.cpu)

/** The result of some work, and the longest time without a turn of the event loop, in milliseconds. */
export const blockedBy = async <A>(work: () => Promise<A>): Promise<readonly [A, number]> => {
  let longest = 0
  let last = moment()
  const look = () => {
    const now = moment()
    longest = Math.max(longest, between(last, now))
    last = now
  }
  const timer = setInterval(look, 1)
  const result = await work()
  look()
  clearInterval(timer)
  return [result, longest]
}
