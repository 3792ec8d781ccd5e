/** Interleaved rounds of a subject and its baseline, the median of their ratios, and one line about it. */

const median = (values) => {
  const sorted = [...values].sort((left, right) => left - right)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Rounds after the warm-up; the order alternates, so that neither side always goes first. */
const ROUNDS = 5

/** A cost without parts is its own total. */
const partsOf = (cost) => (typeof cost === "number" ? { total: cost } : cost)

/**
 * Compares two sides. Each has `cost()`, which does a fixed amount of work and gives what it cost per unit,
 * as a `total` and its parts; the ratio is baseline cost ÷ subject cost, so 1 is as good as the baseline and more is better.
 */
export const compare = async ({ name, goal, unit, subject, baseline }) => {
  await subject.warmUp()
  await baseline.warmUp()
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) {
    const first = round % 2 === 0 ? subject : baseline
    const second = first === subject ? baseline : subject
    const costs = new Map([[first, partsOf(await first.cost())]])
    costs.set(second, partsOf(await second.cost()))
    rounds.push({ subject: costs.get(subject), baseline: costs.get(baseline) })
  }
  const text = (side) =>
    Object.keys(rounds[0][side])
      .map((part) => `${part} ${median(rounds.map((round) => round[side][part])).toFixed(0)}`)
      .join(" ")
  const ratio = median(rounds.map(({ subject: ours, baseline: raw }) => raw.total / ours.total))
  process.stdout.write(
    `${name} [${unit}]: subject ${text("subject")}; baseline ${text("baseline")}; ` +
      `ratio ${ratio.toFixed(2)} (goal ${goal}${ratio >= goal ? "" : ", missed"})\n`
  )
  return { name, ratio, goal }
}
