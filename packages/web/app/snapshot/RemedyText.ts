/** The steps of a remedy in words, as in the text of an assertion. Pure. */
import type { PreviousCompliant, Remedy } from "../shared/Contract.js"
import * as TimeText from "../shared/TimeText.js"

type Step = Remedy["steps"][number]
type EvidenceStep = Extract<Step, { readonly do: "attest" | "fix" | "wait" | "renew" }>

const usual = ({ usually_after_seconds }: EvidenceStep): string =>
  usually_after_seconds === undefined
    ? ""
    : usually_after_seconds < 1
      ? " (usually arrives with the artifact)"
      : ` (usually arrives ${TimeText.duration(usually_after_seconds * 1_000)} after the artifact)`

const evidence = (step: EvidenceStep): string => {
  const target = step.level === "trail" ? "for trail" : "in trail"
  const place = `${target} \`${step.trail_name}\` of flow \`${step.flow_name}\``
  const what = `\`${step.attestation_name}\` of type \`${step.attestation_type}\` ${place}`
  if (step.do === "renew") return `Report a new ${what}: the latest is too old`
  if (step.do === "fix") return `Report ${what} again once it passes, or override it`
  return `${step.do === "wait" ? "Wait for" : "Report"} ${what}${usual(step)}`
}

/** The instruction for a step; names are in backticks. */
export const sayStep = (step: Step): string => {
  switch (step.do) {
    case "attest":
    case "fix":
    case "renew":
    case "wait":
      return evidence(step)
    case "decide":
      return (
        `Record a decision \`${step.attestation_name}\` about control \`${step.for_control}\` ` +
        `in trail \`${step.trail_name}\` of flow \`${step.flow_name}\``
      )
    case "complete":
      return `Report what trail \`${step.trail_name}\` of flow \`${step.flow_name}\` still misses`
    case "report":
      return step.trail_name === undefined
        ? `Report the artifact to flow \`${step.flow_name}\``
        : `Report the artifact again, from a new build, in trail \`${step.trail_name}\` of flow \`${step.flow_name}\``
    case "save_policy":
      return `Save a valid version of policy \`${step.policy_name}\``
    case "waive":
      return (
        `Request a waiver of the rule about \`${step.rule.attestation_name ?? step.rule.type}\` ` +
        `of policy \`${step.policy_name}\`: it needs approval and ends`
      )
    case "allow":
      return `Allow it in \`${step.environment_name}\`: every rule, until removed`
  }
}

/** When an earlier artifact last ran. */
export const sayRan = ({ last_ran }: PreviousCompliant, nowMs: number): string => {
  if (last_ran === null) return "it has never run"
  return last_ran.to === null
    ? `it runs in ${last_ran.environment}`
    : `it ran in ${last_ran.environment} until ${TimeText.duration(nowMs - last_ran.to * 1_000)} ago`
}
