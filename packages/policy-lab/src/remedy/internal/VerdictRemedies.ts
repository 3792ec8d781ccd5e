/** Remedies in words: one entry each, one line for each step. */
import type { EvidenceStep, PreviousCompliant, Remedy, Step, WaiveStep } from "../RemedyStep.js"
import { span } from "./VerdictWords.js"

/** What is said about a row. */
export interface SaidRemedies {
  readonly remedies: ReadonlyArray<Remedy>
  readonly previous: PreviousCompliant | null
  /** Where it would run; null when no environment was asked about. */
  readonly environment: string | null
  /** Whether steps name their trail, because there are several. */
  readonly isPlaced: boolean
  readonly now: number
}

const SHORT = 7

const placeOf = (
  step: Extract<Step, { readonly trail_name: string }>,
  isPlaced: boolean
): string => (isPlaced ? ` in trail ${step.trail_name} of flow ${step.flow_name}` : "")

const usual = (step: EvidenceStep): string => {
  const { passed_seconds, usually_after_seconds } = step
  if (usually_after_seconds === undefined) return ""
  const passed =
    passed_seconds === undefined
      ? ""
      : `; ${span(passed_seconds)} ${/^1 /.test(span(passed_seconds)) ? "has" : "have"} passed`
  const when = usually_after_seconds < 1 ? "with" : `${span(usually_after_seconds)} after`
  return ` (usually arrives ${when} the artifact${passed})`
}

const evidence = (step: EvidenceStep, isPlaced: boolean): string => {
  const target = step.level === "trail" ? " for the trail" : ""
  const what = `\`${step.attestation_name}\` of type \`${step.attestation_type}\`${target}${placeOf(step, isPlaced)}`
  switch (step.do) {
    case "attest":
      return `report ${what}${usual(step)}`
    case "wait":
      return `wait for ${what}${usual(step)}`
    case "renew":
      return `report a new ${what}: the latest is too old`
    case "fix":
      return `report ${what} again once it passes, or override it`
  }
}

/** The rule that a waiver names. */
const sayRule = ({ attestation_name, attestation_type, for_control, type }: WaiveStep["rule"]) => {
  if (type !== "attestation") return `the rule about ${type}`
  const control = for_control === undefined ? "" : ` about control \`${for_control}\``
  return `the rule about \`${attestation_name ?? "*"}\` of type \`${attestation_type ?? "*"}\`${control}`
}

/** What a step asks people to do. */
export const sayStep = (step: Step, isPlaced: boolean): string => {
  const place = (placed: Parameters<typeof placeOf>[0]) => placeOf(placed, isPlaced)
  switch (step.do) {
    case "attest":
    case "fix":
    case "renew":
    case "wait":
      return evidence(step, isPlaced)
    case "decide":
      return `record a decision \`${step.attestation_name}\` about control \`${step.for_control}\`${place(step)}`
    case "complete":
      return `report what trail ${step.trail_name} of flow ${step.flow_name} still misses`
    case "report":
      return step.trail_name === undefined
        ? `report the artifact to flow ${step.flow_name}`
        : `report the artifact again, from a new build, in trail ${step.trail_name} of flow ${step.flow_name}`
    case "save_policy":
      return `save a valid version of policy ${step.policy_name}`
    case "waive":
      return (
        `request a waiver of ${sayRule(step.rule)} of policy ${step.policy_name} ` +
        `in ${step.environment_name}; it needs approval and ends`
      )
    case "allow":
      return `allow ${step.fingerprint.slice(0, SHORT)}… in ${step.environment_name}: every rule, until removed`
  }
}

const ranText = (
  { last_ran }: PreviousCompliant,
  { environment, now }: Pick<SaidRemedies, "environment" | "now">
): string => {
  if (last_ran === null) return "it has never run"
  const where = last_ran.environment === environment ? "here" : `in ${last_ran.environment}`
  return last_ran.to === null
    ? `it has run ${where} for ${span(now - last_ran.from)}`
    : `it ran ${where} until ${span(now - last_ran.to)} ago`
}

const sayPrevious = (previous: PreviousCompliant, said: SaidRemedies): string =>
  `run ${previous.name} (${previous.fingerprint.slice(0, SHORT)}…) instead: compliant now, ${ranText(previous, said)}`

const sayRemedy = ({ complete, steps }: Remedy, isPlaced: boolean): ReadonlyArray<string> => [
  ...steps.flatMap((step, index) => [
    `${index === 0 ? "" : "and "}${sayStep(step, isPlaced)}`,
    ...("command" in step && step.command !== undefined ? [`  ${step.command}`] : [])
  ]),
  ...(complete ? [] : ["(the search was cut short: there may be a smaller way)"])
]

/** Every remedy, and the earlier artifact after those that mend this one. */
export const sayRemedies = (said: SaidRemedies): ReadonlyArray<ReadonlyArray<string>> => {
  const { isPlaced, previous, remedies } = said
  const isException = ({ kind }: Remedy): boolean => kind === "waiver" || kind === "allow_list"
  const mending = remedies.filter((remedy) => !isException(remedy))
  const exceptions = remedies.filter(isException)
  return [
    ...mending.map((remedy) => sayRemedy(remedy, isPlaced)),
    ...(previous === null ? [] : [[sayPrevious(previous, said)]]),
    ...exceptions.map((remedy) => sayRemedy(remedy, isPlaced))
  ]
}
