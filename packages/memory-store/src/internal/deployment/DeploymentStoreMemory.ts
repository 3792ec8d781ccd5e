/** `DeploymentStore` in memory: every event of every environment that starts an artifact. */
import { DeploymentStore, type StoredDeployment } from "@attestry/core/DeploymentStore"
import type { OrgId } from "@attestry/core/Identifier"
import * as Page from "@attestry/core/Page"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { environments } from "../environment/EnvironmentStoreMemory.js"
import { MemoryState } from "../shared/MemoryState.js"
import { eventsOf, histories } from "../snapshot/SnapshotStoreMemory.js"

const newestFirst = (left: StoredDeployment, right: StoredDeployment): number =>
  right.event.timestamp - left.event.timestamp ||
  (left.environmentId < right.environmentId
    ? -1
    : left.environmentId > right.environmentId
      ? 1
      : 0) ||
  left.event.position - right.event.position

/** `DeploymentStore` in memory. */
export const layer: Layer.Layer<DeploymentStore, never, MemoryState> = Layer.effect(
  DeploymentStore,
  Effect.map(MemoryState, (state) => {
    const all = (org: OrgId) =>
      Effect.gen(function* () {
        const snapshots = yield* state.read(histories)
        return Array.from(yield* state.read(environments)).flatMap(([at, { environment }]) =>
          environment.org_id === org && environment.archived_at === null
            ? eventsOf(Option.getOrElse(HashMap.get(snapshots, at), () => []))
                .filter(({ arrived }) => arrived)
                .map(
                  (event): StoredDeployment => ({
                    environmentId: environment.id,
                    environmentName: environment.name,
                    event
                  })
                )
            : []
        )
      })

    return DeploymentStore.of({
      list: (org, { environment, flow, fingerprint }, page) =>
        Effect.map(all(org), (found) =>
          Page.slice(
            found
              .filter(
                ({ environmentId, event: { row } }) =>
                  (environment === undefined || environmentId === environment) &&
                  (fingerprint === undefined || row.fingerprint === fingerprint) &&
                  (flow === undefined || row.flows.some(({ flow_id }) => flow_id === flow))
              )
              .sort(newestFirst),
            page
          )
        ),
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
        )
    })
  })
)
