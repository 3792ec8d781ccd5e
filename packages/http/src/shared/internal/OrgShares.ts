/**
 * How many requests each org has sent in the last seconds, beside what would be its fair share of them.
 *
 * WHY requests, and not their time: computations are in slices, of which each org has one at a time (`Slices`), so an
 * overloaded process has too many requests.
 */

/** The length of a window, and the clock. */
export interface SharesOptions {
  readonly windowMs: number
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number
}

/** The shares of orgs. */
export interface OrgShares {
  /** Counts a request that is served. */
  readonly count: (org: string) => void
  /** Whether an org has sent more than the mean of all that have sent something; never of a single org. */
  readonly isAbove: (org: string) => boolean
}

type Counts = Map<string, number>

const sum = (counts: Counts): number => [...counts.values()].reduce((all, one) => all + one, 0)

/** Counts of the window that is open, and of the one before. */
export const make = ({ windowMs, now }: SharesOptions): OrgShares => {
  let began = now()
  let before: Counts = new Map()
  let open: Counts = new Map()
  let total = 0
  let orgs = 0

  const turn = (): void => {
    const at = now()
    if (at - began < windowMs) return
    before = at - began < 2 * windowMs ? open : new Map()
    open = new Map()
    began = at
    total = sum(before)
    orgs = before.size
  }

  const countOf = (org: string): number => (open.get(org) ?? 0) + (before.get(org) ?? 0)

  return {
    count: (org) => {
      turn()
      if (countOf(org) === 0) orgs += 1
      total += 1
      open.set(org, (open.get(org) ?? 0) + 1)
    },
    isAbove: (org) => {
      turn()
      return orgs > 1 && countOf(org) * orgs > total
    }
  }
}
