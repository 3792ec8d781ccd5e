/** Adds firings to the outbox, once for each subscribed target, in the transaction of their cause (P-OUTBOX). */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { OrgStore } from "../../org/OrgStore.js"
import { DeliveryId, type OrgId, type OrgName } from "../../shared/Identifier.js"
import { IdGenerator } from "../../shared/IdGenerator.js"
import { StoreError } from "../../shared/StoreError.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import type { Delivery } from "../Delivery.js"
import { OutboxStore } from "../OutboxStore.js"
import * as NotificationTrigger from "./NotificationTrigger.js"

/** Adds firings to the outbox, and reads the names of orgs for them. */
export const make = Effect.gen(function* () {
  const outbox = yield* OutboxStore
  const orgs = yield* OrgStore
  const ids = yield* IdGenerator
  // WHY cached: an org's name never changes.
  const names = new Map<OrgId, OrgName>()

  const nameOf = (id: OrgId): Effect.Effect<OrgName, StoreError> =>
    Effect.suspend(() => {
      const known = names.get(id)
      if (known !== undefined) return Effect.succeed(known)
      return Effect.flatMap(
        orgs.findById(id),
        Option.match({
          onNone: () =>
            new StoreError({ operation: "OrgStore.findById", cause: new Error("no such org") }),
          onSome: ({ name }) =>
            Effect.as(
              Effect.sync(() => names.set(id, name)),
              name
            )
        })
      )
    })

  const deliveryOf = (
    { firing, target }: NotificationTrigger.AddressedFiring,
    place: { readonly org: OrgId; readonly at: Timestamp }
  ): Effect.Effect<Delivery> =>
    Effect.map(ids.next, (id) => ({
      org_id: place.org,
      id: DeliveryId.make(id),
      queue: target.id,
      intent: firing.key,
      target: target.target,
      notification: firing.notification,
      attempts: 0,
      created_at: place.at
    }))

  const send = (
    place: { readonly org: OrgId; readonly at: Timestamp },
    firings: ReadonlyArray<NotificationTrigger.Firing>,
    subscriptions: ReadonlyArray<NotificationTrigger.Subscription>
  ) =>
    Effect.flatMap(
      Effect.forEach(NotificationTrigger.address(firings, subscriptions), (addressed) =>
        deliveryOf(addressed, place)
      ),
      outbox.add
    )

  return { nameOf, send }
})
