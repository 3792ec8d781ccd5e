/** The rules that a waiver names, in words. */
import type { Waiver } from "../shared/Contract.js"

/** The rules that a waiver names, in a few words. */
export const ruleText = (rule: Waiver["rule"]): string => {
  if (rule === null) return "every rule"
  if (rule.type === "provenance") return "provenance"
  if (rule.type === "trail-compliance") return "compliant trail"
  const { attestation_name = "*", attestation_type = "*", for_control } = rule
  const name = attestation_name === "*" ? "any" : attestation_name
  if (for_control !== undefined) return `decision for ${for_control}`
  return attestation_type === "*" ? name : `${name} (${attestation_type})`
}
