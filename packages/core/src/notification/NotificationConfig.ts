/**
 * The targets of the notifications that the service raises by itself, for one type and the whole org. SPEC §2.1
 *
 * Without targets the recipients are derived from the notification. A configuration therefore always exists;
 * deleting one empties it.
 */
import * as Schema from "effect/Schema"
import { OrgId } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"
import { NotificationType } from "./Notification.js"
import { StoredTarget } from "./NotificationTarget.js"

/** A failed delivery: the class of the error, never an address. */
export const DeliveryFailure = Schema.Struct({ failed_at: Timestamp, error: Schema.String })
/** A failed delivery. */
export type DeliveryFailure = typeof DeliveryFailure.Type

/** A configuration with the results of its deliveries. */
export const NotificationConfig = Schema.Struct({
  org_id: OrgId,
  notification_type: NotificationType,
  targets: Schema.Array(StoredTarget),
  last_notified_at: Schema.NullOr(Timestamp),
  /** The most recent failed delivery, also when later ones succeeded. */
  failure: Schema.NullOr(DeliveryFailure)
})
/** A configuration. */
export type NotificationConfig = typeof NotificationConfig.Type

/** The key of a configuration. */
export interface NotificationConfigKey {
  readonly org: OrgId
  readonly type: NotificationType
}

/** A configuration that was never written. */
export const empty = ({ org, type }: NotificationConfigKey): NotificationConfig => ({
  org_id: org,
  notification_type: type,
  targets: [],
  last_notified_at: null,
  failure: null
})

/** The days before its expiry at which a key is notified. */
export const EXPIRY_THRESHOLDS_DAYS = [30, 7, 1, 0] as const

/** The days before its end at which a waiver is notified. */
export const WAIVER_THRESHOLDS_DAYS = [14, 7, 1, 0] as const

/** The conditions under which a type notifies. */
export interface Detection {
  readonly thresholds_days: ReadonlyArray<number>
}

/** The conditions of each type. */
const DETECTION: { readonly [Type in NotificationType]: Detection } = {
  api_key_expiry: { thresholds_days: EXPIRY_THRESHOLDS_DAYS },
  waiver_expiry: { thresholds_days: WAIVER_THRESHOLDS_DAYS },
  access_change: { thresholds_days: [] },
  break_glass: { thresholds_days: [] },
  proposal: { thresholds_days: [] }
}

/** The conditions of a type. */
export const detectionOf = (type: NotificationType): Detection => DETECTION[type]

/** The failure to show: the most recent one, unless a delivery succeeded after it (law NOTIFY-4). */
export const visibleFailure = ({
  last_notified_at: notified,
  failure
}: Pick<NotificationConfig, "last_notified_at" | "failure">): DeliveryFailure | null =>
  failure !== null && (notified === null || failure.failed_at > notified) ? failure : null
