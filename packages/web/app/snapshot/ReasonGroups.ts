/** Why rows of a snapshot fail, by rule; the rules that most rows fail come first. */
import type { ShortRow, SnapshotRule } from "../shared/Contract.js"
import { numberAmong } from "../shared/RuleNumber.js"
import { ruleKey } from "./RowFilter.js"

/** A rule that rows fail. */
export interface ReasonGroup {
  /** The value of the parameter `rule` that filters its rows. */
  readonly key: string
  readonly rows: number
  readonly rule: SnapshotRule
  readonly text: string
  /** The rule, by its number in the policy's text. */
  readonly name: string
}

const wanted = ({ attestation_name, attestation_type, for_control }: SnapshotRule): string => {
  const name =
    attestation_name === null || attestation_name === "*" ? "" : ` \`${attestation_name}\``
  if (for_control !== null) return `decision${name} for control \`${for_control}\``
  return attestation_type === null || attestation_type === "*"
    ? `attestation${name}`
    : `attestation${name} of type \`${attestation_type}\``
}

/** The requirement of a rule, in a few words. */
export const titleOf = (rule: SnapshotRule): string => {
  switch (rule.type) {
    case "provenance":
      return "provenance"
    case "trail-compliance":
      return "compliant trail"
    case "policy_error":
      return "the policy itself"
    case "attestation":
      return wanted(rule)
  }
}

type Reason = SnapshotRule["reasons"][number]["type"]

const say = (rule: SnapshotRule, reason: Reason): string => {
  switch (reason) {
    case "missing_provenance":
      return "no provenance: no flow knows the artifact"
    case "non_compliant_in_trail":
      return "not compliant in its trail"
    case "missing_attestation":
      return `${wanted(rule)} missing`
    case "non_compliant_attestation":
      return `${wanted(rule)} not compliant`
    case "provenance_expired":
      return "its newest record is too old: build and report it again"
    case "evidence_expired":
      return `${wanted(rule)} too old: report a new one`
    case "unverified_attestation":
      return `${wanted(rule)} not verified: report evidence with a trusted signature`
    case "unmet_facts":
      return `${wanted(rule)} without the facts that the policy asks for: report evidence that has them`
    case "policy_error":
      return "this version of the policy cannot be evaluated"
  }
}

/** One sentence about the rows that fail a rule; several kinds of failure are counted. */
const textOf = (rule: SnapshotRule): string =>
  rule.reasons.length === 1
    ? rule.reasons.map(({ type }) => say(rule, type)).join("")
    : rule.reasons.map(({ type, rows }) => `${say(rule, type)} (${rows})`).join(", ")

/** `policy v3 rule 4`, by the number of the rule in the text. */
export const nameOf = (rules: ReadonlyArray<SnapshotRule>, rule: SnapshotRule): string => {
  const number = numberAmong(rules, rule)
  return `${rule.policy_name} v${rule.policy_version}${number === null ? "" : ` rule ${number}`}`
}

/** The name of the rule in the URL; the parameter itself if the snapshot has no such rule. */
export const chosenName = (rules: ReadonlyArray<SnapshotRule>, key: string): string => {
  const chosen = rules.find((rule) => ruleKey(rule) === key)
  return chosen === undefined ? key : nameOf(rules, chosen)
}

/** The rules that running rows fail, by number of failing rows; ties keep the order of the rules. */
export const groupsOf = (rules: ReadonlyArray<SnapshotRule>): ReadonlyArray<ReasonGroup> =>
  rules
    .filter(({ rows_failing }) => rows_failing > 0)
    .map((rule) => ({
      key: ruleKey(rule),
      rows: rule.rows_failing,
      rule,
      text: textOf(rule),
      name: nameOf(rules, rule)
    }))
    .sort((left, right) => right.rows - left.rows)

/** The number of running rows that fail a rule. */
export const failingRows = (rows: ReadonlyArray<ShortRow>): number =>
  rows.filter(({ failing, annotation }) => failing.length > 0 && annotation.type !== "exited")
    .length
