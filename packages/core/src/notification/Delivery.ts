/**
 * One notification on its way to one target, and how an attempt at it can end.
 *
 * Deliveries are at least once: an attempt whose outcome was lost is repeated under the same id, by
 * which receivers tell repetitions apart. When to try again is decided by whoever sends. DECISION D9.6
 */
import * as Schema from "effect/Schema"
import { DeliveryId, OrgId } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"
import { Notification } from "./Notification.js"
import { NotificationTarget } from "./NotificationTarget.js"

/** A delivery that waits to be sent. */
export const Delivery = Schema.Struct({
  org_id: OrgId,
  /** The `webhook-id`: the same for every attempt, and for a replay. */
  id: DeliveryId,
  /**
   * Deliveries of one queue go to one target: the id of a stored target, or the notification's type
   * where recipients are derived. Unique within the org.
   */
  queue: Schema.String,
  /** What was decided to be told to this queue, once: a second delivery of one intent is not kept. */
  intent: Schema.String,
  /** The target as it was when the delivery was decided. */
  target: NotificationTarget,
  notification: Notification,
  /** How many attempts have failed. */
  attempts: Schema.Int,
  created_at: Timestamp
})
/** A delivery that waits to be sent. */
export type Delivery = typeof Delivery.Type

/** A delivery that was handed out to one worker for a while. */
export const ClaimedDelivery = Schema.Struct({
  ...Delivery.fields,
  /** Grows with every claim; an outcome under an older token is ignored. */
  token: Schema.Int,
  /** From then on anybody may claim it. */
  leased_until: Timestamp
})
/** A delivery that was handed out to one worker for a while. */
export type ClaimedDelivery = typeof ClaimedDelivery.Type

/** How an attempt ended. An `error` names a class, never an address or an answer's body (P-QUIET). */
export type DeliveryOutcome =
  /** The target has taken it. */
  | { readonly _tag: "Delivered" }
  /** The attempt failed; the next one is due this much later by the store's clock. */
  | { readonly _tag: "Retry"; readonly error: string; readonly afterMillis: number }
  /** The attempt failed and was the last: it becomes a dead letter. */
  | { readonly _tag: "Dead"; readonly error: string }
  /** The target is gone for good: it is disabled, and all that waits for it becomes dead letters. */
  | { readonly _tag: "Gone"; readonly error: string }
  /** There was no attempt, or none that counts: it is due at once, for anybody. */
  | { readonly _tag: "Released" }

/** The outcome of one claimed delivery. */
export interface Settlement {
  readonly org_id: DeliveryKey["org_id"]
  readonly id: DeliveryKey["id"]
  readonly token: number
  readonly outcome: DeliveryOutcome
}

/** What means one delivery. */
export type DeliveryKey = Pick<Delivery, "org_id" | "id">

/** What means one queue. */
export type QueueKey = Pick<Delivery, "org_id" | "queue">

/** A delivery that was given up, and why. */
export const DeadLetter = Schema.Struct({
  ...Delivery.fields,
  failed_at: Timestamp,
  error: Schema.String
})
/** A delivery that was given up, and why. */
export type DeadLetter = typeof DeadLetter.Type
