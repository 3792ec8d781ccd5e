/**
 * The decisions about a row in the form of a snapshot: the result of each rule in each flow.
 *
 * Rules are in the policy version and flows in the row, and neither is repeated here, so that rows with equal
 * results share one decision. A flow is shown under its current name.
 */
import * as Schema from "effect/Schema"
import type { Status } from "../compliance/ComplianceStatus.js"
import type { PolicyDump } from "../policy/AppliedPolicy.js"
import * as PolicyDecision from "../policy/PolicyDecision.js"
import * as PolicyEvaluation from "../policy/PolicyEvaluation.js"
import * as PolicyMode from "../policy/PolicyMode.js"
import * as PolicyReason from "../policy/PolicyReason.js"
import type { Verdict } from "../shared/Verdict.js"

/** The part of a result's context that neither the rule nor the flow tells. */
const ResultContext = Schema.Struct({
  /** The position of the rule among those of the version, and of the flow among those of the row. */
  rule: Schema.Int,
  flow: Schema.Int,
  /** When the evidence became too old, in epoch seconds. */
  expired_at: Schema.optionalWith(Schema.Number, { exact: true }),
  /** The waiver, its end in epoch seconds, and the result without it. */
  waiver: Schema.optionalWith(Schema.Int, { exact: true }),
  expires_at: Schema.optionalWith(Schema.Number, { exact: true }),
  waived: Schema.optionalWith(PolicyDecision.ResolutionType, { exact: true })
})
type ResultContext = typeof ResultContext.Type

/** The decision of one version of a policy about a row. */
export const RowDecision = Schema.Struct({
  policy_id: Schema.String,
  policy_name: Schema.String,
  version: Schema.Int,
  status: PolicyDecision.PolicyStatus,
  /** For each rule, in order: its result in each flow; one result without provenance. */
  outcomes: Schema.Array(Schema.Array(PolicyDecision.ResolutionType)),
  /** The contexts of results that have one; absent where none has. */
  contexts: Schema.optionalWith(Schema.Array(ResultContext), { exact: true }),
  /** Only for a policy that warns. */
  ...PolicyMode.warningField
}).annotations({ identifier: "RowDecision" })
/** The decision of one version of a policy about a row. */
export type RowDecision = typeof RowDecision.Type

/** The fields of a flow view that decisions contain. */
export interface ShownView {
  readonly flow_name: string
  readonly trail_name: string
  readonly status: Status
}

const contextsOf = (
  evaluations: ReadonlyArray<PolicyDecision.RuleEvaluation>
): Pick<RowDecision, "contexts"> => {
  const contexts = evaluations.flatMap(({ resolutions }, rule) =>
    resolutions.flatMap(
      (
        { context: { expired_at, expires_at, waived, waiver } },
        flow
      ): ReadonlyArray<ResultContext> =>
        expired_at === undefined && waiver === undefined
          ? []
          : [
              {
                rule,
                flow,
                ...(expired_at === undefined ? {} : { expired_at }),
                ...(waiver === undefined ? {} : { waiver }),
                ...(expires_at === undefined ? {} : { expires_at }),
                ...(waived === undefined ? {} : { waived })
              }
            ]
    )
  )
  return contexts.length === 0 ? {} : { contexts }
}

/** The stored form of decisions; `idOf` returns the policy of the decision at a position. */
export const fromDecisions = (
  decisions: ReadonlyArray<PolicyDecision.PolicyDecision>,
  idOf: (name: string, index: number) => string
): ReadonlyArray<RowDecision> =>
  decisions.map(({ mode, policy_name, policy_version, rule_evaluations, status }, index) => ({
    policy_id: idOf(policy_name, index),
    policy_name,
    version: policy_version,
    status,
    outcomes: rule_evaluations.map(({ resolutions }) => resolutions.map(({ type }) => type)),
    ...contextsOf(rule_evaluations),
    ...PolicyMode.toField(mode)
  }))

const ageOf = (max_age_seconds: number | null | undefined) =>
  typeof max_age_seconds === "number" ? { max_age_seconds } : {}

const requirement = (
  type: "provenance" | "trail-compliance",
  { exceptions, max_age_seconds, required }: PolicyDump["artifacts"]["provenance"]
): PolicyDecision.Rule => ({
  type,
  definition: {
    required,
    exceptions: exceptions.map(({ if_condition }) => ({ if: if_condition })),
    ...ageOf(max_age_seconds)
  }
})

/** The rules of a version, in the order of evaluation. */
export const rulesOf = ({ artifacts }: PolicyDump): ReadonlyArray<PolicyDecision.Rule> => [
  requirement("provenance", artifacts.provenance),
  requirement("trail-compliance", artifacts.trail_compliance),
  ...artifacts.attestations.map(
    ({ if_condition, max_age_seconds, ...definition }): PolicyDecision.Rule => ({
      type: "attestation",
      definition: { ...definition, if: if_condition, ...ageOf(max_age_seconds) }
    })
  )
]

const contextOf = (
  rule: PolicyDecision.Rule,
  view: ShownView | undefined,
  stored: ResultContext | undefined
): PolicyDecision.ResolutionContext => {
  const { rule: _rule, flow: _flow, ...more } = stored ?? { rule: 0, flow: 0 }
  const context = {
    flow_name: view?.flow_name ?? null,
    trail_name: view?.trail_name ?? null,
    artifact_status: rule.type === "trail-compliance" ? (view?.status ?? null) : null
  }
  const control = rule.type === "attestation" ? rule.definition.for_control : null
  return { ...context, ...(control === null ? {} : { for_control: control }), ...more }
}

const evaluationOf = (
  rule: PolicyDecision.Rule,
  outcomes: ReadonlyArray<PolicyDecision.ResolutionType>,
  {
    views,
    contexts
  }: {
    readonly views: ReadonlyArray<ShownView>
    /** Those of the rule. */
    readonly contexts: ReadonlyArray<ResultContext>
  }
): PolicyDecision.RuleEvaluation => {
  const ignored = outcomes.every((type) => type === "rule_not_applicable")
  return {
    rule,
    satisfied: ignored ? null : !outcomes.some(PolicyDecision.isFailure),
    ignored,
    resolutions: outcomes.map((type, index) => ({
      type,
      context: contextOf(
        rule,
        views[index],
        contexts.find(({ flow }) => flow === index)
      )
    }))
  }
}

/** The full decision: `dump` is that of its version, `views` are the flow views of the row. */
export const toDecision = (
  decision: RowDecision,
  dump: PolicyDump | null,
  views: ReadonlyArray<ShownView>
): PolicyDecision.PolicyDecision => {
  const rules = dump === null ? [] : rulesOf(dump)
  return {
    policy_name: decision.policy_name,
    policy_version: decision.version,
    status: decision.status,
    rule_evaluations: decision.outcomes.flatMap((outcomes, index) => {
      const rule = rules[index]
      const contexts = decision.contexts?.filter((context) => context.rule === index) ?? []
      return rule === undefined ? [] : [evaluationOf(rule, outcomes, { views, contexts })]
    }),
    ...PolicyMode.toField(decision.mode)
  }
}

/** Why a row is not compliant; empty for other rows, whatever single policies decide. */
export const reasonsOf = (
  verdict: Verdict,
  decisions: ReadonlyArray<PolicyDecision.PolicyDecision>
): ReadonlyArray<PolicyReason.PolicyReason> =>
  verdict === "NonCompliant"
    ? decisions
        .filter(PolicyMode.isEnforced)
        .flatMap((decision) => PolicyReason.fromDecision(decision))
    : []

/** What warning policies would say against a row, whatever its verdict. */
export const warningsOf = (
  decisions: ReadonlyArray<PolicyDecision.PolicyDecision>
): ReadonlyArray<PolicyReason.PolicyReason> =>
  decisions.filter(PolicyMode.isWarning).flatMap((decision) => PolicyReason.fromDecision(decision))

/** A result of a rule that fails it, and whether a result does. */
export { type Failure, isFailure } from "../policy/PolicyDecision.js"

/** The controls of the rules that fail a row; `dump` is that of the decision's version. */
export const failingControls = (
  { outcomes }: RowDecision,
  dump: PolicyDump | null
): ReadonlyArray<string> =>
  (dump === null ? [] : rulesOf(dump)).flatMap((rule, index) =>
    rule.type === "attestation" &&
    rule.definition.for_control !== null &&
    (outcomes[index] ?? []).some(PolicyDecision.isFailure)
      ? [rule.definition.for_control]
      : []
  )

/** The verdict of all policies that count. */
export const verdictOf: (decisions: ReadonlyArray<RowDecision>) => Verdict =
  PolicyEvaluation.verdictOf

/** A result that a waiver turned: which rule of which policy, in which flow, by which waiver and until when. */
export interface WaivedResult {
  readonly policy_name: string
  /** The position of the rule among those of the version, and of the flow among those of the row. */
  readonly rule: number
  readonly flow: number
  readonly waiver: number
  /** In epoch seconds. */
  readonly expires_at: number
}

/** The results of decisions that waivers turned. */
export const waivedOf = (decisions: ReadonlyArray<RowDecision>): ReadonlyArray<WaivedResult> =>
  decisions.flatMap(({ contexts = [], policy_name }) =>
    contexts.flatMap(({ expires_at, flow, rule, waiver }) =>
      waiver === undefined || expires_at === undefined
        ? []
        : [{ policy_name, rule, flow, waiver, expires_at }]
    )
  )

/**
 * A text that is equal exactly when the statuses of all policies, the reasons and the waived results are equal, for
 * rows with the same provenance. INVARIANT: decisions are ordered by name.
 */
export const keyOf = (verdict: Verdict, decisions: ReadonlyArray<RowDecision>): string => {
  const waived = waivedOf(decisions)
  return JSON.stringify([
    decisions.map(({ mode, policy_name, status }) =>
      mode === undefined ? [policy_name, status] : [policy_name, status, mode]
    ),
    failuresOf(verdict, decisions),
    ...(waived.length === 0 ? [] : [waived])
  ])
}

/** The part of the decisions that gives reasons: which rule of which version fails in which flow, and how. */
export const failuresOf = (
  verdict: Verdict,
  decisions: ReadonlyArray<RowDecision>
): ReadonlyArray<unknown> =>
  decisions
    .filter((decision) => verdict === "NonCompliant" || PolicyMode.isWarning(decision))
    .flatMap(({ outcomes, policy_name, version }) =>
      outcomes.flatMap((flows, rule) =>
        flows.flatMap((type, flow) =>
          PolicyDecision.isFailure(type) ? [[policy_name, version, rule, flow, type]] : []
        )
      )
    )
