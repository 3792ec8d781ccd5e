/**
 * The failed deliveries of an org, for its admins: lists them, and sends them again.
 *
 * The same dead letters as `DeadLetters`, which serves administrators of the deployment.
 */
import * as Effect from "effect/Effect"
import * as Access from "../access/Access.js"
import * as Actor from "../access/Actor.js"
import { beside } from "../shared/DamagedRecords.js"
import type { DeliveryId, OrgId, OrgName } from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import { DeadLetters } from "./DeadLetters.js"
import type { DeadLetter } from "./Delivery.js"
import { NotificationStore } from "./NotificationStore.js"
import { OutboxStore } from "./OutboxStore.js"

/** The notification of environments or flows that a delivery is of. */
export interface Subscription {
  readonly number: number
  readonly name: string
}

/** A failed delivery; `subscription` is null where recipients are configured or derived by type. */
export interface FailedDelivery extends DeadLetter {
  readonly subscription: Subscription | null
}

const PERMISSION = "notification-config.write"

/** Use cases of failed deliveries. */
export class FailedDeliveries extends Effect.Service<FailedDeliveries>()(
  "@attestry/core/FailedDeliveries",
  {
    effect: Effect.gen(function* () {
      const outbox = yield* OutboxStore
      const letters = yield* DeadLetters
      const notifications = yield* NotificationStore

      /** Subscriptions by the ids of their targets, which are the queues of their deliveries. */
      const subscriptions = (org: OrgId) =>
        Effect.zipWith(
          beside(notifications.listEnvironmentNotifications(org)),
          beside(notifications.listFlowNotifications(org)),
          (environments, flows) =>
            new Map(
              [...environments, ...flows].flatMap(({ number, name, targets }) =>
                targets.map(({ id }): [string, Subscription] => [id, { number, name }])
              )
            )
        )

      /** One page of an org's failed deliveries, newest failure first. */
      const list = Effect.fn("FailedDeliveries.list")(function* (org: OrgName, page: Page) {
        const { orgId } = yield* Access.authorize(yield* Actor.CurrentActor, org, PERMISSION)
        const { items: dead, total } = yield* outbox.listDead(orgId, page)
        const known = dead.length === 0 ? new Map() : yield* subscriptions(orgId)
        const paged: Paged<FailedDelivery> = {
          items: dead.map((letter) => ({
            ...letter,
            subscription: known.get(letter.queue) ?? null
          })),
          total
        }
        return paged
      })

      /** Makes failed deliveries due again; returns the ids of those that had failed. */
      const replay = Effect.fn("FailedDeliveries.replay")(function* (
        org: OrgName,
        ids: ReadonlyArray<DeliveryId> | "all"
      ) {
        const { orgId, actor } = yield* Access.authorize(yield* Actor.CurrentActor, org, PERMISSION)
        const by = { ...Actor.toJournal(actor), credential: actor.key_id }
        return yield* letters.replay({ org: orgId, ids, by })
      })

      return { list, replay } as const
    })
  }
) {}
