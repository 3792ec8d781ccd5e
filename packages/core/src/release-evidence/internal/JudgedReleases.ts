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
import type { VisibilityBound } from "../../shared/CommitPosition.js"
import type { EnvironmentId, OrgId } from "../../shared/Identifier.js"
import type { FlowView } from "../../snapshot/FlowView.js"
import type * as RequirementResults from "../RequirementResults.js"
import * as ReleaseJudgement from "./ReleaseJudgement.js"

/** A deployment with the flow that it is shown with, and the results of its requirements. */
export interface JudgedRelease {
  readonly id: string
  readonly deployment: StoredDeployment
  readonly fingerprint: Fingerprint
  readonly view: FlowView | undefined
  readonly results: ReadonlyArray<RequirementResults.Result>
}

const keyOf = (environment: EnvironmentId, index: number): string => `${environment} ${index}`

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
    { policy }: ReleaseJudgement.Judgement
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
  return (
    org: OrgId,
    deployments: ReadonlyArray<StoredDeployment>,
    judgement: ReleaseJudgement.Judgement
  ) =>
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
      return rows.map(({ deployment, fingerprint }): JudgedRelease => {
        const { environmentId, event } = deployment
        const bound = bounds.get(keyOf(environmentId, event.index))
        const { name } = event.row
        const view = ReleaseJudgement.viewOf(event.row, judgement)
        const id = DeploymentView.printId(deployment)
        const known = historyOf(fingerprint)
        const flows = bound === undefined ? [] : ReleaseJudgement.flowsAt(known, templateOf, bound)
        const moment = moments.get(environmentId)?.(event.timestamp)
        const by = { artifact: { name, fingerprint }, view, flows, moment }
        return {
          id,
          deployment,
          fingerprint,
          view,
          results: ReleaseJudgement.resultsOf(judgement, by)
        }
      })
    })
})
