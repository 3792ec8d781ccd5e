/** Which keys of service accounts are notified before they expire, to which recipients, and how. */
import type { ApiKey } from "../api-key/ApiKey.js"
import type { ApiKeyId, OrgName, ServiceAccountName } from "../shared/Identifier.js"
import type { Timestamp } from "../shared/Timestamp.js"
import * as ExpiryThreshold from "./ExpiryThreshold.js"
import type { ApiKeyExpiryNotification } from "./Notification.js"

/** A key of a service account that expires, with its last notification. */
export interface ExpiringKey extends ExpiryThreshold.Expiring {
  readonly id: ApiKeyId
  readonly description: string
  readonly service_account: ServiceAccountName
  /** The id of the creator of the account, which need not be a user. */
  readonly creating_user_id: string
}

/** Whether a key is subject to notifications: it expires, and is neither revoked nor rotated. */
export const counts = ({
  owner,
  expires_at,
  revoked_at,
  grace_period_expires_at
}: Pick<ApiKey, "owner" | "expires_at" | "revoked_at" | "grace_period_expires_at">): boolean =>
  owner.kind === "service-account" &&
  expires_at !== null &&
  revoked_at === null &&
  grace_period_expires_at === null

/** The derived recipients: the account's creator, else the admins. */
export const recipients = (
  { creating_user_id }: Pick<ExpiringKey, "creating_user_id">,
  members: ReadonlyArray<ExpiryThreshold.Mailbox>
): ReadonlyArray<string> => ExpiryThreshold.recipients([creating_user_id], members)

/** The notification about a key. The key's text is not part of it (law NOTIFY-7). */
export const notificationOf = (
  key: ExpiringKey,
  scan: { readonly org: OrgName; readonly at: Timestamp }
): ApiKeyExpiryNotification => {
  const days = ExpiryThreshold.daysLeft(key.expires_at, scan.at)
  return {
    event_type: "API_KEY_EXPIRY",
    ...scan,
    description: `API key ${key.id} of service account ${key.service_account} ${ExpiryThreshold.inWords(days)}`,
    api_key: {
      id: key.id,
      description: key.description,
      service_account: key.service_account,
      expires_at: key.expires_at,
      days_left: days
    }
  }
}
