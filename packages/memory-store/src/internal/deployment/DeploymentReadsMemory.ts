/** Deployments of `ReadModels` in memory: every event of every environment that starts an artifact. */

import type { Artifact } from "@attestry/core/Artifact"
import type { Environment } from "@attestry/core/Environment"
import type { OrgId, RepoId } from "@attestry/core/Identifier"
import * as Page from "@attestry/core/Page"
import type { ReadModels } from "@attestry/core/ReadModels"
import type { SnapshotRow } from "@attestry/core/Snapshot"
import type { StoredEvent } from "@attestry/core/SnapshotStore"
import type {
  DeploymentFilter,
  LiveRow,
  ReplacedStart,
  StoredDeployment
} from "@attestry/core/StoredDeployment"
import type { Timestamp } from "@attestry/core/Timestamp"
import * as TimeWindow from "@attestry/core/TimeWindow"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import { artifacts } from "../artifact/ArtifactStoreMemory.js"
import { environments } from "../environment/EnvironmentRowsMemory.js"
import { MemoryState } from "../shared/MemoryState.js"
import { eventsOf, type History, histories } from "../snapshot/SnapshotStoreMemory.js"

/** A deployment, and the snapshots of its environment, from which follows what it replaced. */
interface Found extends Omit<StoredDeployment, "replaced"> {
  readonly history: History
}

const newestFirst = (left: Found, right: Found): number =>
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

/** WHY not for all that are found: it looks through all snapshots, and a page shows few. */
const complete = ({ history, ...found }: Found): StoredDeployment => ({
  ...found,
  replaced: replacedBy(history, found.event)
})

/** Says of a row which repositories its records name; the primary flow is the first. */
type ReposOf = (row: SnapshotRow) => ReadonlyArray<RepoId | null>

const passes =
  (filter: DeploymentFilter, reposOf: ReposOf) =>
  ({ environmentId, event: { row, timestamp } }: Found): boolean => {
    const { environments: places, fingerprint, flow, flows, repos } = filter
    const [primary] = row.flows
    return (
      (places === undefined || places.includes(environmentId)) &&
      (fingerprint === undefined || row.fingerprint === fingerprint) &&
      (flow === undefined || row.flows.some(({ flow_id }) => flow_id === flow)) &&
      (repos === undefined || repos.some((id) => id === reposOf(row)[0])) &&
      (repos === undefined || flows === undefined || flows.some((id) => id === primary?.flow_id)) &&
      TimeWindow.includes(filter, timestamp)
    )
  }

/** The deployments of one snapshot of an environment. */
const arrivalsIn = (
  { environment, history }: { readonly environment: Environment; readonly history: History },
  snapshot: History[number]
): ReadonlyArray<Found> =>
  snapshot.events.some(({ arrived }) => arrived)
    ? eventsOf([snapshot])
        .filter(({ arrived }) => arrived)
        .map((event) => ({
          environmentId: environment.id,
          environmentName: environment.name,
          event,
          history
        }))
    : []

/** The newest of the deployments of an environment that pass; snapshots are looked at from the newest on. */
const newestIn = (
  place: { readonly environment: Environment; readonly history: History },
  isWanted: (found: Found) => boolean
): ReadonlyArray<Found> => {
  for (let at = place.history.length - 1; at >= 0; at--) {
    const snapshot = place.history[at]
    const found = snapshot === undefined ? undefined : arrivalsIn(place, snapshot).find(isWanted)
    if (found !== undefined) return [found]
  }
  return []
}

const reposOfRecords = (
  org: OrgId,
  trails: HashMap.HashMap<string, ReadonlyArray<Artifact>>
): ReposOf => {
  const repos = new Map(
    Array.from(HashMap.values(trails))
      .flat()
      .filter(({ org_id }) => org_id === org)
      .map(({ id, repo_id }) => [id, repo_id])
  )
  return ({ flows }) => flows.map(({ artifact_id }) => repos.get(artifact_id) ?? null)
}

/** Deployments of `ReadModels` in memory. */
export const make: Effect.Effect<
  Pick<
    ReadModels["Type"],
    "deployments" | "newestDeployment" | "deployment" | "deploymentSeries" | "liveRows"
  >,
  never,
  MemoryState
> = Effect.map(MemoryState, (state) => {
  /** The active environments of an org, or those that were not archived by an instant, with their snapshots. */
  const active = (org: OrgId, archivedBy?: Timestamp) =>
    Effect.gen(function* () {
      const snapshots = yield* state.read(histories)
      return Array.from(yield* state.read(environments)).flatMap(([at, { environment }]) =>
        environment.org_id === org &&
        (environment.archived_at === null || environment.archived_at > (archivedBy ?? Infinity))
          ? [{ environment, history: Option.getOrElse(HashMap.get(snapshots, at), () => []) }]
          : []
      )
    })

  const all = (org: OrgId, archivedBy?: Timestamp) =>
    Effect.map(active(org, archivedBy), (places) =>
      places.flatMap((place) => place.history.flatMap((snapshot) => arrivalsIn(place, snapshot)))
    )

  const reposIn = (org: OrgId) =>
    Effect.map(state.read(artifacts), (trails) => reposOfRecords(org, trails))

  /** WHY not where no repository is asked for: it looks through the records of all trails. */
  const reposFor = (org: OrgId, { repos }: DeploymentFilter) =>
    repos === undefined ? Effect.succeed<ReposOf>(() => []) : reposIn(org)

  const listAll = (org: OrgId, filter: DeploymentFilter) =>
    Effect.map(
      Effect.all([all(org, filter.archivedBy), reposFor(org, filter)]),
      ([found, reposOf]) => found.filter(passes(filter, reposOf)).sort(newestFirst)
    )

  return {
    deployments: (org, filter, page) =>
      Effect.map(listAll(org, filter), (found) => Page.map(Page.slice(found, page), complete)),
    newestDeployment: (org, { archivedBy, ...filter }) =>
      Effect.map(
        Effect.all([active(org, archivedBy), reposFor(org, filter)]),
        ([places, reposOf]) => {
          const isWanted = passes(filter, reposOf)
          const [newest] = places.flatMap((place) => newestIn(place, isWanted)).sort(newestFirst)
          return Option.map(Option.fromNullable(newest), complete)
        }
      ),
    deployment: (org, key) =>
      Effect.map(all(org), (found) =>
        Option.map(
          Option.fromNullable(
            found.find(
              ({ environmentId, event }) =>
                environmentId === key.environment &&
                event.index === key.index &&
                event.position === key.position
            )
          ),
          complete
        )
      ),
    deploymentSeries: (org, repo, { flows, ...window }) =>
      Effect.map(listAll(org, { repos: [repo], ...(flows && { flows }) }), (found) => {
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
    liveRows: (org, repo) =>
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
  }
})
