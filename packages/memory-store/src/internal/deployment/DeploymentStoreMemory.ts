/** `DeploymentStore` in memory: every event of every environment that starts an artifact. */
import {
  type DeploymentFilter,
  DeploymentStore,
  type LiveRow,
  type ReplacedStart,
  type StoredDeployment
} from "@attestry/core/DeploymentStore"
import type { OrgId, RepoId } from "@attestry/core/Identifier"
import * as Page from "@attestry/core/Page"
import type { SnapshotRow } from "@attestry/core/Snapshot"
import type { StoredEvent } from "@attestry/core/SnapshotStore"
import * as TimeWindow from "@attestry/core/TimeWindow"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { artifacts } from "../artifact/ArtifactStoreMemory.js"
import { environments } from "../environment/EnvironmentStoreMemory.js"
import { MemoryState } from "../shared/MemoryState.js"
import { eventsOf, type History, histories } from "../snapshot/SnapshotStoreMemory.js"

const newestFirst = (left: StoredDeployment, right: StoredDeployment): number =>
  right.event.timestamp - left.event.timestamp ||
  (left.environmentId < right.environmentId
    ? -1
    : left.environmentId > right.environmentId
      ? 1
      : 0) ||
  left.event.position - right.event.position

/** The last start of the predecessor of the primary flow view before the row of an event. */
const replacedBy = (history: History, { row }: StoredEvent): ReplacedStart | null => {
  const [primary] = row.flows
  const previous = primary?.previous ?? null
  if (primary === undefined || previous === null) return null
  const starts = history
    .flatMap(({ running }) => running)
    .flatMap(({ name, fingerprint, started_index, flows }) =>
      started_index < row.started_index &&
      name === previous.name &&
      fingerprint === previous.fingerprint
        ? flows
            .filter(({ flow_id, slot }) => flow_id === primary.flow_id && slot === primary.slot)
            .map(({ artifact_id }) => ({ index: started_index, artifactId: artifact_id }))
        : []
    )
  // WHY the first of those that started last: a later view of the same start does not replace the stored one.
  const last = Math.max(...starts.map(({ index }) => index))
  return starts.find(({ index }) => index === last) ?? null
}

/** Says of a row which repositories its records name; the primary flow is the first. */
type ReposOf = (row: SnapshotRow) => ReadonlyArray<RepoId | null>

const passes =
  (filter: DeploymentFilter, reposOf: ReposOf) =>
  ({ environmentId, event: { row, timestamp } }: StoredDeployment): boolean => {
    const { environments: places, fingerprint, flow, repos } = filter
    const [repo] = reposOf(row)
    return (
      (places === undefined || places.includes(environmentId)) &&
      (fingerprint === undefined || row.fingerprint === fingerprint) &&
      (flow === undefined || row.flows.some(({ flow_id }) => flow_id === flow)) &&
      (repos === undefined || repos.some((id) => id === repo)) &&
      TimeWindow.includes(filter, timestamp)
    )
  }

/** `DeploymentStore` in memory. */
export const layer: Layer.Layer<DeploymentStore, never, MemoryState> = Layer.effect(
  DeploymentStore,
  Effect.map(MemoryState, (state) => {
    /** The active environments of an org with their snapshots. */
    const active = (org: OrgId) =>
      Effect.gen(function* () {
        const snapshots = yield* state.read(histories)
        return Array.from(yield* state.read(environments)).flatMap(([at, { environment }]) =>
          environment.org_id === org && environment.archived_at === null
            ? [{ environment, history: Option.getOrElse(HashMap.get(snapshots, at), () => []) }]
            : []
        )
      })

    const all = (org: OrgId) =>
      Effect.map(active(org), (places) =>
        places.flatMap(({ environment, history }) =>
          eventsOf(history)
            .filter(({ arrived }) => arrived)
            .map(
              (event): StoredDeployment => ({
                environmentId: environment.id,
                environmentName: environment.name,
                event,
                replaced: replacedBy(history, event)
              })
            )
        )
      )

    const reposIn = (org: OrgId) =>
      Effect.map(state.read(artifacts), (trails): ReposOf => {
        const repos = new Map(
          Array.from(HashMap.values(trails))
            .flat()
            .filter(({ org_id }) => org_id === org)
            .map(({ id, repo_id }) => [id, repo_id])
        )
        return ({ flows }) => flows.map(({ artifact_id }) => repos.get(artifact_id) ?? null)
      })

    const listAll = (org: OrgId, filter: DeploymentFilter) =>
      Effect.map(Effect.all([all(org), reposIn(org)]), ([found, reposOf]) =>
        found.filter(passes(filter, reposOf)).sort(newestFirst)
      )

    return DeploymentStore.of({
      list: (org, filter, page) =>
        Effect.map(listAll(org, filter), (found) => Page.slice(found, page)),
      findNewest: (org, filter) =>
        Effect.map(listAll(org, filter), ([newest]) => Option.fromNullable(newest)),
      find: (org, key) =>
        Effect.map(all(org), (found) =>
          Option.fromNullable(
            found.find(
              ({ environmentId, event }) =>
                environmentId === key.environment &&
                event.index === key.index &&
                event.position === key.position
            )
          )
        ),
      series: (org, repo, window) =>
        Effect.map(listAll(org, { repos: [repo] }), (found) => {
          const places = new Map(
            found.map(({ environmentId, environmentName }) => [environmentId, environmentName])
          )
          return Array.from(places, ([environmentId, environmentName]) => ({
            environmentId,
            environmentName,
            deployments: found
              .filter((each) => each.environmentId === environmentId)
              .filter(({ event }) => TimeWindow.includes(window, event.timestamp))
              .flatMap(({ event: { row, timestamp } }) =>
                row.flows.slice(0, 1).map(({ first_reported_at }) => ({
                  deployedAt: timestamp,
                  firstReportedAt: first_reported_at
                }))
              )
              .reverse()
          })).sort((left, right) => (left.environmentName < right.environmentName ? -1 : 1))
        }),
      live: (org, repo) =>
        Effect.map(Effect.all([active(org), reposIn(org)]), ([places, reposOf]) =>
          places.flatMap(({ environment, history }) =>
            (history.at(-1)?.running ?? [])
              .filter((row) => reposOf(row).includes(repo))
              .map(
                (row): LiveRow => ({
                  environmentId: environment.id,
                  snapshotIndex: history.length,
                  row
                })
              )
          )
        )
    })
  })
)
