/** How many running rows fail each rule of one version of a policy, over the environments that it evaluates. */
import type { ShortSnapshot } from "../shared/Contract.js"
import { numberAmong } from "../shared/RuleNumber.js"

/** The most environments whose rules are read; the others are listed with their verdicts alone. */
export const ENVIRONMENTS_MAX = 20

/** A rule that rows of one environment fail. */
export interface FailingRule {
  /** Counts from 0 as in the API. */
  readonly index: number
  /** Its number in the text. */
  readonly number: number
  readonly rows: number
}

/** The known failing rows. */
export interface PolicyFailures {
  /** The sum over the environments, by the index of the rule. */
  readonly byRule: ReadonlyMap<number, number>
  /** The rules that rows fail, by environment, in the order of the rules. */
  readonly byEnvironment: ReadonlyMap<string, ReadonlyArray<FailingRule>>
  /** Environments whose latest snapshot was evaluated by another version: its rules are not those of the text. */
  readonly byOtherVersion: ReadonlyMap<string, number>
}

type Rules = Pick<ShortSnapshot, "rules">

/** Adds up the failing rows; `snapshots` are the latest of the environments, by name. */
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
