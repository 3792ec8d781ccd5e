/** Finds waivers that end soon and adds deliveries: one message per waiver and threshold. The host schedules scans. */
import * as Effect from "effect/Effect"
import { OrgStore } from "../org/OrgStore.js"
import type { OrgId } from "../shared/Identifier.js"
import * as Timestamp from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import type { Waiver } from "../waiver/Waiver.js"
import { WaiverStore } from "../waiver/WaiverStore.js"
import * as ExpiryNotices from "./internal/ExpiryNotices.js"
import { WAIVER_THRESHOLDS_DAYS } from "./NotificationConfig.js"
import { NotificationStore } from "./NotificationStore.js"
import * as WaiverExpiry from "./WaiverExpiry.js"

const TYPE = "waiver_expiry"

/** Ends that are older are not notified: a scan that pauses for longer does not read every waiver ever made. */
const ENDED_SECONDS_MAX = 30 * 86_400

/** Use case: the scan for waivers that end soon. */
export class WaiverExpiryScan extends Effect.Service<WaiverExpiryScan>()(
  "@attestry/core/WaiverExpiryScan",
  {
    effect: Effect.gen(function* () {
      const orgs = yield* OrgStore
      const store = yield* NotificationStore
      const waivers = yield* WaiverStore
      const transaction = yield* Transaction

      const list = (org: OrgId, { now, withinSeconds }: ExpiryNotices.Horizon) =>
        Effect.gen(function* () {
          const since = Timestamp.plusSeconds(now, -ENDED_SECONDS_MAX)
          const approved = yield* waivers.listApproved(org, { since })
          const until = Timestamp.plusSeconds(now, withinSeconds)
          const ending: ReadonlyArray<Waiver> = WaiverExpiry.ending(approved, until)
          if (ending.length === 0) return []
          const notified = yield* store.listNotices({ org, type: TYPE })
          return ending.map(
            (waiver): WaiverExpiry.ExpiringWaiver => ({
              ...waiver,
              notified_days: notified.get(String(waiver.number)) ?? null
            })
          )
        })

      /** WHY looked at one by one: most orgs have no waiver that ends, and their configurations are not locked. */
      const listOrgs = (withinSeconds: number) =>
        Effect.flatMap(orgs.list, (all) =>
          Effect.filter(all, ({ id }) =>
            transaction
              .run(id, (scope) => scope.now)
              .pipe(
                Effect.flatMap((now) => list(id, { now, withinSeconds })),
                Effect.map((found) => found.some(({ notified_days }) => notified_days !== 0))
              )
          )
        )

      const scan = yield* ExpiryNotices.make<WaiverExpiry.ExpiringWaiver>({
        type: TYPE,
        actor: "waiver-expiry",
        thresholds: WAIVER_THRESHOLDS_DAYS,
        subjectOf: ({ number }) => ({ type: "waiver", id: String(number) }),
        recordOf: ({ number }) => ({ number }),
        recipients: WaiverExpiry.recipients,
        notificationOf: WaiverExpiry.notificationOf,
        listOrgs,
        list
      })
      return {
        /** Scans every org once and returns the number of added deliveries. */
        scan: Effect.withSpan(scan, "WaiverExpiryScan.scan")
      } as const
    })
  }
) {}
