/**
 * Port: deliveries that wait, are handed out, and are done.
 *
 * `append` joins the transaction of the write that is notified about, so that both are there or neither.
 * Everything a worker does spans orgs, is one round trip for many deliveries, and is a transaction of its
 * own: `claim` and `settle` must not be called inside of one.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { DeliveryId, OrgId } from "../shared/Identifier.js"
import type { Page } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type {
  ClaimedDelivery,
  DeadLetter,
  Delivery,
  DeliveryKey,
  QueueKey,
  Settlement
} from "./Delivery.js"

/** Which queues to hand out from. */
export type QueueChoice =
  /** All but the named ones. */
  | { readonly _tag: "AllBut"; readonly queues: ReadonlyArray<QueueKey> }
  /** None but the named ones. */
  | { readonly _tag: "Only"; readonly queues: ReadonlyArray<QueueKey> }
  /**
   * Those that are known to answer, but for the named ones: the target took what was last tried, or there is
   * none, where recipients are derived.
   */
  | { readonly _tag: "AnsweringBut"; readonly queues: ReadonlyArray<QueueKey> }

/** How much a worker wants to be handed out. */
export interface ClaimRequest {
  /** At most this many deliveries. */
  readonly limit: number
  /** At most this many deliveries of one queue under lease at once, those of other workers included. */
  readonly perQueue: number
  /** How long nobody else may claim them. */
  readonly leaseMillis: number
  /** From all queues, unless something else is said. */
  readonly from?: QueueChoice
}

/** How much there is in the outbox, over all orgs. */
export interface OutboxDepth {
  /** What could be claimed now; counted up to a hundred thousand. */
  readonly due: number
  /** How long the one that is due longest has been due; 0 when nothing is. */
  readonly oldestDueMillis: number
  /** Dead letters; counted up to a hundred thousand. */
  readonly dead: number
}

/** Nothing is counted beyond this. */
export const DEPTH_MAX = 100_000

/** Which dead letters are to be forgotten. */
export interface PruneRequest {
  /** Those that failed at least so long ago, by the store's clock. */
  readonly olderThanMillis: number
  /** At most this many, those that failed longest ago first. */
  readonly limit: number
}

/** Port: the outbox. */
export class OutboxStore extends Context.Tag("@attestry/core/OutboxStore")<
  OutboxStore,
  {
    /**
     * Adds deliveries, due at once. One whose intent waits in its queue already is left out; one whose
     * intent is a dead letter there is that letter's replay. All are of one org, and no statement is made
     * for none. Answers the ids of those that wait because of this call.
     */
    readonly append: (
      deliveries: ReadonlyArray<Delivery>
    ) => Effect.Effect<ReadonlyArray<DeliveryId>, StoreError>
    /** The same for whoever does not ask which: a store may write them with all else that is to be committed. */
    readonly add: (deliveries: ReadonlyArray<Delivery>) => Effect.Effect<void, StoreError>
    /** Removes what has one of these intents, in whatever queue, waiting, leased or dead. */
    readonly withdraw: (
      org: OrgId,
      intents: ReadonlyArray<string>
    ) => Effect.Effect<void, StoreError>
    /**
     * Hands out deliveries that are due, of all orgs, and leases them. A delivery under lease is handed
     * out to nobody else, whatever the number of processes; when its lease ends, or it is settled as
     * `Retry` or `Released`, it can be claimed again under a larger token. Within a queue the one that
     * has been due longest comes first; queues take turns, so that one with many, or one that never
     * answers, holds up no other. What goes to a target that is no longer there is dropped. A delivery that
     * is damaged is logged and becomes a dead letter, so that it holds up no other either. An empty answer
     * means that nothing is due now.
     */
    readonly claim: (
      request: ClaimRequest
    ) => Effect.Effect<ReadonlyArray<ClaimedDelivery>, StoreError>
    /**
     * Writes outcomes, all or none. One whose token is not the latest, or whose delivery is no longer
     * there, is ignored. Answers the deliveries whose outcome was taken.
     *
     * - `Delivered` removes the delivery. The target's `last_success_at` becomes now; for a type that has
     *   a configuration, so does `last_notified_at`, and for a key's expiry its days left count as told.
     * - `Retry`, `Dead` and `Gone` count an attempt. The target's `last_failure_at` becomes now; for a
     *   type that has a configuration, so does `last_failure`, with the error.
     * - `Dead` moves the delivery to the dead letters; `Gone` does so with all that waits in its queue,
     *   and disables the target.
     * - `Released` counts nothing.
     */
    readonly settle: (
      settlements: ReadonlyArray<Settlement>
    ) => Effect.Effect<ReadonlyArray<DeliveryKey>, StoreError>
    /** One page of an org's dead letters, newest failure first, then by id. */
    readonly listDead: (
      org: OrgId,
      page: Page
    ) => Effect.Effect<ReadonlyArray<DeadLetter>, StoreError>
    /**
     * Makes dead letters of an org due at once, under their ids and with no attempt counted; all of them
     * when none is named. Answers the ids of those that were dead letters.
     */
    readonly replay: (
      org: OrgId,
      ids: ReadonlyArray<DeliveryId> | "all"
    ) => Effect.Effect<ReadonlyArray<DeliveryId>, StoreError>
    /** Removes old dead letters of all orgs, in a transaction of its own; answers how many. */
    readonly prune: (request: PruneRequest) => Effect.Effect<number, StoreError>
    /** How much there is, over all orgs, at about this moment. */
    readonly depth: Effect.Effect<OutboxDepth, StoreError>
  }
>() {}
