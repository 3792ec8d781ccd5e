/**
 * A step that would settle failing rules, and a remedy: a smallest set of steps that makes a row compliant.
 *
 * Vocabulary, and what a step changes in the facts. `PolicyRemedy` finds remedies, `VerdictText` prints them.
 */

import { WaivedRule } from "@attestry/core/ActiveWaiver"
import * as AttestationTypePattern from "@attestry/core/AttestationTypePattern"
import { type Moment, TIMELESS } from "@attestry/core/Moment"
import type { AttestationFact, Facts, FlowView } from "@attestry/core/PolicyFacts"
import { toSeconds } from "@attestry/core/Timestamp"
import * as Schema from "effect/Schema"
import * as EvidenceCommand from "./EvidenceCommand.js"
import * as WaiverCommand from "./internal/WaiverCommand.js"

/** A rule that a step settles; `rule_index` counts as in reasons, and is null for a policy that cannot be evaluated. */
export const SettledRule = Schema.Struct({
  policy_name: Schema.String,
  rule_index: Schema.NullOr(Schema.Int)
}).annotations({ identifier: "SettledRule" })
/** A rule that a step settles. */
export type SettledRule = typeof SettledRule.Type

const settles = Schema.Array(SettledRule)

const place = { flow_name: Schema.String, trail_name: Schema.String }

/** The command that reports the evidence once its placeholders are replaced; a step that waits has none. */
const command = Schema.optionalWith(Schema.String, { exact: true })

/** Evidence that is missing (`attest`, `wait`), too old (`renew`) or whose latest result fails (`fix`). */
export const EvidenceStep = Schema.Struct({
  do: Schema.Literal("attest", "fix", "wait", "renew"),
  ...place,
  attestation_name: Schema.String,
  attestation_type: Schema.String,
  level: Schema.Literal("artifact", "trail"),
  /** How long after the artifact it usually arrives, in nine trails of ten; absent where that is not known. */
  usually_after_seconds: Schema.optionalWith(Schema.Number, { exact: true }),
  /** How long ago the artifact was reported; only with the former. */
  passed_seconds: Schema.optionalWith(Schema.Number, { exact: true }),
  command,
  settles
})
/** Evidence that is missing or that fails. */
export type EvidenceStep = typeof EvidenceStep.Type

/** A decision about a control. */
export const DecideStep = Schema.Struct({
  do: Schema.Literal("decide"),
  ...place,
  attestation_name: Schema.String,
  attestation_type: Schema.Literal("decision"),
  level: Schema.Literal("artifact"),
  for_control: Schema.String,
  command,
  settles
})
/** A decision about a control. */
export type DecideStep = typeof DecideStep.Type

/** The missing parts of a trail by its template, where the facts do not list them. */
export const CompleteStep = Schema.Struct({ do: Schema.Literal("complete"), ...place, settles })
/** Whatever the template still asks of a trail. */
export type CompleteStep = typeof CompleteStep.Type

/** A report of the artifact to a flow. */
export const ReportStep = Schema.Struct({
  do: Schema.Literal("report"),
  flow_name: Schema.String,
  /** Only where the flow knows the artifact, and its newest record is too old: the trail of that record. */
  trail_name: Schema.optionalWith(Schema.String, { exact: true }),
  settles
})
/** A report of the artifact to a flow. */
export type ReportStep = typeof ReportStep.Type

/** A valid version of a policy whose stored one cannot be evaluated. */
export const SaveStep = Schema.Struct({
  do: Schema.Literal("save_policy"),
  policy_name: Schema.String,
  settles
})
/** A valid version of a policy. */
export type SaveStep = typeof SaveStep.Type

/** A waiver of a rule for this artifact in an environment; the settings of the org say who approves it. */
export const WaiveStep = Schema.Struct({
  do: Schema.Literal("waive"),
  policy_name: Schema.String,
  rule: WaivedRule,
  environment_name: Schema.String,
  fingerprint: Schema.String,
  command,
  settles
})
/** A waiver of a rule for this artifact in an environment. */
export type WaiveStep = typeof WaiveStep.Type

/** An entry of the allow-list of an environment. */
export const AllowStep = Schema.Struct({
  do: Schema.Literal("allow"),
  environment_name: Schema.String,
  fingerprint: Schema.String
})
/** An entry of the allow-list of an environment. */
export type AllowStep = typeof AllowStep.Type

/** One change that settles failing rules. */
export const Step = Schema.Union(
  EvidenceStep,
  DecideStep,
  CompleteStep,
  ReportStep,
  SaveStep,
  WaiveStep,
  AllowStep
).annotations({ identifier: "RemedyStep" })
/** One change that settles failing rules. */
export type Step = typeof Step.Type

/** A smallest set of steps that makes a row compliant. */
export const Remedy = Schema.Struct({
  /** The sum of the weights of its steps. */
  cost: Schema.Number,
  /** What it changes: evidence, also a policy, waivers alone, or the allow-list alone. */
  kind: Schema.Literal("evidence", "policy", "waiver", "allow_list"),
  /** Whether the search was whole; otherwise a smaller remedy may exist that is not listed. */
  complete: Schema.Boolean,
  steps: Schema.NonEmptyArray(Step)
}).annotations({ identifier: "Remedy" })
/** A smallest set of steps that makes a row compliant. */
export type Remedy = typeof Remedy.Type

/** The cost of a step, by its kind. */
export type Weights = { readonly [Do in Step["do"]]: number }

/** The weights unless others are given. */
export const WEIGHTS: Weights = {
  wait: 1,
  attest: 2,
  renew: 2,
  decide: 3,
  report: 3,
  complete: 4,
  fix: 5,
  waive: 8,
  allow: 10,
  save_policy: 20
}

/** A text that identifies a step by its action, regardless of the rules that it settles. */
export const textOf = (step: Step): string => {
  switch (step.do) {
    case "attest":
    case "fix":
    case "renew":
    case "wait":
      return `evidence ${step.flow_name} ${step.attestation_name} ${step.attestation_type} ${step.level}`
    case "decide":
      return `decide ${step.flow_name} ${step.attestation_name} ${step.for_control}`
    case "complete":
    case "report":
      return `${step.do} ${step.flow_name}`
    case "save_policy":
      return `${step.do} ${step.policy_name}`
    case "waive":
      return `${step.do} ${step.policy_name} ${JSON.stringify(step.rule)}`
    case "allow":
      return `${step.do} ${step.environment_name} ${step.fingerprint}`
  }
}

/** A step with the command that reports its evidence, about an artifact or its trail, or requests its waiver. */
export const withCommand = (step: Step, { fingerprint }: Facts["artifact"]): Step => {
  if (step.do === "waive") return { ...step, command: WaiverCommand.lineOf(step) }
  if (!("attestation_name" in step) || step.do === "wait") return step
  const missing = {
    flow: step.flow_name,
    trail: step.trail_name,
    name: step.attestation_name,
    type: step.attestation_type,
    fingerprint: step.level === "trail" || fingerprint === "" ? undefined : fingerprint,
    control: step.do === "decide" ? step.for_control : undefined
  }
  return { ...step, command: EvidenceCommand.lineOf(missing) }
}

/** When steps are carried out, in the fields of facts; nothing without a moment. */
export const reportedAt = ({ now }: Moment): Pick<FlowView, "reported_at"> =>
  now === TIMELESS.now ? {} : { reported_at: toSeconds(now) }

/** The passing attestation that a step brings to its flow; undefined where it brings none. */
const broughtBy = (step: Step, sequence: number, moment: Moment): AttestationFact | undefined => {
  if (!("attestation_name" in step)) return undefined
  return {
    sequence,
    name: step.attestation_name,
    type: step.attestation_type,
    is_compliant: true,
    level: step.level,
    control: step.do === "decide" ? step.for_control : null,
    ...reportedAt(moment)
  }
}

/** Whether an attestation settles an entry of a template. */
export const settlesEntry = (
  { level, name, type }: Pick<AttestationFact, "level" | "name" | "type">,
  entry: NonNullable<FlowView["entries"]>[number]
): boolean =>
  level === entry.level &&
  name === entry.attestation_name &&
  (entry.any_type_but === undefined
    ? AttestationTypePattern.matches(AttestationTypePattern.fromWire(entry.attestation_type), type)
    : !entry.any_type_but.includes(type))

/** A view after the steps of its flow. */
const applyTo = (
  known: FlowView,
  steps: ReadonlyArray<Step>,
  { from, moment }: { readonly from: number; readonly moment: Moment }
): FlowView => {
  if (steps.length === 0) return known
  const isReported = steps.some((step) => step.do === "report")
  const view = isReported ? { ...known, ...reportedAt(moment) } : known
  const facts = steps.flatMap((step, index) => broughtBy(step, from + index + 1, moment) ?? [])
  const attestations = facts.length === 0 ? view.attestations : [...view.attestations, ...facts]
  if (steps.some((step) => step.do === "complete"))
    return { ...view, attestations, artifact_status: "COMPLIANT", entries: [] }
  if (view.entries === undefined) return { ...view, attestations }
  const entries = view.entries.filter((entry) => !facts.some((fact) => settlesEntry(fact, entry)))
  const isDone = entries.length === 0 && view.entries.length > 0
  const artifact_status = isDone ? "COMPLIANT" : view.artifact_status
  return { ...view, attestations, entries, artifact_status }
}

/** The steps in trails, by flow. */
const byFlow = (steps: ReadonlyArray<Step>): ReadonlyMap<string, ReadonlyArray<Step>> => {
  const groups = new Map<string, Array<Step>>()
  for (const step of steps)
    if ("trail_name" in step && step.trail_name !== undefined) {
      const group = groups.get(step.flow_name)
      if (group === undefined) groups.set(step.flow_name, [step])
      else group.push(step)
    }
  return groups
}

const latestOf = (flows: ReadonlyArray<FlowView>): number => {
  let latest = 0
  for (const { attestations } of flows)
    for (const { sequence } of attestations) if (sequence > latest) latest = sequence
  return latest
}

/** The views of flows that the artifact is reported to and that do not know it yet. */
const reportedBy = (
  steps: ReadonlyArray<Step>,
  { flows }: Facts,
  { moment = TIMELESS, reportable = [] }: StepContext
): ReadonlyArray<FlowView> => {
  if (reportable.length === 0) return []
  const reported = new Set(steps.flatMap((step) => (step.do === "report" ? [step.flow_name] : [])))
  return reportable
    .filter(
      ({ flow_name }) =>
        reported.has(flow_name) && flows.every((known) => known.flow_name !== flow_name)
    )
    .map((view) => ({ ...view, ...reportedAt(moment) }))
}

/** Where and when steps are carried out. */
export interface StepContext {
  /** The views that flows would have of an artifact that they do not know, once it is reported to them. */
  readonly reportable?: ReadonlyArray<FlowView>
  /** The moment at which everything is reported; without one, evidence stays too old for any `max_age`. */
  readonly moment?: Moment
}

/** The facts after some steps, whose results all pass. Steps about policies, waivers and allow-lists change no fact. */
export const apply = (
  facts: Facts,
  steps: ReadonlyArray<Step>,
  context: StepContext = {}
): Facts => {
  const { moment = TIMELESS } = context
  const groups = byFlow(steps)
  const flows = [...facts.flows, ...reportedBy(steps, facts, context)]
  const carried = { from: latestOf(flows), moment }
  return {
    artifact: facts.artifact,
    flows: flows.map((view) => applyTo(view, groups.get(view.flow_name) ?? [], carried))
  }
}

/** An earlier artifact of the same slot that is compliant now. */
export const PreviousCompliant = Schema.Struct({
  fingerprint: Schema.String,
  name: Schema.String,
  git_commit: Schema.NullOr(Schema.String),
  /** Where and when it last ran; `to` is null while it runs, null where it never ran. */
  last_ran: Schema.NullOr(
    Schema.Struct({
      environment: Schema.String,
      from: Schema.Number,
      to: Schema.NullOr(Schema.Number)
    })
  )
}).annotations({ identifier: "PreviousCompliant" })
/** An earlier artifact of the same slot that is compliant now. */
export type PreviousCompliant = typeof PreviousCompliant.Type
