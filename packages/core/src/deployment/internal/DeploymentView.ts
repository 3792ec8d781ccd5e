/** What is shown of a deployment: its event, and the names of what it refers to. SPEC §2.22 */

import * as Option from "effect/Option"
import type { Artifact } from "../../artifact/Artifact.js"
import { isKnown } from "../../artifact/Fingerprint.js"
import type { Repo } from "../../repo/Repo.js"
import {
  type ArtifactId,
  EnvironmentId,
  type FlowId,
  type FlowName,
  type RepoId
} from "../../shared/Identifier.js"
import { toBoolean } from "../../shared/Verdict.js"
import * as DeploymentDiff from "../../snapshot/DeploymentDiff.js"
import type { FlowView } from "../../snapshot/FlowView.js"
import * as Deployment from "../Deployment.js"
import type { DeploymentKey, StoredDeployment } from "../StoredDeployment.js"

/** The flows, records and repositories that deployments refer to. */
export interface Sources {
  /** Whether the caller reads a flow. */
  readonly isReadable: (flow: FlowId) => boolean
  readonly flowNames: ReadonlyMap<FlowId, FlowName>
  readonly artifacts: ReadonlyMap<ArtifactId, Artifact>
  readonly repos: ReadonlyMap<RepoId, Repo>
}

const ID = /^([0-9a-zA-Z-]{1,64})\.([0-9]{1,9})\.([0-9]{1,9})$/

/** The id of a deployment. */
export const printId = ({ environmentId, event }: StoredDeployment): string =>
  `${environmentId}.${event.index}.${event.position}`

/** The key that an id of a deployment is the text of; none for another text. */
export const parseId = (text: string): Option.Option<DeploymentKey> => {
  const [, environment, index, position] = ID.exec(text) ?? []
  return environment === undefined
    ? Option.none()
    : Option.some({
        environment: EnvironmentId.make(environment),
        index: Number(index),
        position: Number(position)
      })
}

/** The records that deployments refer to: those of their primary flows, and of what they replaced. */
export const artifactIds = (
  deployments: ReadonlyArray<StoredDeployment>
): ReadonlyArray<ArtifactId> => [
  ...new Set(
    deployments.flatMap(({ event, replaced }) => [
      ...event.row.flows.slice(0, 1).map(({ artifact_id }) => artifact_id),
      ...(replaced === null ? [] : [replaced.artifactId])
    ])
  )
]

const repoOf = (record: Artifact | undefined, { repos }: Sources) => {
  const id = record?.repo_id ?? null
  const repo = id === null ? undefined : repos.get(id)
  return repo === undefined ? null : { name: repo.name, repo_id: repo.repo_id }
}

const artifactOf = (view: FlowView, sources: Sources): Deployment.DeployedArtifact => ({
  flow_name: sources.flowNames.get(view.flow_id) ?? null,
  trail_name: view.trail_name,
  template_reference_name: view.slot,
  git_commit: view.git_commit,
  git_commit_info: view.git_commit_info,
  repo_info: repoOf(sources.artifacts.get(view.artifact_id), sources)
})

/** WHY the commit's details from the record: the flow view of a predecessor has its id alone. */
const replacedOf = (
  view: FlowView,
  replaced: StoredDeployment["replaced"],
  sources: Sources
): Deployment.DeploymentPredecessor | null => {
  const { previous } = view
  if (previous === null) return null
  const record = replaced === null ? undefined : sources.artifacts.get(replaced.artifactId)
  return {
    fingerprint: previous.fingerprint,
    artifact_name: previous.name,
    snapshot_index: replaced === null ? null : replaced.index,
    artifact: {
      flow_name: sources.flowNames.get(view.flow_id) ?? null,
      trail_name: previous.trail_name,
      template_reference_name: previous.slot,
      git_commit: previous.git_commit,
      git_commit_info: record?.report.git_commit_info ?? null,
      repo_info: repoOf(record, sources)
    }
  }
}

/** What is shown of the primary flow view; nulls without one. */
const provenanceOf = (
  view: FlowView | undefined,
  { event, replaced }: StoredDeployment,
  sources: Sources
) =>
  view === undefined
    ? {
        flow_name: null,
        trail_name: null,
        git_commit: null,
        commit_url: null,
        lead_time_seconds: null,
        replaced: null,
        artifact: null,
        replaced_artifact: null,
        diff_url: null
      }
    : {
        flow_name: sources.flowNames.get(view.flow_id) ?? null,
        trail_name: view.trail_name,
        git_commit: view.git_commit,
        commit_url: view.commit_url,
        lead_time_seconds: Deployment.leadTimeSeconds(event.timestamp, view.first_reported_at),
        replaced:
          view.previous === null
            ? null
            : { name: view.previous.name, fingerprint: view.previous.fingerprint },
        artifact: artifactOf(view, sources),
        replaced_artifact: replacedOf(view, replaced, sources),
        diff_url:
          view.previous === null
            ? null
            : DeploymentDiff.diffUrl({
                repo: view.repo,
                previous: view.previous.git_commit,
                current: view.git_commit
              })
      }

/**
 * A deployment as it is shown, without what a flow says that the caller does not read; empty for a row without a
 * fingerprint, which is never deployed.
 */
export const make =
  (sources: Sources) =>
  (stored: StoredDeployment): ReadonlyArray<Deployment.Deployment> => {
    const { index, timestamp, row } = stored.event
    if (!isKnown(row.fingerprint)) return []
    const { environmentName } = stored
    const [primary] = row.flows
    const isHidden = primary !== undefined && !sources.isReadable(primary.flow_id)
    return [
      {
        id: printId(stored),
        environment: environmentName,
        env_name: environmentName,
        fingerprint: row.fingerprint,
        name: row.name,
        artifact_name: row.name,
        snapshot_index: index,
        deployed_at: timestamp,
        compliant: toBoolean(row.verdict),
        verdict: row.verdict,
        ...provenanceOf(isHidden ? undefined : primary, stored, sources),
        ...(isHidden ? { hidden: true as const } : {})
      }
    ]
  }
