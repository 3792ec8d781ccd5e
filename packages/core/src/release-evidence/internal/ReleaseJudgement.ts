/**
 * What was required of one release and how it was met, by the evidence that the evaluation of its snapshot saw. Pure,
 * so that pages and capsules decide alike.
 */
import type { Fingerprint } from "../../artifact/Fingerprint.js"
import * as FactTimeline from "../../history/FactTimeline.js"
import type { FingerprintHistory } from "../../history/FingerprintHistory.js"
import type * as Moment from "../../policy/Moment.js"
import * as PolicyEvaluation from "../../policy/PolicyEvaluation.js"
import type { VisibilityBound } from "../../shared/CommitPosition.js"
import type { FlowId } from "../../shared/Identifier.js"
import * as RequirementResults from "../RequirementResults.js"

/** By what releases are judged: the policy, or without one the template of a flow. */
export interface Judgement {
  /** Compiled alone. */
  readonly policy: PolicyEvaluation.CompiledPolicies | undefined
  /** The flow whose template counts; without one the primary flow of each release. */
  readonly flow: FlowId | undefined
}

/** What a release is judged by. */
export interface JudgedBy {
  readonly artifact: { readonly name: string; readonly fingerprint: Fingerprint }
  /** The flow with which it is shown. */
  readonly view: { readonly flow_id: FlowId } | undefined
  readonly flows: ReadonlyArray<RequirementResults.ReleaseFlow>
  /** Only policies depend on it. */
  readonly moment: Moment.Moment | undefined
}

/** The flow with which a release is shown: the one that is asked for, else the primary one. */
export const viewOf = <View extends { readonly flow_id: FlowId }>(
  { flows }: { readonly flows: ReadonlyArray<View> },
  { flow }: Judgement
): View | undefined =>
  flow === undefined ? flows[0] : flows.find(({ flow_id }) => flow_id === flow)

/** The flows that knew an artifact within a bound, with the visible part of each trail. */
export const flowsAt = (
  history: FingerprintHistory,
  templateOf: FactTimeline.TemplateOf,
  bound: VisibilityBound
): ReadonlyArray<RequirementResults.ReleaseFlow> => {
  const visible = FactTimeline.visibleTrails(history, templateOf)
  return FactTimeline.make(history, templateOf)
    .at(bound)
    .flatMap((known) => {
      const trail = history.trails.find(({ id }) => id === known.trail_id)
      return trail === undefined ? [] : [{ known, trail: visible(trail, bound) }]
    })
}

/** The results of a release. */
export const resultsOf = (
  { policy }: Judgement,
  { artifact, flows, moment, view }: JudgedBy
): ReadonlyArray<RequirementResults.Result> => {
  const document = policy?.policies[0]?.policy.document
  if (policy === undefined || document === undefined || "_tag" in document) {
    const own = flows.find(({ known }) => known.flow_id === view?.flow_id)
    return own === undefined ? [] : RequirementResults.ofTemplate(own)
  }
  const facts = { artifact, flows: flows.map(({ known }) => known.view) }
  const [decision] = PolicyEvaluation.evaluate(policy, facts, moment).policy_decisions
  return decision === undefined ? [] : RequirementResults.ofPolicy(document, decision, flows)
}
