/**
 * Benchmark 11: a pattern that makes backtracking engines explode, on ever longer names.
 *
 * The time of a search must grow with the name and nothing else: 12 times at most for 10 times the name, and
 * no name of up to 100,000 characters may stop the process for 50 ms.
 */
import * as PolicyPattern from "@attestry/core/PolicyPattern"

const SOURCE = "^(([a-z])+.)+[A-Z]([a-z])+$"
const ROUNDS = 7

const median = (values) => [...values].sort((left, right) => left - right)[values.length >> 1]

/** Runs the benchmark and gives its lines. */
export const run = async () => {
  const compiled = PolicyPattern.compile(SOURCE)
  if (compiled._tag === "Left") throw compiled.left
  const { test } = compiled.right
  const millis = (length) => {
    const name = "a".repeat(length)
    const times = Array.from({ length: ROUNDS }, () => {
      const before = performance.now()
      if (test(name)) throw new Error("the pattern must not match")
      return performance.now() - before
    })
    return { first: times[0], usual: median(times) }
  }
  millis(1_000)
  const [ten, hundred, thousand] = [10_000, 100_000, 1_000_000].map(millis)
  const growth = thousand.usual / hundred.usual
  const longest = Math.max(ten.first, hundred.first, hundred.usual)
  process.stdout.write(
    `11 hostile pattern [ms]: 10,000 characters ${ten.usual.toFixed(2)}; 100,000 ${hundred.usual.toFixed(2)}; ` +
      `1,000,000 ${thousand.usual.toFixed(2)}; growth ${growth.toFixed(1)} (goal 12${growth <= 12 ? "" : ", missed"}); ` +
      `longest block up to 100,000 ${longest.toFixed(1)} (goal 50${longest <= 50 ? "" : ", missed"})\n`
  )
  return [{ name: "11 hostile pattern", ratio: growth, goal: 12 }]
}
