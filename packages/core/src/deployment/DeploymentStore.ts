/** Port: the deployments that snapshots tell of. They are derived, so there is nothing to write. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Fingerprint } from "../artifact/Fingerprint.js"
import type { EnvironmentId, EnvironmentName, FlowId, OrgId } from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type { EventPosition, StoredEvent } from "../snapshot/SnapshotStore.js"

/** Where a deployment happened: which event of which environment it is. */
export interface DeploymentKey extends EventPosition {
  readonly environment: EnvironmentId
}

/** A deployment: an event whose content arrived, and the name that its environment has now. */
export interface StoredDeployment {
  readonly environmentId: EnvironmentId
  readonly environmentName: EnvironmentName
  readonly event: StoredEvent
}

/** Which deployments are wanted; filters combine with AND. */
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
    /** One page of what a filter wants, newest first; archived environments are left out. */
    readonly list: (
      org: OrgId,
      filter: DeploymentFilter,
      page: Page
    ) => Effect.Effect<Paged<StoredDeployment>, StoreError>
    /** The deployment with that key; none when that event is no deployment. */
    readonly find: (
      org: OrgId,
      key: DeploymentKey
    ) => Effect.Effect<Option.Option<StoredDeployment>, StoreError>
  }
>() {}
