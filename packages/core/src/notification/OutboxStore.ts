/**
 * Port: deliveries that wait, are leased, and are settled.
 *
 * `append` and `add` run in the transaction of the write that causes the notification, so that both commit or
 * neither does. The calls of a worker span orgs and are transactions of their own: `claim`, `settle` and
 * `prune` must not be called inside another.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { DeliveryId, OrgId } from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Audience } from "./Audience.js"
import type {
  ClaimedDelivery,
  DeadLetter,
  Delivery,
  DeliveryKey,
  QueueKey,
  Settlement
} from "./Delivery.js"

/** Which queues to claim from. */
export type QueueChoice =
  /** All queues except these. */
  | { readonly _tag: "AllBut"; readonly queues: ReadonlyArray<QueueKey> }
  /** Only these queues. */
  | { readonly _tag: "Only"; readonly queues: ReadonlyArray<QueueKey> }
  /**
   * All queues except these whose target accepted the last attempt, or that have no stored target because
   * recipients are derived.
   */
  | { readonly _tag: "AnsweringBut"; readonly queues: ReadonlyArray<QueueKey> }

/** The options of a claim. */
export interface ClaimRequest {
  /** At most this many deliveries. */
  readonly limit: number
  /** The most leased deliveries of one queue at a time, those of other workers included. */
  readonly perQueue: number
  /** The duration of the lease. */
  readonly leaseMillis: number
  /** All queues by default. */
  readonly from?: QueueChoice
}

/** The size of the outbox over all orgs. */
export interface OutboxDepth {
  /** Deliveries that could be claimed now; counted up to `DEPTH_MAX`. */
  readonly due: number
  /** How long the oldest due delivery has been due; 0 without one. */
  readonly oldestDueMillis: number
  /** Dead letters; counted up to `DEPTH_MAX`. */
  readonly dead: number
}

/** The largest count. */
export const DEPTH_MAX = 100_000

/** Which dead letters to delete. */
export interface PruneRequest {
  /** Those that failed at least so long ago, by the store's clock. */
  readonly olderThanMillis: number
  /** At most this many, the oldest failures first. */
  readonly limit: number
}

/** Port: the outbox. */
export class OutboxStore extends Context.Tag("@attestry/core/OutboxStore")<
  OutboxStore,
  {
    /**
     * Adds deliveries of one org, due at once, and returns the ids of those that wait because of this call. A
     * delivery whose intent waits in its queue is left out; one whose intent is a dead letter of its queue
     * replays that letter. Does nothing for an empty list.
     */
    readonly append: (
      deliveries: ReadonlyArray<Delivery>
    ) => Effect.Effect<ReadonlyArray<DeliveryId>, StoreError>
    /** As `append`, without a result; a store may postpone the write to the commit. */
    readonly add: (deliveries: ReadonlyArray<Delivery>) => Effect.Effect<void, StoreError>
    /** Removes every delivery with one of these intents, in any queue: waiting, leased or dead. */
    readonly withdraw: (
      org: OrgId,
      intents: ReadonlyArray<string>
    ) => Effect.Effect<void, StoreError>
    /**
     * Leases due deliveries of all orgs and returns them. A leased delivery is not returned to any other claim,
     * of any process; when its lease ends, or it is settled as `Retry` or `Released`, it can be claimed again
     * under a larger token. Within a queue the delivery that is due longest comes first. Queues take turns, so
     * that a long or failing queue delays no other. Deliveries of a removed target are dropped. A damaged
     * delivery is logged and becomes a dead letter. An empty list means that nothing is due.
     */
    readonly claim: (
      request: ClaimRequest
    ) => Effect.Effect<ReadonlyArray<ClaimedDelivery>, StoreError>
    /**
     * Writes outcomes, all or none, and returns the deliveries whose outcome was accepted. An outcome whose
     * token is not the latest, or whose delivery is absent, is ignored.
     *
     * - `Delivered` removes the delivery. The target's `last_success_at` becomes now; for a type with a
     * configuration, so does `last_notified_at`, and for a key's expiry its days left are marked as notified.
     * - `Retry`, `Dead` and `Gone` count an attempt. The target's `last_failure_at` becomes now and its
     * `last_error` the error; for a type with a configuration, so does `last_failure`, with the error.
     * - `Dead` moves the delivery to the dead letters; `Gone` does so with all deliveries of its queue, and
     * disables the target.
     * - `Released` counts nothing.
     */
    readonly settle: (
      settlements: ReadonlyArray<Settlement>
    ) => Effect.Effect<ReadonlyArray<DeliveryKey>, StoreError>
    /**
     * One page of an org's dead letters, newest failure first, then by id; the total is counted up to `DEPTH_MAX`. With
     * `audiences` only those that are for one of them.
     */
    readonly listDead: (
      org: OrgId,
      page: Page,
      audiences?: ReadonlyArray<Audience>
    ) => Effect.Effect<Paged<DeadLetter>, StoreError>
    /** The audiences of an org's dead letters, each once, in no order. */
    readonly listDeadAudiences: (org: OrgId) => Effect.Effect<ReadonlyArray<Audience>, StoreError>
    /**
     * Makes dead letters of an org due at once, under their ids and without attempts; all of them when none is
     * named. With `audiences` only those that are for one of them. Returns the ids of those that were dead letters.
     */
    readonly replay: (
      org: OrgId,
      ids: ReadonlyArray<DeliveryId> | "all",
      audiences?: ReadonlyArray<Audience>
    ) => Effect.Effect<ReadonlyArray<DeliveryId>, StoreError>
    /** Deletes old dead letters of all orgs in a transaction of its own; returns their number. */
    readonly prune: (request: PruneRequest) => Effect.Effect<number, StoreError>
    /** The size of the outbox over all orgs; the counts may be of slightly different instants. */
    readonly depth: Effect.Effect<OutboxDepth, StoreError>
  }
>() {}
