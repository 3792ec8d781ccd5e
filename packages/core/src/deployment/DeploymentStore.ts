/** Port: the deployments of an org. They derive from snapshots, so nothing is written. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Fingerprint } from "../artifact/Fingerprint.js"
import type { EnvironmentId, EnvironmentName, FlowId, OrgId } from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type { EventPosition, StoredEvent } from "../snapshot/SnapshotStore.js"

/** The key of a deployment: an event of an environment. */
export interface DeploymentKey extends EventPosition {
  readonly environment: EnvironmentId
}

/** A deployment: its event, and the current name of its environment. */
export interface StoredDeployment {
  readonly environmentId: EnvironmentId
  readonly environmentName: EnvironmentName
  readonly event: StoredEvent
}

/** Which deployments are listed; filters combine with AND. */
export interface DeploymentFilter {
  readonly environment?: EnvironmentId
  /** A flow that knows the artifact. */
  readonly flow?: FlowId
  readonly fingerprint?: Fingerprint
}

/** Port: the deployments of an org. */
export class DeploymentStore extends Context.Tag("@attestry/core/DeploymentStore")<
  DeploymentStore,
  {
    /** One page of the deployments that pass the filter, newest first, without those of archived environments. */
    readonly list: (
      org: OrgId,
      filter: DeploymentFilter,
      page: Page
    ) => Effect.Effect<Paged<StoredDeployment>, StoreError>
    /** The deployment with that key; none when the event is absent or no deployment. */
    readonly find: (
      org: OrgId,
      key: DeploymentKey
    ) => Effect.Effect<Option.Option<StoredDeployment>, StoreError>
  }
>() {}
