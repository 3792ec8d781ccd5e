/**
 * The notifications about one key or waiver over its life, scan by scan, from the words of the rule.
 *
 * Every threshold has its own mark, `sent` or `passed`; none derives from a smaller one.
 */

/** One scan: the seconds that are left, and whether a target accepted the message. */
export interface ModelScan {
  readonly secondsLeft: number
  readonly succeeds: boolean
}

/** The notified thresholds, in order; one that no target accepted is notified again at the next scan. */
export const fold = (
  thresholds: ReadonlyArray<number>,
  scans: ReadonlyArray<ModelScan>
): ReadonlyArray<number> => {
  const marks = new Map<number, "sent" | "passed">()
  const notified: Array<number> = []
  for (const { secondsLeft, succeeds } of scans) {
    const crossed = thresholds.filter((days) => secondsLeft <= days * 86_400)
    if (crossed.length === 0) continue
    const smallest = Math.min(...crossed)
    for (const days of crossed) {
      if (days !== smallest && !marks.has(days)) marks.set(days, "passed")
    }
    if (marks.has(smallest)) continue
    notified.push(smallest)
    if (succeeds) marks.set(smallest, "sent")
  }
  return notified
}
