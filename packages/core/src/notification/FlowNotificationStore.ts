/** Port: the flow notifications of an org. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { FlowId, OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Locking } from "../shared/Transaction.js"
import type { FlowNotification, FlowNotificationKey } from "./FlowNotification.js"

/** Port: flow notifications; the targets of each are in the order in which they were given. */
export class FlowNotificationStore extends Context.Tag("@attestry/core/FlowNotificationStore")<
  FlowNotificationStore,
  {
    /** Every notification, in ascending order of number. */
    readonly listFlowNotifications: (
      org: OrgId
    ) => Effect.Effect<ReadonlyArray<FlowNotification>, StoreError>
    /** The notification of that number; none when there is none, or an environment notification. */
    readonly findFlowNotification: (
      key: FlowNotificationKey,
      locking?: Locking
    ) => Effect.Effect<Option.Option<FlowNotification>, StoreError>
    /**
     * The notifications of a flow, in ascending order of number. A damaged notification or target is logged and left
     * out, so that the write that causes the notification does not fail.
     */
    readonly listWatchingFlow: (
      org: OrgId,
      flow: FlowId
    ) => Effect.Effect<ReadonlyArray<FlowNotification>, StoreError>
    /** Adds a notification under the number of `EnvironmentNotificationStore.lockNextNumber`, which is then used. */
    readonly insert: (notification: FlowNotification) => Effect.Effect<void, StoreError>
    /** Removes a notification with all deliveries and dead letters of its targets; does nothing when there is none. */
    readonly remove: (key: FlowNotificationKey) => Effect.Effect<void, StoreError>
  }
>() {}
