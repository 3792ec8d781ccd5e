/** How long work keeps the event loop from other work. */
import { readFileSync } from "node:fs"
import { performance } from "node:perf_hooks"

interface Moment {
  readonly active: number
  readonly cpu: number
}

/** The CPU time of this thread in milliseconds; that of the process on systems that do not tell it. */
const cpuMillis = (): number => {
  try {
    return Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[0]) / 1e6
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  }
}

const moment = (): Moment => ({
  active: performance.eventLoopUtilization().active,
  cpu: cpuMillis()
})

/**
 * Milliseconds without a turn of the event loop. WHY the lesser of two: one measure includes other processes and
 * threads, the other may include turns of the loop between two looks.
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
