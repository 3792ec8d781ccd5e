/** Port: the environment notifications of an org. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { EnvironmentRef } from "../environment/Environment.js"
import type { EnvironmentName, OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type {
  EnvironmentNotification,
  EnvironmentNotificationKey
} from "./EnvironmentNotification.js"

/** Port: environment notifications; the targets of each come in the order in which they were given. */
export class EnvironmentNotificationStore extends Context.Tag(
  "@attestry/core/EnvironmentNotificationStore"
)<
  EnvironmentNotificationStore,
  {
    /** Every one, by number. */
    readonly list: (org: OrgId) => Effect.Effect<ReadonlyArray<EnvironmentNotification>, StoreError>
    /** The one of that number. */
    readonly find: (
      key: EnvironmentNotificationKey
    ) => Effect.Effect<Option.Option<EnvironmentNotification>, StoreError>
    /** The same, kept from other writers until the transaction ends. */
    readonly lock: (
      key: EnvironmentNotificationKey
    ) => Effect.Effect<Option.Option<EnvironmentNotification>, StoreError>
    /**
     * Those that name the environment, by its name or by a former one that leads to it; by number. A subscription
     * or a target that is damaged is logged and left out: the write that is told about must not fail for it.
     */
    readonly listWatching: (
      ref: EnvironmentRef,
      name: EnvironmentName
    ) => Effect.Effect<ReadonlyArray<EnvironmentNotification>, StoreError>
    /**
     * The number for the next one: 1 at first, and never one that was used before. Whoever asks next waits
     * until the transaction ends.
     */
    readonly lockNextNumber: (org: OrgId) => Effect.Effect<number, StoreError>
    /** Adds one and uses up its number, which `lockNextNumber` gave. */
    readonly insert: (notification: EnvironmentNotification) => Effect.Effect<void, StoreError>
    /**
     * Replaces name, environments, triggers, targets and time of change; a target that stays keeps the
     * times that are stored, and what waits for one that is no longer there, or died for it, is removed
     * with it.
     */
    readonly update: (notification: EnvironmentNotification) => Effect.Effect<void, StoreError>
    /** Removes it with all that waits for its targets or died for them. */
    readonly remove: (key: EnvironmentNotificationKey) => Effect.Effect<void, StoreError>
  }
>() {}
