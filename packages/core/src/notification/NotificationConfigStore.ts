/** Port: the notification configurations of an org, and the results of their deliveries. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreError } from "../shared/StoreError.js"
import type { Locking } from "../shared/Transaction.js"
import type {
  DeliveryFailure,
  NotificationConfig,
  NotificationConfigKey
} from "./NotificationConfig.js"
import type { StoredTarget } from "./NotificationTarget.js"

/** Port: notification configurations. */
export class NotificationConfigStore extends Context.Tag("@attestry/core/NotificationConfigStore")<
  NotificationConfigStore,
  {
    /**
     * The configuration with its targets in the order in which they were given; an empty one when it was never
     * written. `OutboxStore.settle` waits for its lock before it writes results of this type.
     */
    readonly findConfig: (
      key: NotificationConfigKey,
      locking?: Locking
    ) => Effect.Effect<NotificationConfig, StoreError>
    /**
     * Replaces the targets. A target that stays keeps its stored times; the deliveries and dead letters of a
     * removed target are removed. The caller holds the lock.
     */
    readonly replaceConfigTargets: (
      key: NotificationConfigKey,
      targets: ReadonlyArray<StoredTarget>
    ) => Effect.Effect<void, StoreError>
    /**
     * Stores a failure that is not the failure of a delivery, such as an absence of recipients. The caller
     * holds the lock.
     */
    readonly failConfig: (
      key: NotificationConfigKey,
      failure: DeliveryFailure
    ) => Effect.Effect<void, StoreError>
  }
>() {}
