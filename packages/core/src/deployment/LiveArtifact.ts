/** The running artifacts of a repository, and their environments. SPEC §4.16 */

import type { Artifact } from "../artifact/Artifact.js"
import { type Fingerprint, isKnown } from "../artifact/Fingerprint.js"
import type { Environment } from "../environment/Environment.js"
import type { ArtifactId, FlowId, FlowName, RepoId } from "../shared/Identifier.js"
import { toBoolean, type Verdict } from "../shared/Verdict.js"
import type { FlowView } from "../snapshot/FlowView.js"
import type { LiveRow } from "./StoredDeployment.js"

/** A row that runs, with the first of its records that names the repository. */
export interface LiveArtifact {
  readonly fingerprint: Fingerprint
  readonly name: string
  readonly environment: Environment
  readonly snapshotIndex: number
  readonly flowName: FlowName
  readonly view: FlowView
  readonly record: Artifact
  readonly compliant: boolean
  readonly verdict: Verdict
  /** Epoch seconds of the earliest instance; null for a row without instances. */
  readonly startedAt: number | null
}

/** What rows refer to. */
export interface Sources {
  readonly environments: ReadonlyArray<Environment>
  readonly flowNames: ReadonlyMap<FlowId, FlowName>
  readonly artifacts: ReadonlyMap<ArtifactId, Artifact>
}

const earliest = (times: ReadonlyArray<number>): number | null =>
  times.length === 0 ? null : times.reduce((first, time) => Math.min(first, time), Infinity)

const byPlace = (left: LiveArtifact, right: LiveArtifact): number => {
  if (left.environment.name !== right.environment.name)
    return left.environment.name < right.environment.name ? -1 : 1
  const later = (right.startedAt ?? 0) - (left.startedAt ?? 0)
  return later === 0 ? (left.name < right.name ? -1 : 1) : later
}

/** The rows as they are shown: by environment, and in each the newest first. */
export const list = (
  repo: RepoId,
  rows: ReadonlyArray<LiveRow>,
  { environments, flowNames, artifacts }: Sources
): ReadonlyArray<LiveArtifact> => {
  const places = new Map(environments.map((environment) => [environment.id, environment]))
  return rows
    .flatMap(({ environmentId, snapshotIndex, row }): ReadonlyArray<LiveArtifact> => {
      const environment = places.get(environmentId)
      const view = row.flows.find(({ artifact_id }) => artifacts.get(artifact_id)?.repo_id === repo)
      const record = view === undefined ? undefined : artifacts.get(view.artifact_id)
      const flowName = view === undefined ? undefined : flowNames.get(view.flow_id)
      if (environment === undefined || view === undefined || !isKnown(row.fingerprint)) return []
      if (record === undefined || flowName === undefined) return []
      return [
        {
          fingerprint: row.fingerprint,
          name: row.name,
          environment,
          snapshotIndex,
          flowName,
          view,
          record,
          compliant: toBoolean(row.verdict),
          verdict: row.verdict,
          startedAt: earliest(row.creationTimestamp)
        }
      ]
    })
    .sort(byPlace)
}
