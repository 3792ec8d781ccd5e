/** Serves the operations of deliveries that failed. */
import { DeliveryApi, type FailedDeliveryResponse } from "@attestry/api/DeliveryApi"
import { FailedDeliveries, type FailedDelivery } from "@attestry/core/FailedDeliveries"
import * as Effect from "effect/Effect"
import { ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import * as Paging from "../../shared/internal/Paging.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"

const responseOf = (failed: FailedDelivery): typeof FailedDeliveryResponse.Type => ({
  id: failed.id,
  notification: failed.subscription,
  target_type: failed.target.type,
  event_type: failed.notification.event_type,
  description: failed.notification.description,
  attempts: failed.attempts,
  error: failed.error,
  created_at: failed.created_at,
  failed_at: failed.failed_at
})

/** Serves the operations of deliveries. */
export const DeliveryHandlers = group(
  DeliveryApi,
  Effect.gen(function* () {
    const deliveries = yield* FailedDeliveries
    const base = yield* PublicUrl
    return {
      failed: ({ path, urlParams, incoming }) => {
        const page = Paging.pageOf(urlParams)
        return deliveries.list(path.org, page).pipe(
          toWire,
          Effect.map(({ items, total }) =>
            ok({
              ...Paging.counters(base, incoming, { total, page }),
              deliveries: items.map(responseOf)
            })
          )
        )
      },
      replay: ({ path, payload }) =>
        deliveries.replay(path.org, payload.ids).pipe(
          toWire,
          Effect.map((replayed) => ok({ replayed }))
        )
    }
  })
)
