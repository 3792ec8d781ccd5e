/** The result of a gate: yes or no, with the reasons for a no. */
import * as EvidenceCommand from "@attestry/policy-lab/EvidenceCommand"
import type { Fields } from "../shared/Json.js"

/** The position of a rule in its document. */
export interface RulePosition {
  /** The file of the repository that has the same text; null if there is none. */
  readonly file: string | null
  readonly line: number
  readonly column: number
  /** The text of the line. */
  readonly text: string
}

/** A reason for a no. */
export interface Reason {
  readonly type: string
  readonly policy_name: string | null
  readonly policy_version: number | null
  readonly rule_index: number | null
  /** The path of the rule in the document: `artifacts.attestations[0]`. */
  readonly rule: string | null
  /**
   * The number of the rule for people: counted from 1 in the order of the text; null if the answer does not list the
   * rule.
   */
  readonly rule_number: number | null
  readonly flow_name: string | null
  readonly trail_name: string | null
  readonly attestation_name: string | null
  readonly attestation_type: string | null
  readonly description: string
  /** The evidence that the trail has, each with type and outcome. */
  readonly found: ReadonlyArray<string>
  readonly position: RulePosition | null
  /** The command that reports the missing evidence. */
  readonly command: ReadonlyArray<string> | null
}

/** The result of an assertion. */
export interface Assertion {
  readonly schema: "attestry.cli/assertion/v1"
  readonly compliant: boolean
  readonly scope: "flow" | "environment" | "policy" | "snapshot" | "trail"
  readonly environment: string | null
  readonly subject: { readonly name: string; readonly fingerprint: string | null }
  readonly reasons: ReadonlyArray<Reason>
  readonly url: string | null
  /** When a yes ends by time alone, in epoch seconds; absent without an end. */
  readonly expires_at?: number
  /** The answer of the API, unchanged. */
  readonly answer: Fields
}

/** The path of the rule with an index in a policy: provenance, trail compliance, then the attestations. */
export const ruleOf = (index: number | null): string | null => {
  if (index === null) return null
  if (index === 0) return "artifacts.provenance"
  return index === 1 ? "artifacts.trail-compliance" : `artifacts.attestations[${index - 2}]`
}

/** The evidence that a reason requires, and the artifact if it is known. */
interface WantedEvidence
  extends Pick<
    Reason,
    "type" | "flow_name" | "trail_name" | "attestation_name" | "attestation_type"
  > {
  readonly fingerprint: string | null
  readonly control: string | null
}

/** A default name for evidence of any name: its type. */
const freshName = (type: string): string =>
  (type === "*" ? "evidence" : type.split(":").at(-1)) ?? type

/**
 * The command that reports missing evidence, with placeholders that the command itself refuses; null if the reason
 * lacks the flow, the trail or the type.
 */
export const commandOf = (wanted: WantedEvidence): ReadonlyArray<string> | null => {
  const {
    attestation_name: name,
    attestation_type: type,
    flow_name: flow,
    trail_name: trail
  } = wanted
  if (wanted.type !== "missing_attestation" || type === null) return null
  if (flow === null || trail === null) return null
  return EvidenceCommand.wordsOf({
    flow,
    trail,
    type,
    name: name === null || name === "*" ? freshName(type) : name,
    fingerprint: wanted.fingerprint ?? undefined,
    control: wanted.control ?? undefined
  })
}
