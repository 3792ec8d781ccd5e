/** Requirements and their states in words. Pure. */
import type { ReleaseRequirement } from "../shared/Contract.js"
import type { Verdict } from "../shared/Verdict.js"

const KINDS = {
  attestation: "attestation",
  provenance: "provenance",
  "trail-compliance": "compliant trail"
}

/** The name of a requirement. */
export const requirementText = ({
  kind,
  level,
  name,
  type
}: Pick<ReleaseRequirement, "kind" | "level" | "name" | "type">): string => {
  if (name === null) return KINDS[kind]
  const words = name === "*" ? "any name" : name
  return level === "trail" ? `${words} (${type ?? ""}, trail)` : `${words} (${type ?? ""})`
}

/** The mark of a state. */
export const markOf = (state: string): Verdict => {
  switch (state) {
    case "met":
      return "compliant"
    case "overridden":
    case "waived":
      return "allowed"
    case "failed":
      return "non-compliant"
    default:
      return "missing"
  }
}
