/**
 * One notification for one target, and how an attempt to deliver it can end.
 *
 * Deliveries are at least once: an attempt whose outcome is lost is repeated under the same id, by which
 * receivers recognise it. The sender decides when to retry. DECISIONS.md, "Deliveries go through an outbox"
 */
import * as Schema from "effect/Schema"
import { DeliveryId, OrgId } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"
import { Audience } from "./Audience.js"
import { Notification } from "./Notification.js"
import { NotificationTarget } from "./NotificationTarget.js"

/** A delivery in the outbox. */
export const Delivery = Schema.Struct({
  org_id: OrgId,
  /** The `webhook-id`: the same for every attempt, and for a replay. */
  id: DeliveryId,
  /**
   * The queue of the target: the id of a stored target, or the notification's type where recipients are
   * derived. Unique in the org.
   */
  queue: Schema.String,
  /** The deduplication key in the queue: a second delivery with the same intent is not added. */
  intent: Schema.String,
  /** The target at the time of the notification. */
  target: NotificationTarget,
  /** The team that it is for, by which it is cut when it is sent; absent for the org. */
  audience: Schema.optionalWith(Audience, { exact: true, nullable: true }),
  notification: Notification,
  /** The number of failed attempts. */
  attempts: Schema.Int,
  created_at: Timestamp
})
/** A delivery in the outbox. */
export type Delivery = typeof Delivery.Type

/** A delivery that is leased to one worker. */
export const ClaimedDelivery = Schema.Struct({
  ...Delivery.fields,
  /** Increases with every claim; an outcome with an older token is ignored. */
  token: Schema.Int,
  /** When the lease ends and any worker may claim it. */
  leased_until: Timestamp
})
/** A delivery that is leased to one worker. */
export type ClaimedDelivery = typeof ClaimedDelivery.Type

/** How an attempt ended. An `error` names a class, never an address or a response body (P-QUIET). */
export type DeliveryOutcome =
  /** The target accepted it. */
  | { readonly _tag: "Delivered" }
  /** The attempt failed; the next one is due after this time by the store's clock. */
  | { readonly _tag: "Retry"; readonly error: string; readonly afterMillis: number }
  /** The last attempt failed: the delivery becomes a dead letter. */
  | { readonly _tag: "Dead"; readonly error: string }
  /** The target is gone for good: it is disabled, and all its deliveries become dead letters. */
  | { readonly _tag: "Gone"; readonly error: string }
  /** It is not for its receiver any more: it is removed without an attempt, and its target is as before. */
  | { readonly _tag: "Dropped" }
  /** There was no attempt that counts: the delivery is due at once, for any worker. */
  | { readonly _tag: "Released" }

/** The outcome of one claimed delivery. */
export interface Settlement {
  readonly org_id: DeliveryKey["org_id"]
  readonly id: DeliveryKey["id"]
  readonly token: number
  readonly outcome: DeliveryOutcome
}

/** The key of a delivery. */
export type DeliveryKey = Pick<Delivery, "org_id" | "id">

/** The key of a queue. */
export type QueueKey = Pick<Delivery, "org_id" | "queue">

/** The most deliveries that one request names. */
export const NAMED_MAX = 100

/** A delivery that was given up, and the error. */
export const DeadLetter = Schema.Struct({
  ...Delivery.fields,
  failed_at: Timestamp,
  error: Schema.String
})
/** A delivery that was given up, and the error. */
export type DeadLetter = typeof DeadLetter.Type
