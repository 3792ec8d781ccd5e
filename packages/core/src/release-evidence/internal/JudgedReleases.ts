/** Reads what was required of deployments and how it was met, each as of the evaluation of its snapshot. */
import * as Effect from "effect/Effect"
import { type Fingerprint, isKnown } from "../../artifact/Fingerprint.js"
import * as DeploymentView from "../../deployment/internal/DeploymentView.js"
import type { StoredDeployment } from "../../deployment/StoredDeployment.js"
import * as EnvironmentMoments from "../../history/EnvironmentMoments.js"
import * as EvaluationTimeline from "../../history/EvaluationTimeline.js"
import * as FactTimeline from "../../history/FactTimeline.js"
import * as FingerprintHistory from "../../history/FingerprintHistory.js"
import { HistoryStore } from "../../history/HistoryStore.js"
import * as PolicyEvaluation from "../../policy/PolicyEvaluation.js"
import type { VisibilityBound } from "../../shared/CommitPosition.js"
import type { EnvironmentId, FlowId, OrgId } from "../../shared/Identifier.js"
import type { FlowView } from "../../snapshot/FlowView.js"
import * as RequirementResults from "../RequirementResults.js"

/** By what releases are judged: the policy, or without one the template of a flow. */
export interface Judgement {
  /** Compiled alone. */
  readonly policy: PolicyEvaluation.CompiledPolicies | undefined
  /** The flow whose template counts; without one the primary flow of each release. */
  readonly flow: FlowId | undefined
}

/** A deployment with the flow that it is shown with, and the results of its requirements. */
export interface JudgedRelease {
  readonly id: string
  readonly deployment: StoredDeployment
  readonly fingerprint: Fingerprint
  readonly view: FlowView | undefined
  readonly results: ReadonlyArray<RequirementResults.Result>
}

const keyOf = (environment: EnvironmentId, index: number): string => `${environment} ${index}`

const viewOf = ({ event: { row } }: StoredDeployment, flow: FlowId | undefined) =>
  flow === undefined ? row.flows[0] : row.flows.find(({ flow_id }) => flow_id === flow)

/** The flows that knew an artifact within a bound, with the visible part of each trail. */
const flowsAt = (
  history: FingerprintHistory.FingerprintHistory,
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

/** Makes the reader. */
export const make = Effect.gen(function* () {
  const history = yield* HistoryStore
  const momentsOf = yield* EnvironmentMoments.make

  /** The bound on the evidence of each snapshot. */
  const boundsOf = (org: OrgId, deployments: ReadonlyArray<StoredDeployment>) =>
    Effect.gen(function* () {
      const bounds = new Map<string, VisibilityBound>()
      for (const environment of new Set(deployments.map(({ environmentId }) => environmentId))) {
        const own = deployments.filter(({ environmentId }) => environmentId === environment)
        const indexes = [...new Set(own.map(({ event }) => event.index))]
        for (const evaluation of yield* history.snapshots({ org, environment }, indexes))
          bounds.set(keyOf(environment, evaluation.index), EvaluationTimeline.boundOf(evaluation))
      }
      return bounds
    })

  /** What instants of environments depend on; only policies depend on it. */
  const momentsIn = (
    org: OrgId,
    deployments: ReadonlyArray<StoredDeployment>,
    { policy }: Judgement
  ) =>
    Effect.map(
      Effect.forEach(
        policy === undefined ? [] : new Set(deployments.map(({ environmentId }) => environmentId)),
        (environment) =>
          Effect.map(momentsOf({ org, environment }), (at) => [environment, at] as const)
      ),
      (found) => new Map(found)
    )

  /** The results of some deployments, in the same order. */
  return (org: OrgId, deployments: ReadonlyArray<StoredDeployment>, judgement: Judgement) =>
    Effect.gen(function* () {
      const rows = deployments.flatMap((deployment) => {
        const { fingerprint } = deployment.event.row
        return isKnown(fingerprint) ? [{ deployment, fingerprint }] : []
      })
      const fingerprints = [...new Set(rows.map(({ fingerprint }) => fingerprint))]
      const evidence =
        fingerprints.length === 0
          ? FingerprintHistory.EMPTY
          : yield* history.evidence(org, { fingerprints })
      const historyOf = FingerprintHistory.group(evidence)
      const templateOf = FactTimeline.templatesOf(evidence)
      const bounds = yield* boundsOf(org, deployments)
      const moments = yield* momentsIn(org, deployments, judgement)
      const { policy } = judgement
      const [compiled] = policy?.policies ?? []
      const document = compiled?.policy.document
      return rows.map(({ deployment, fingerprint }): JudgedRelease => {
        const { environmentId, event } = deployment
        const bound = bounds.get(keyOf(environmentId, event.index))
        const view = viewOf(deployment, judgement.flow)
        const id = DeploymentView.printId(deployment)
        const flows = bound === undefined ? [] : flowsAt(historyOf(fingerprint), templateOf, bound)
        if (policy === undefined || document === undefined || "_tag" in document) {
          const own = flows.find(({ known }) => known.flow_id === view?.flow_id)
          const results = own === undefined ? [] : RequirementResults.ofTemplate(own)
          return { id, deployment, fingerprint, view, results }
        }
        const facts = {
          artifact: { name: event.row.name, fingerprint },
          flows: flows.map(({ known }) => known.view)
        }
        const moment = moments.get(environmentId)?.(event.timestamp)
        const [decision] = PolicyEvaluation.evaluate(policy, facts, moment).policy_decisions
        const results =
          decision === undefined ? [] : RequirementResults.ofPolicy(document, decision, flows)
        return { id, deployment, fingerprint, view, results }
      })
    })
})
