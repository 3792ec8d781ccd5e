/** Port: the notification configurations of an org, and what became of their notifications. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreError } from "../shared/StoreError.js"
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
    /** The configuration, its targets in the order in which they were given; an empty one if never written. */
    readonly find: (key: NotificationConfigKey) => Effect.Effect<NotificationConfig, StoreError>
    /**
     * The same, kept until the transaction ends from other writers and from `OutboxStore.settle`, which
     * waits for it before it writes what became of this type's notifications.
     */
    readonly lock: (key: NotificationConfigKey) => Effect.Effect<NotificationConfig, StoreError>
    /**
     * Replaces the targets; one that stays keeps the times that are stored. What waits for a target that
     * is no longer there, or died for it, is removed with it. The caller holds the lock.
     */
    readonly replaceTargets: (
      key: NotificationConfigKey,
      targets: ReadonlyArray<StoredTarget>
    ) => Effect.Effect<void, StoreError>
    /** Remembers that something could not be sent at all. The caller holds the lock. */
    readonly fail: (
      key: NotificationConfigKey,
      failure: DeliveryFailure
    ) => Effect.Effect<void, StoreError>
  }
>() {}
