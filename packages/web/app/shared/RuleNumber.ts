/**
 * Numbers rules as a reader of the policy's text counts them: from 1, over the rules that require something. The API
 * counts from 0 and includes the two requirements of every policy even if the text has neither.
 */
import type { SnapshotRule } from "./Contract.js"

/** The numbers of all rules of a policy, in the order of the API; null for a rule that requires nothing. */
export const numbersOf = (isAsked: ReadonlyArray<boolean>): ReadonlyArray<number | null> =>
  isAsked.map((asks, at) => (asks ? isAsked.slice(0, at + 1).filter(Boolean).length : null))

type Listed = Pick<SnapshotRule, "policy_name" | "policy_version" | "rule_index">

/**
 * The number of a rule in a snapshot, which lists every rule that requires something; null for a policy that cannot
 * be evaluated.
 */
export const numberAmong = (rules: ReadonlyArray<Listed>, rule: Listed): number | null => {
  const { policy_name, policy_version, rule_index } = rule
  if (rule_index === null) return null
  const before = rules.filter(
    (each) =>
      each.policy_name === policy_name &&
      each.policy_version === policy_version &&
      each.rule_index !== null &&
      each.rule_index < rule_index
  )
  return before.length + 1
}
