/**
 * A verdict as a short text for people: in job output, on terminals, in Slack.
 *
 * The verdict comes first, then each policy, then what would make it compliant. Programs read the decisions,
 * not this text.
 */
import type { PolicyDecision } from "./PolicyDecision.js"
import type { PolicyEvaluation } from "./PolicyEvaluation.js"
import type { Facts } from "./PolicyFacts.js"
import type { PolicyReason } from "./PolicyReason.js"

/** The values to explain: an artifact, its decisions, and the reasons. */
export interface Explained {
  readonly artifact: Facts["artifact"]
  readonly evaluation: PolicyEvaluation
  readonly reasons: ReadonlyArray<PolicyReason>
}

const count = (number: number, noun: string): string =>
  `${number} ${number === 1 ? noun : noun.replace(/y$/, "ie").concat("s")}`

const headline = ({ artifact, evaluation }: Explained): string => {
  const { policy_decisions, verdict } = evaluation
  const refusals = policy_decisions.filter(({ status }) => status !== "COMPLIANT").length
  const total = count(policy_decisions.length, "policy")
  switch (verdict) {
    case "Unknown":
      return `\`${artifact.name}\` is neither compliant nor not: no policy asks anything of it`
    case "Compliant":
      return `\`${artifact.name}\` is compliant with ${total}`
    case "NonCompliant":
      return `\`${artifact.name}\` is not compliant: ${refusals} of ${total} ${refusals === 1 ? "says" : "say"} no`
  }
}

const rules = ({ rule_evaluations }: PolicyDecision): string => {
  const holding = rule_evaluations.filter(({ satisfied }) => satisfied === true).length
  const failing = rule_evaluations.filter(({ satisfied }) => satisfied === false).length
  const ignored = rule_evaluations.length - holding - failing
  const parts = [
    ...(failing === 0 ? [] : [`${count(failing, "rule")} failing`]),
    `${holding} holding`,
    `${ignored} not applicable`
  ]
  return parts.join(", ")
}

/** Explains a verdict: one line for it, one for each policy, one for each reason. */
export const render = (explained: Explained): string =>
  [
    headline(explained),
    ...explained.evaluation.policy_decisions.flatMap((decision) => [
      `  ${decision.policy_name}, version ${decision.policy_version}: ${decision.status} (${rules(decision)})`,
      ...explained.reasons
        .filter(
          ({ policy_name, policy_version }) =>
            policy_name === decision.policy_name && policy_version === decision.policy_version
        )
        .map(({ description }) => `    - ${description}`)
    ])
  ].join("\n")
