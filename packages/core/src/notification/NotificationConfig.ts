/**
 * Where the service sends what it raises by itself, for one type and the whole org. SPEC §2.1
 *
 * Without targets the recipients are derived from what a notification is about; there is no state beside
 * that, so a configuration always exists, and deleting one empties it.
 */
import * as Schema from "effect/Schema"
import { OrgId } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"
import { NotificationType } from "./Notification.js"
import { StoredTarget } from "./NotificationTarget.js"

/** How a delivery failed: a class, never an address. */
export const DeliveryFailure = Schema.Struct({ failed_at: Timestamp, error: Schema.String })
/** How a delivery failed. */
export type DeliveryFailure = typeof DeliveryFailure.Type

/** A configuration, with what became of its notifications. */
export const NotificationConfig = Schema.Struct({
  org_id: OrgId,
  notification_type: NotificationType,
  targets: Schema.Array(StoredTarget),
  last_notified_at: Schema.NullOr(Timestamp),
  /** The most recent failed delivery, whatever happened since. */
  failure: Schema.NullOr(DeliveryFailure)
})
/** A configuration. */
export type NotificationConfig = typeof NotificationConfig.Type

/** What means one configuration. */
export interface NotificationConfigKey {
  readonly org: OrgId
  readonly type: NotificationType
}

/** A configuration that nobody has written yet. */
export const empty = ({ org, type }: NotificationConfigKey): NotificationConfig => ({
  org_id: org,
  notification_type: type,
  targets: [],
  last_notified_at: null,
  failure: null
})

/** The days before its end at which a key's expiry is told. DECISION D10.1 */
export const EXPIRY_THRESHOLDS_DAYS = [30, 7, 1, 0] as const

/** What counts as a condition, for each type; a new type is a new member. */
const DETECTION: { readonly [Type in NotificationType]: { readonly [key: string]: unknown } } = {
  api_key_expiry: { thresholds_days: EXPIRY_THRESHOLDS_DAYS }
}

/** What counts as a condition of a type. */
export const detectionOf = (type: NotificationType): { readonly [key: string]: unknown } =>
  DETECTION[type]

/** The failure that is shown: the most recent one, while nothing has been sent after it (law N-4). */
export const visibleFailure = ({
  last_notified_at: notified,
  failure
}: Pick<NotificationConfig, "last_notified_at" | "failure">): DeliveryFailure | null =>
  failure !== null && (notified === null || failure.failed_at > notified) ? failure : null
