/**
 * What a caller is shown of a release whose flows it may not read. Pure.
 *
 * The results of a template belong to its flow, and are left out with it. Those of a policy belong to the environment:
 * what they come to stays, and the attestations in hidden flows are left out.
 */
import type { EnvironmentId, FlowId, FlowName } from "../../shared/Identifier.js"
import type { Release } from "../ReleaseEvidence.js"
import type { Decisive, Result } from "../RequirementResults.js"
import type { JudgedRelease } from "./JudgedReleases.js"

/** An attestation that decided, with the current name of its flow. */
export interface Shown extends Decisive {
  readonly flowName: string
}

/** A result whose attestations the caller may see. */
export interface MaskedResult extends Omit<Result, "decisive"> {
  readonly decisive: ReadonlyArray<Shown>
}

/** A release as the caller may see it; its results are not yet in the form of answers. */
export interface MaskedRelease {
  readonly environmentId: EnvironmentId
  /** The flow with which it is shown; null without one, and where that is hidden. */
  readonly flowId: FlowId | null
  readonly release: Omit<Release, "results">
  readonly results: ReadonlyArray<MaskedResult>
}

/** What masks depend on. */
export interface Masking {
  readonly names: ReadonlyMap<FlowId, FlowName>
  readonly hidden: ReadonlySet<string>
  readonly isByTemplate: boolean
}

/** The flows of releases, and of the attestations that decided. */
export const flowsOf = (judged: ReadonlyArray<JudgedRelease>): ReadonlyArray<FlowId> => [
  ...new Set(
    judged.flatMap(({ deployment, results }) => [
      ...deployment.event.row.flows.map(({ flow_id }) => flow_id),
      ...results.flatMap(({ decisive }) => decisive.map(({ flow }) => flow.flow_id))
    ])
  )
]

/** Makes the mask. */
export const make =
  ({ hidden, isByTemplate, names }: Masking) =>
  ({ deployment, fingerprint, id, results, view }: JudgedRelease): MaskedRelease => {
    const { environmentId, environmentName, event } = deployment
    const { flows, name, verdict } = event.row
    const shown = view === undefined || hidden.has(view.flow_id) ? undefined : view
    const isHidden = flows.some(({ flow_id }) => hidden.has(flow_id))
    return {
      environmentId,
      flowId: shown?.flow_id ?? null,
      release: {
        deployment_id: id,
        deployed_at: event.timestamp,
        environment: environmentName,
        snapshot_index: event.index,
        artifact_name: name,
        fingerprint: fingerprint,
        flow_name: shown === undefined ? null : (names.get(shown.flow_id) ?? null),
        trail_name: shown?.trail_name ?? null,
        git_commit: shown?.git_commit ?? null,
        commit_url: shown?.commit_url ?? null,
        verdict,
        ...(isHidden ? { hidden: true as const } : {})
      },
      results:
        isByTemplate && shown === undefined
          ? []
          : results.map(({ decisive, ...result }) => ({
              ...result,
              decisive: decisive.flatMap((each) =>
                hidden.has(each.flow.flow_id)
                  ? []
                  : [{ ...each, flowName: names.get(each.flow.flow_id) ?? "" }]
              )
            }))
    }
  }
