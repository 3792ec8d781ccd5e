/** Records the outcome of a delivery: on its target, on the configuration of its type, and for the key or waiver. */
import type { Delivery, DeliveryOutcome } from "@attestry/core/Delivery"
import * as Notification from "@attestry/core/Notification"
import * as NotificationConfig from "@attestry/core/NotificationConfig"
import type { StoredTarget } from "@attestry/core/NotificationTarget"
import type { Timestamp } from "@attestry/core/Timestamp"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, MemoryState, type MemoryTable } from "../shared/MemoryState.js"
import { configs, flowSubscriptions, notices, subscriptions } from "./NotificationTables.js"

type Failure = Extract<DeliveryOutcome, { readonly error: string }>

interface Targeted {
  readonly org_id: string
  readonly targets: ReadonlyArray<StoredTarget>
}

/** Records the outcomes of deliveries. */
export const make = Effect.gen(function* () {
  const state = yield* MemoryState
  const configRows = yield* MemoryRows.make(configs)
  const noticeRows = yield* MemoryRows.make(notices)

  const changeIn = <V extends Targeted>(
    source: MemoryTable<V>,
    delivery: Delivery,
    change: (target: StoredTarget) => StoredTarget
  ) =>
    state.modify(source, (rows) => [
      undefined,
      HashMap.map(rows, (row) =>
        row.org_id === delivery.org_id && row.targets.some(({ id }) => id === delivery.queue)
          ? {
              ...row,
              targets: row.targets.map((target) =>
                target.id === delivery.queue ? change(target) : target
              )
            }
          : row
      )
    ])

  const changeTarget = (delivery: Delivery, change: (target: StoredTarget) => StoredTarget) =>
    changeIn(configs, delivery, change).pipe(
      Effect.zipRight(changeIn(subscriptions, delivery, change)),
      Effect.zipRight(changeIn(flowSubscriptions, delivery, change))
    )

  const changeConfig = (
    { org_id, notification }: Delivery,
    change: (config: NotificationConfig.NotificationConfig) => NotificationConfig.NotificationConfig
  ) => {
    const type = Notification.typeOf(notification)
    if (type === null) return Effect.void
    const place = key(org_id, type)
    return Effect.flatMap(configRows.find(place), (found) =>
      configRows.set(
        place,
        change(Option.getOrElse(found, () => NotificationConfig.empty({ org: org_id, type })))
      )
    )
  }

  const markNotified = ({ org_id, notification }: Delivery) => {
    const expiry = Notification.expiryOf(notification)
    const type = Notification.typeOf(notification)
    if (expiry === null || type === null) return Effect.void
    const place = key(org_id, type, expiry.subject)
    return Effect.flatMap(noticeRows.find(place), (before) =>
      noticeRows.set(place, {
        org: org_id,
        type,
        subject: expiry.subject,
        days: Math.min(
          expiry.days,
          Option.match(before, { onNone: () => expiry.days, onSome: ({ days }) => days })
        )
      })
    )
  }

  return {
    success: (delivery: Delivery, now: Timestamp) =>
      changeTarget(delivery, (target) => ({ ...target, last_success_at: now })).pipe(
        Effect.zipRight(changeConfig(delivery, (config) => ({ ...config, last_notified_at: now }))),
        Effect.zipRight(markNotified(delivery))
      ),
    failure: (delivery: Delivery, now: Timestamp, { _tag, error }: Failure) =>
      changeTarget(delivery, (target) => ({
        ...target,
        last_failure_at: now,
        last_error: error,
        disabled_at: _tag === "Gone" ? now : target.disabled_at
      })).pipe(
        Effect.zipRight(
          changeConfig(delivery, (config) => ({ ...config, failure: { failed_at: now, error } }))
        )
      )
  }
})
