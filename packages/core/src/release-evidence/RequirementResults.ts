/**
 * What was required of a release and how it was met, from the evaluation of its trail or of a policy. Pure.
 *
 * The evaluators decide; this names the attestations by which they did. `ReleaseTableModel` is the slow model.
 */
import type { AttestationStatus } from "../compliance/ComplianceStatus.js"
import type { KnownFlow, VisibleTrail } from "../history/FactTimeline.js"
import * as PolicyDecision from "../policy/PolicyDecision.js"
import type { PolicyDocument } from "../policy/PolicyDocument.js"
import * as PolicyEvidence from "../policy/PolicyEvidence.js"
import type { TrailAttestation } from "../snapshot/RowFacts.js"
import type { Requirement, RequirementState } from "./ReleaseEvidence.js"

/** A flow that knew the artifact, and the visible part of the trail of its record. */
export interface ReleaseFlow {
  readonly known: KnownFlow
  readonly trail: VisibleTrail
}

/** An attestation with the flow whose trail has it. */
export interface Decisive {
  readonly flow: KnownFlow
  readonly attestation: TrailAttestation
}

/** A requirement of one release, and the attestations that decided. */
export interface Result {
  readonly requirement: Requirement
  readonly state: RequirementState
  readonly waivers: ReadonlyArray<number>
  readonly decisive: ReadonlyArray<Decisive>
}

const NOTHING = {
  kind: "attestation",
  name: null,
  type: null,
  level: null,
  rule: null,
  for_control: null
} as const

const SEVERITY: { readonly [state in RequirementState]: number } = {
  met: 0,
  overridden: 1,
  waived: 2,
  missing: 3,
  failed: 4
}

const stateOf = (
  status: AttestationStatus,
  found: TrailAttestation | undefined
): RequirementState => {
  if (status.status === "MISSING") return "missing"
  if (status.is_compliant !== true) return "failed"
  return found?.isOverride === true ? "overridden" : "met"
}

const resultOf =
  (flow: ReleaseFlow, level: "artifact" | "trail") =>
  (status: AttestationStatus): Result => {
    const { attestation_id: id, attestation_name: name, attestation_type: type } = status
    const found = flow.trail.attestations.find((attestation) => attestation.id === id)
    return {
      requirement: { ...NOTHING, key: `${level}:${name}:${type}`, name, type, level },
      state: stateOf(status, found),
      waivers: [],
      decisive: found === undefined ? [] : [{ flow: flow.known, attestation: found }]
    }
  }

/** Of several results of a requirement the worst one; in the order of their first ones. */
const worstOfEach = (results: ReadonlyArray<Result>): ReadonlyArray<Result> => {
  const worst = new Map<string, Result>()
  for (const result of results) {
    const known = worst.get(result.requirement.key)
    if (known === undefined || SEVERITY[result.state] > SEVERITY[known.state])
      worst.set(result.requirement.key, result)
  }
  return [...worst.values()]
}

/** What the template of a flow expects of a release: of its trail, then of its artifact. */
export const ofTemplate = (flow: ReleaseFlow): ReadonlyArray<Result> => {
  const isExpected = ({ unexpected }: AttestationStatus) => !unexpected
  const { attestations_statuses: ofTrail } = flow.trail.evaluation().trail
  const { attestations_statuses: ofArtifact } = flow.known.standing
  return worstOfEach([
    ...ofTrail.filter(isExpected).map(resultOf(flow, "trail")),
    ...ofArtifact.filter(isExpected).map(resultOf(flow, "artifact"))
  ])
}

const ABSENT: ReadonlySet<PolicyDecision.ResolutionType> = new Set([
  "missing_provenance",
  "missing_attestation"
])

/** The state of a rule; undefined where it asked nothing of the artifact. */
const ruleState = (
  { resolutions, satisfied }: PolicyDecision.RuleEvaluation,
  decisive: ReadonlyArray<Decisive>
): RequirementState | undefined => {
  if (satisfied === null) return undefined
  const types = resolutions.map(({ type }) => type)
  if (!satisfied)
    return types.filter(PolicyDecision.isFailure).every((type) => ABSENT.has(type))
      ? "missing"
      : "failed"
  if (types.includes("rule_waived")) return "waived"
  return decisive.some(({ attestation }) => attestation.isOverride) ? "overridden" : "met"
}

type Rule = PolicyDocument["attestations"][number]

/** The attestations that a rule looked at in the flows in which it applied. */
const lookedAt = (
  rule: Rule,
  { resolutions }: PolicyDecision.RuleEvaluation,
  flows: ReadonlyArray<ReleaseFlow>
): ReadonlyArray<Decisive> => {
  const applied = flows.filter((_, flow) => {
    const type = resolutions[flow]?.type
    return type !== undefined && type !== "rule_not_applicable"
  })
  const decisiveOf = ({ known, trail }: ReleaseFlow, sequence: number): ReadonlyArray<Decisive> =>
    trail.attestations
      .filter((attestation) => attestation.sequence === sequence)
      .map((attestation) => ({ flow: known, attestation }))
  if (rule.forControl === null)
    return applied.flatMap((flow) =>
      PolicyEvidence.looksAt(flow.known.view.attestations, rule).flatMap(({ sequence }) =>
        decisiveOf(flow, sequence)
      )
    )
  let latest: ReturnType<typeof PolicyEvidence.latestDecision>
  for (const { known } of applied)
    latest = PolicyEvidence.latestDecision(known.view.attestations, rule, latest)
  const { sequence } = latest ?? {}
  return sequence === undefined ? [] : applied.flatMap((flow) => decisiveOf(flow, sequence))
}

/** The rules before those about attestations: provenance, and trail compliance. */
const REQUIREMENTS = 2

const requirementOf = ({ rule }: PolicyDecision.RuleEvaluation, number: number): Requirement => {
  const key = `rule:${number}`
  if (rule.type !== "attestation") return { ...NOTHING, key, kind: rule.type, rule: number }
  const { for_control, name, type } = rule.definition
  return { ...NOTHING, key, name, type, rule: number, for_control }
}

/** What a policy required of a release, in the order of its rules. */
export const ofPolicy = (
  document: PolicyDocument,
  { rule_evaluations: rules }: PolicyDecision.PolicyDecision,
  flows: ReadonlyArray<ReleaseFlow>
): ReadonlyArray<Result> => {
  const numbers = PolicyDecision.ruleNumbers(rules)
  return rules.flatMap((evaluation, index): ReadonlyArray<Result> => {
    const number = numbers[index] ?? null
    const rule = document.attestations[index - REQUIREMENTS]
    const decisive = rule === undefined ? [] : lookedAt(rule, evaluation, flows)
    const state = ruleState(evaluation, decisive)
    if (state === undefined || number === null) return []
    const waivers = evaluation.resolutions.flatMap(({ context }) => context.waiver ?? [])
    return [
      {
        requirement: requirementOf(evaluation, number),
        state,
        waivers: [...new Set(waivers)],
        decisive
      }
    ]
  })
}
