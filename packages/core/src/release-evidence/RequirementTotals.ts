/** Counts the results of releases, requirement by requirement. Pure. */
import type {
  ReleaseTotals,
  Requirement,
  RequirementState,
  RequirementTotal
} from "./ReleaseEvidence.js"

/** The results of one release. */
export interface ReleaseResults {
  readonly results: ReadonlyArray<{
    readonly requirement: Requirement
    readonly state: RequirementState
  }>
}

/** The numbers of a selection, and of each of its requirements. */
export interface Totals {
  readonly totals: ReleaseTotals
  readonly requirements: ReadonlyArray<RequirementTotal>
}

const NONE = { met: 0, overridden: 0, waived: 0, failed: 0, missing: 0 } as const

const isMet = (state: RequirementState): boolean => state !== "failed" && state !== "missing"

/** Rules in their order; attestations of trails before those of artifacts, then by name and type. */
const sortKey = ({ key, level, rule }: Requirement): string =>
  rule === null ? `${level === "trail" ? 0 : 1} ${key}` : String(rule).padStart(6, "0")

/** The numbers of releases. */
export const of = (releases: Iterable<ReleaseResults>): Totals => {
  const known = new Map<string, RequirementTotal>()
  let [count, complete, without] = [0, 0, 0]
  for (const { results } of releases) {
    count += 1
    if (results.length === 0) without += 1
    else if (results.every(({ state }) => isMet(state))) complete += 1
    for (const { requirement, state } of results) {
      const total = known.get(requirement.key) ?? { ...requirement, ...NONE }
      known.set(requirement.key, { ...total, [state]: total[state] + 1 })
    }
  }
  return {
    totals: { releases: count, complete, without_requirements: without },
    requirements: [...known.values()].sort((left, right) =>
      sortKey(left) < sortKey(right) ? -1 : 1
    )
  }
}
