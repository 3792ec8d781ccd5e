/**
 * Port: where the notifications of an org go: configurations by type, notifications of environments and of flows, the
 * secrets that sign webhooks, and the reads and marks of scans. Only `listExpiringOrgs` and `listDecaying` span orgs.
 *
 * The targets of each are in the order in which they were given.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { EnvironmentRef } from "../environment/Environment.js"
import type { Org } from "../org/Org.js"
import type { EnvironmentName, FlowId, OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { Locking } from "../shared/Transaction.js"
import type { ExpiringKey } from "./ApiKeyExpiry.js"
import type {
  EnvironmentNotification,
  EnvironmentNotificationKey
} from "./EnvironmentNotification.js"
import type { Mailbox } from "./ExpiryThreshold.js"
import type { FlowNotification, FlowNotificationKey } from "./FlowNotification.js"
import type {
  DeliveryFailure,
  NotificationConfig,
  NotificationConfigKey
} from "./NotificationConfig.js"
import type { StoredTarget } from "./NotificationTarget.js"
import type { SigningSecret } from "./SigningSecret.js"

/** Port: where the notifications of an org go. */
export class NotificationStore extends Context.Tag("@attestry/core/NotificationStore")<
  NotificationStore,
  {
    /**
     * The configuration; an empty one when it was never written. `OutboxStore.settle` waits for its lock before it
     * writes results of this type.
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
    /** Every environment notification, in ascending order of number. */
    readonly listEnvironmentNotifications: (
      org: OrgId
    ) => Effect.Effect<ReadonlyArray<EnvironmentNotification>, StoreError>
    /** The environment notification of that number; none when there is none, or a flow notification. */
    readonly findEnvironmentNotification: (
      key: EnvironmentNotificationKey,
      locking?: Locking
    ) => Effect.Effect<Option.Option<EnvironmentNotification>, StoreError>
    /**
     * The environment notifications that name the environment, by its current or a former name that leads to it, in
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
    /** Adds a notification of either kind under the number of `lockNextNumber`, which is used from then on. */
    readonly insert: (
      notification: EnvironmentNotification | FlowNotification
    ) => Effect.Effect<void, StoreError>
    /**
     * Replaces name, environments, triggers, targets and time of change. A target that stays keeps its stored
     * times; the deliveries and dead letters of a removed target are removed. The caller holds the lock.
     */
    readonly updateEnvironmentNotification: (
      notification: EnvironmentNotification
    ) => Effect.Effect<void, StoreError>
    /**
     * Removes the notification of that kind and number with all deliveries and dead letters of its targets; does
     * nothing when there is none.
     */
    readonly remove: (
      notification: EnvironmentNotification | FlowNotification
    ) => Effect.Effect<void, StoreError>
    /** Every flow notification, in ascending order of number. */
    readonly listFlowNotifications: (
      org: OrgId
    ) => Effect.Effect<ReadonlyArray<FlowNotification>, StoreError>
    /** The flow notification of that number; none when there is none, or an environment notification. */
    readonly findFlowNotification: (
      key: FlowNotificationKey,
      locking?: Locking
    ) => Effect.Effect<Option.Option<FlowNotification>, StoreError>
    /**
     * The notifications of that flow, in ascending order of number. A damaged notification or target is logged and left
     * out, so that the write that causes the notification does not fail.
     */
    readonly listWatchingFlow: (
      org: OrgId,
      flow: FlowId
    ) => Effect.Effect<ReadonlyArray<FlowNotification>, StoreError>
    /** The org's secrets; none before the first. */
    readonly findSecret: (
      org: OrgId,
      locking?: Locking
    ) => Effect.Effect<Option.Option<SigningSecret>, StoreError>
    /** Adds an org's first secret and returns true; returns false and does nothing when it has one. */
    readonly insertSecret: (secret: SigningSecret) => Effect.Effect<boolean, StoreError>
    /** Replaces the org's secrets. The caller holds the lock. */
    readonly updateSecret: (secret: SigningSecret) => Effect.Effect<void, StoreError>
    /**
     * The orgs with a key that passes `ApiKeyExpiry.counts`, expires within so many seconds by the store's
     * clock, and whose expiry itself is not notified; in ascending order of id.
     */
    readonly listExpiringOrgs: (
      withinSeconds: number
    ) => Effect.Effect<ReadonlyArray<Pick<Org, "id" | "name">>, StoreError>
    /**
     * These keys of one org, in ascending order of id, with the fewest days left that `OutboxStore.settle` has
     * marked.
     */
    readonly listExpiringKeys: (
      org: OrgId,
      withinSeconds: number
    ) => Effect.Effect<ReadonlyArray<ExpiringKey>, StoreError>
    /** The fewest days left that `OutboxStore.settle` has marked for subjects of a type, by their ids. */
    readonly listNotices: (
      key: NotificationConfigKey
    ) => Effect.Effect<ReadonlyMap<string, number>, StoreError>
    /**
     * The active environments of all orgs that are compliant and due within this many seconds by the store's clock,
     * where the org has a subscription to `ON_DECAYING_ENV` and the due instant is not marked; those due first first.
     */
    readonly listDecaying: (
      withinSeconds: number
    ) => Effect.Effect<ReadonlyArray<EnvironmentRef>, StoreError>
    /**
     * Marks an instant of an environment as notified and returns true; returns false when it is marked. May forget
     * marks of the environment that have passed. The caller holds the environment's lock.
     */
    readonly markDecay: (
      ref: EnvironmentRef,
      dueAt: Timestamp
    ) => Effect.Effect<boolean, StoreError>
    /** Every member of the org, in ascending order of user id. */
    readonly listMailboxes: (org: OrgId) => Effect.Effect<ReadonlyArray<Mailbox>, StoreError>
  }
>() {}
