/** Port: the environment notifications of an org. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { EnvironmentRef } from "../environment/Environment.js"
import type { EnvironmentName, OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Locking } from "../shared/Transaction.js"
import type {
  EnvironmentNotification,
  EnvironmentNotificationKey
} from "./EnvironmentNotification.js"

/** Port: environment notifications; the targets of each are in the order in which they were given. */
export class EnvironmentNotificationStore extends Context.Tag(
  "@attestry/core/EnvironmentNotificationStore"
)<
  EnvironmentNotificationStore,
  {
    /** Every notification, in ascending order of number. */
    readonly listEnvironmentNotifications: (
      org: OrgId
    ) => Effect.Effect<ReadonlyArray<EnvironmentNotification>, StoreError>
    /** The notification of that number; none when there is none. */
    readonly findEnvironmentNotification: (
      key: EnvironmentNotificationKey,
      locking?: Locking
    ) => Effect.Effect<Option.Option<EnvironmentNotification>, StoreError>
    /**
     * The notifications that name the environment, by its current or a former name that leads to it, in
     * ascending order of number. A damaged notification or target is logged and left out, so that the write
     * that causes the notification does not fail.
     */
    readonly listWatchingEnvironment: (
      ref: EnvironmentRef,
      name: EnvironmentName
    ) => Effect.Effect<ReadonlyArray<EnvironmentNotification>, StoreError>
    /**
     * The next number: 1 at first, and never one that was used. Locks the sequence of numbers until the
     * transaction ends.
     */
    readonly lockNextNumber: (org: OrgId) => Effect.Effect<number, StoreError>
    /** Adds a notification under the number of `lockNextNumber`, which is used from then on. */
    readonly insert: (notification: EnvironmentNotification) => Effect.Effect<void, StoreError>
    /**
     * Replaces name, environments, triggers, targets and time of change. A target that stays keeps its stored
     * times; the deliveries and dead letters of a removed target are removed. The caller holds the lock.
     */
    readonly updateEnvironmentNotification: (
      notification: EnvironmentNotification
    ) => Effect.Effect<void, StoreError>
    /** Removes a notification with all deliveries and dead letters of its targets; does nothing when there is none. */
    readonly remove: (key: EnvironmentNotificationKey) => Effect.Effect<void, StoreError>
  }
>() {}
