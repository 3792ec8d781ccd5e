/** Counts the running rows that fail each rule of a policy version, over the environments that it evaluates. */
import type { ShortSnapshot } from "../shared/Contract.js"
import { numberAmong } from "../shared/RuleNumber.js"

/** Rules are read for at most this many environments; the others only show their verdict. */
export const ENVIRONMENTS_MAX = 20

/** A rule, with the rows of one environment that fail it. */
export interface FailingRule {
  /** Zero-based, as in the API. */
  readonly index: number
  /** Its number in the policy's text. */
  readonly number: number
  readonly rows: number
}

export interface PolicyFailures {
  /** The total over all environments, by rule index. */
  readonly byRule: ReadonlyMap<number, number>
  /** The failing rules by environment, in the order of the rules. */
  readonly byEnvironment: ReadonlyMap<string, ReadonlyArray<FailingRule>>
  /**
   * Environments whose latest snapshot was evaluated by another version, with that version; their rules do not match
   * the text.
   */
  readonly byOtherVersion: ReadonlyMap<string, number>
}

type Rules = Pick<ShortSnapshot, "rules">

/** Adds up the failing rows; `snapshots` has the latest snapshot of each environment. */
export const failuresOf = (
  policy: { readonly name: string; readonly version: number },
  snapshots: ReadonlyArray<readonly [environment: string, snapshot: Rules]>
): PolicyFailures => {
  const byRule = new Map<number, number>()
  const byEnvironment = new Map<string, ReadonlyArray<FailingRule>>()
  const byOtherVersion = new Map<string, number>()
  for (const [environment, { rules }] of snapshots) {
    const own = rules.filter(({ policy_name }) => policy_name === policy.name)
    const other = own.find(({ policy_version }) => policy_version !== policy.version)
    if (other !== undefined) {
      byOtherVersion.set(environment, other.policy_version)
      continue
    }
    const failing = own.flatMap((rule) => {
      const { rule_index: index, rows_failing: rows } = rule
      const number = numberAmong(own, rule)
      return index === null || number === null || rows === 0 ? [] : [{ index, number, rows }]
    })
    byEnvironment.set(
      environment,
      failing.sort((one, two) => one.index - two.index)
    )
    for (const { index, rows } of failing) byRule.set(index, (byRule.get(index) ?? 0) + rows)
  }
  return { byRule, byEnvironment, byOtherVersion }
}
