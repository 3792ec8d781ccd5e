/**
 * The laws that `policy.yaml` must satisfy for every artifact. Each law is a function of one evaluated row;
 * `policyTest` generates the rows from the names in the policy.
 */
import type { Law } from "@attestry/policy-lab/testing/PolicyTestKit"

/** The laws by their statements. */
export const laws: { readonly [sentence: string]: Law } = {
  "nothing of unknown origin is allowed, except what a vendor ships": ({ facts, verdict }) =>
    verdict !== "Compliant" || facts.flows.length > 0 || facts.artifact.name.startsWith("vendor/"),

  "risky software needs a passing decision about CTL-7": ({ facts, verdict }) => {
    const risky = facts.flows.filter(({ tags }) => tags.risk === "high")
    const decisions = risky
      .flatMap(({ attestations }) => attestations)
      .filter(({ type, control }) => type === "decision" && control === "CTL-7")
    return (
      verdict !== "Compliant" || risky.length === 0 || decisions.some((one) => one.is_compliant)
    )
  },

  "every refusal has a reason with a remedy": ({ reasons, verdict }) =>
    verdict === "Compliant"
      ? reasons.length === 0
      : reasons.length > 0 && reasons.every(({ description }) => description.includes(": "))
}
