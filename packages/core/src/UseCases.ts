/** Every use case at once, for hosts that want them all; the host owes a store and a source of secrets. */
import * as Layer from "effect/Layer"
import { ApiKeys } from "./api-key/ApiKeys.js"
import { Artifacts } from "./artifact/Artifacts.js"
import { Deployments } from "./deployment/Deployments.js"
import { Environments } from "./environment/Environments.js"
import { Flows } from "./flow/Flows.js"
import { Journals } from "./journal/Journals.js"
import { Memberships } from "./membership/Memberships.js"
import { Orgs } from "./org/Orgs.js"
import type { Ports } from "./Ports.js"
import type { IdGenerator } from "./shared/IdGenerator.js"
import type { Secrets } from "./shared/Secrets.js"
import { AllowLists } from "./snapshot/AllowLists.js"
import { LogicalSnapshots, layerHistory } from "./snapshot/LogicalSnapshots.js"
import { SnapshotEvents } from "./snapshot/SnapshotEvents.js"
import { SnapshotHistory } from "./snapshot/SnapshotHistory.js"
import { Snapshots } from "./snapshot/Snapshots.js"
import { Trails } from "./trail/Trails.js"

/** Every use case. */
export type UseCases =
  | ApiKeys
  | Artifacts
  | Environments
  | Flows
  | Journals
  | Memberships
  | Orgs
  | AllowLists
  | Deployments
  | SnapshotEvents
  | Snapshots
  | Trails

/** Every use case, on whatever store the host provides. */
export const layer: Layer.Layer<UseCases, never, Ports | Secrets | IdGenerator> = Layer.mergeAll(
  ApiKeys.Default,
  Artifacts.Default,
  Environments.Default,
  Memberships.Default,
  Orgs.Default,
  AllowLists.Default,
  Deployments.Default,
  SnapshotEvents.Default,
  Snapshots.Default
).pipe(
  Layer.provide(SnapshotHistory.Default),
  Layer.provide(layerHistory),
  Layer.provide(LogicalSnapshots.Default),
  Layer.provideMerge(Trails.Default),
  Layer.provideMerge(Flows.Default),
  Layer.provideMerge(Journals.Default)
)
