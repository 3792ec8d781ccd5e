/** Finds keys that expire soon and adds deliveries: one message per key and threshold. The host schedules scans. */
import * as Effect from "effect/Effect"
import * as ApiKeyExpiry from "./ApiKeyExpiry.js"
import * as ExpiryNotices from "./internal/ExpiryNotices.js"
import { EXPIRY_THRESHOLDS_DAYS } from "./NotificationConfig.js"
import { NotificationStore } from "./NotificationStore.js"

/** Use case: the scan for keys that expire soon. */
export class ApiKeyExpiryScan extends Effect.Service<ApiKeyExpiryScan>()(
  "@attestry/core/ApiKeyExpiryScan",
  {
    effect: Effect.gen(function* () {
      const store = yield* NotificationStore
      const scan = yield* ExpiryNotices.make<ApiKeyExpiry.ExpiringKey>({
        type: "api_key_expiry",
        actor: "api-key-expiry",
        thresholds: EXPIRY_THRESHOLDS_DAYS,
        subjectOf: ({ id }) => ({ type: "api_key", id }),
        recordOf: ({ id }) => ({ key_id: id }),
        recipients: ApiKeyExpiry.recipients,
        notificationOf: ApiKeyExpiry.notificationOf,
        listOrgs: store.listExpiringOrgs,
        list: (org, { withinSeconds }) => store.listExpiringKeys(org, withinSeconds)
      })
      return {
        /** Scans every org once and returns the number of added deliveries. */
        scan: Effect.withSpan(scan, "ApiKeyExpiryScan.scan")
      } as const
    })
  }
) {}
