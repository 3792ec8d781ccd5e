/**
 * The answer of a gate as text for people: the artifact, the rules that fail, and the remedies.
 *
 * Programs read the answer, not this text. Every line has a golden file in `test/remedy/gate`.
 */
import type { FlowReason } from "@attestry/core/ComplianceStatus"
import * as MaxAge from "@attestry/core/MaxAge"
import {
  isFailure,
  type PolicyDecision,
  type Resolution,
  type Rule,
  ruleNumbers
} from "@attestry/core/PolicyDecision"
import type { Facts } from "@attestry/core/PolicyFacts"
import { sayRemedies } from "./internal/VerdictRemedies.js"
import { plural, type Table, tableLines } from "./internal/VerdictWords.js"
import type { PreviousCompliant, Remedy } from "./RemedyStep.js"

/** One flow that knows the artifact. */
export interface GatedFlow {
  readonly flow_name: string
  readonly trail_name: string
  readonly git_commit: string | null
  readonly status: string
  readonly reasons: ReadonlyArray<FlowReason>
}

/** The answer of a gate. */
export interface Gate {
  readonly artifact: Facts["artifact"]
  /** Where it would run; null when no environment was asked about. */
  readonly environment: string | null
  readonly compliant: boolean
  /** The primary flow first. */
  readonly flows: ReadonlyArray<GatedFlow>
  /** Of enforced and of warning policies; empty if the flows decide. */
  readonly decisions: ReadonlyArray<PolicyDecision>
  readonly remedies: ReadonlyArray<Remedy>
  readonly previous: PreviousCompliant | null
  /** The instant of the answer, in UNIX seconds. */
  readonly now: number
}

const SHORT = 7

const headline = ({ artifact, compliant, environment }: Gate): string => {
  const word = compliant ? "ok" : "error"
  if (environment === null)
    return `${word}: ${artifact.name} is ${compliant ? "compliant" : "not compliant"}`
  return `${word}: ${artifact.name} ${compliant ? "may" : "may not"} run in ${environment}`
}

const originLine = ({ artifact, flows }: Gate): string => {
  const digest = artifact.fingerprint === "" ? "" : `${artifact.fingerprint.slice(0, SHORT)}…, `
  const [primary] = flows
  if (primary === undefined) return `  ${digest}no flow knows it`
  const commit =
    primary.git_commit === null ? "" : ` from commit ${primary.git_commit.slice(0, SHORT)}`
  const more = flows.length === 1 ? "" : `, known to ${plural(flows.length - 1, "other flow")}`
  return `  ${digest}built by flow ${primary.flow_name} in trail ${primary.trail_name}${commit}${more}`
}

const ageText = ({ max_age_seconds }: Rule["definition"]): string =>
  max_age_seconds === undefined ? "" : `, at most ${MaxAge.describe(max_age_seconds)} old`

const askedText = ({
  must_be_verified,
  where
}: Extract<Rule, { readonly type: "attestation" }>["definition"]): string =>
  `${must_be_verified === true ? ", verified" : ""}${
    where === undefined ? "" : `, where ${where.text}`
  }`

const wanted = ({ definition, type }: Rule): string => {
  const age = `${"name" in definition ? askedText(definition) : ""}${ageText(definition)}`
  if (!("name" in definition))
    return type === "provenance" ? `provenance${age}` : "compliance in the trail"
  const { for_control, name, type: kind } = definition
  const named = name === "*" ? "" : ` \`${name}\``
  if (for_control !== null) return `decision${named} about control \`${for_control}\`${age}`
  return kind === "*"
    ? `attestation${named}${age}`
    : `attestation${named} of type \`${kind}\`${age}`
}

const foundText = ({ definition }: Rule, { context, type }: Resolution): string => {
  const { artifact_status, flow_name, trail_name } = context
  if (flow_name === null) return "no flow knows the artifact"
  const place = `trail ${trail_name} of flow ${flow_name}`
  if (type === "non_compliant_in_trail") return `${artifact_status} in ${place}`
  if (type === "provenance_expired") return `the newest record in ${place} is too old`
  if (type === "evidence_expired")
    return "name" in definition && definition.for_control !== null
      ? "the latest is too old"
      : `the latest in ${place} is too old`
  if (type === "unverified_attestation" || type === "unmet_facts") {
    const problem = type === "unmet_facts" ? "does not have these facts" : "is not verified"
    return "name" in definition && definition.for_control !== null
      ? `the latest ${problem}`
      : `the latest in ${place} ${problem}`
  }
  if ("name" in definition && definition.for_control !== null)
    return type === "missing_attestation" ? "none in any flow" : "the latest is not compliant"
  return type === "missing_attestation" ? `none in ${place}` : `the latest in ${place} fails`
}

const isFailing = ({ type }: Resolution): boolean => isFailure(type)

/** A decision about a control fails in all flows at once, and is printed once. */
const failuresOf = (
  rule: Rule,
  resolutions: ReadonlyArray<Resolution>
): ReadonlyArray<Resolution> => {
  const failing = resolutions.filter(isFailing)
  const isControl = "name" in rule.definition && rule.definition.for_control !== null
  return isControl ? failing.slice(0, 1) : failing
}

const policyLines = (decision: PolicyDecision): ReadonlyArray<string> => {
  const { policy_name, policy_version, rule_evaluations } = decision
  const title = `${policy_name}, version ${policy_version}`
  if (rule_evaluations.length === 0) return [`  ${title}: cannot be evaluated`]
  const failing = rule_evaluations.filter(({ satisfied }) => satisfied === false).length
  const numbers = ruleNumbers(rule_evaluations)
  const demanded = numbers.filter((number) => number !== null).length
  const table: Table = rule_evaluations.flatMap(({ resolutions, rule }, index) =>
    failuresOf(rule, resolutions).map((resolution) => [
      `rule ${numbers[index]}`,
      wanted(rule),
      foundText(rule, resolution)
    ])
  )
  const verb = failing === 1 ? "fails" : "fail"
  return [
    `  ${title}: ${failing} of ${plural(demanded, "rule")} ${verb}`,
    ...tableLines(table, "    ")
  ]
}

/** The reasons of the flows themselves, where no policy decided. */
const flowLines = ({ decisions, flows }: Gate): ReadonlyArray<string> =>
  decisions.length > 0
    ? []
    : flows
        .filter(({ status }) => status !== "COMPLIANT")
        .flatMap(({ flow_name, reasons, status, trail_name }) => [
          "",
          `  flow ${flow_name}: ${status} in trail ${trail_name}`,
          ...tableLines(
            reasons.map(({ attestation_name, attestation_type, level, type }) => [
              type === "missing_attestation" ? "missing" : "fails",
              `attestation \`${attestation_name}\` of type \`${attestation_type}\``,
              level === "trail" ? "for the trail" : "for the artifact"
            ]),
            "    "
          )
        ])

const fails = ({ status }: PolicyDecision): boolean => status !== "COMPLIANT"

const refusals = ({ decisions }: Gate): ReadonlyArray<string> =>
  decisions
    .filter((decision) => decision.mode !== "warn" && fails(decision))
    .flatMap((decision) => ["", ...policyLines(decision)])

const warnings = ({ decisions }: Gate): ReadonlyArray<string> => {
  const warning = decisions.filter((decision) => decision.mode === "warn" && fails(decision))
  return warning.length === 0
    ? []
    : [
        "",
        "warning: these policies are on trial and refuse nothing yet",
        ...warning.flatMap((decision) => policyLines(decision))
      ]
}

/** The answer as lines without line ends. */
export const lines = (gate: Gate): ReadonlyArray<string> =>
  gate.compliant
    ? [headline(gate), originLine(gate), ...warnings(gate)]
    : [
        headline(gate),
        originLine(gate),
        ...refusals(gate),
        ...flowLines(gate),
        ...remedyLines(gate),
        ...warnings(gate)
      ]

/** What would make it compliant, as lines; none without a remedy. */
export const remedyLines = (
  gate: Pick<Gate, "compliant" | "environment" | "flows" | "now" | "previous" | "remedies">
): ReadonlyArray<string> => {
  if (gate.compliant) return []
  const said = [
    ...sayRemedies({
      remedies: gate.remedies,
      previous: gate.previous,
      environment: gate.environment,
      isPlaced: gate.flows.length > 1,
      now: gate.now
    })
  ]
  const isReported = gate.remedies.some(({ steps }) => steps.some((step) => step.do === "report"))
  if (gate.flows.length === 0 && !isReported)
    said.unshift(["report it to the flow that builds it, and then what that flow still misses"])
  return said.length === 0
    ? []
    : [
        "",
        "  to make it compliant, smallest first",
        ...said.flatMap((entry, index) =>
          entry.map((line, at) =>
            at === 0 ? `${String(index + 1).padStart(5)}  ${line}` : `       ${line}`
          )
        )
      ]
}

/** The answer as text. */
export const render = (gate: Gate): string => `${lines(gate).join("\n")}\n`
