/**
 * Tells the uses of keys for emergencies at once, and journals them: one of a key in a minute.
 *
 * The targets are those of `access_change`, else the admins of the org. Each process tells the first use that it
 * sees in a minute, and the outbox takes one of them.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Actor, ActorMembership } from "../access/Actor.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import { Journals } from "../journal/Journals.js"
import * as BoundedCache from "../shared/BoundedCache.js"
import { ApiKeyId, DeliveryId } from "../shared/Identifier.js"
import { IdGenerator } from "../shared/IdGenerator.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import type { Delivery } from "./Delivery.js"
import { recipients } from "./ExpiryThreshold.js"
import type { EmergencyKeyNotification } from "./Notification.js"
import { NotificationStore } from "./NotificationStore.js"
import { OutboxStore } from "./OutboxStore.js"

const TYPE = "access_change"

/** The recorded error when there are no recipients. */
const NO_RECIPIENTS = "no recipients"

/** The number of keys whose last minute a process remembers. */
const CACHED_MAX = 1_000

/** The notification of a use. */
const notificationOf = (
  { key_id, name }: Actor,
  org: ActorMembership["org"],
  { operation, at }: { readonly operation: string; readonly at: Timestamp }
): EmergencyKeyNotification => ({
  event_type: "EMERGENCY_KEY_USED",
  org,
  at,
  description: `${name} used the key for emergencies ${key_id}`,
  emergency_key: { id: ApiKeyId.make(key_id), owner: name, operation }
})

/** Use case: telling the uses of keys for emergencies. */
export class EmergencyKeyUses extends Effect.Service<EmergencyKeyUses>()(
  "@attestry/core/EmergencyKeyUses",
  {
    effect: Effect.gen(function* () {
      const store = yield* NotificationStore
      const outbox = yield* OutboxStore
      const transaction = yield* Transaction
      const journals = yield* Journals
      const ids = yield* IdGenerator
      const minutes = BoundedCache.make<number>(CACHED_MAX)

      /** The configured targets, or the admins. */
      const addressees = (org: ActorMembership["org_id"]) =>
        Effect.gen(function* () {
          const { targets } = yield* store.findConfig({ org, type: TYPE }, { lock: true })
          if (targets.length > 0)
            return targets
              .filter(({ disabled_at }) => disabled_at === null)
              .map(({ id, target }): Pick<Delivery, "queue" | "target"> => ({ queue: id, target }))
          const emails = recipients([], yield* store.listMailboxes(org))
          return emails.length === 0
            ? []
            : [{ queue: TYPE, target: { type: "EMAIL", emails } } as const]
        })

      const record = (
        actor: Actor,
        { org, org_id }: ActorMembership,
        { operation, minute }: { readonly operation: string; readonly minute: number }
      ) =>
        transaction.run(org_id, (scope) =>
          Effect.gen(function* () {
            const at = yield* scope.now
            const found = yield* addressees(org_id)
            if (found.length === 0)
              yield* store.failConfig(
                { org: org_id, type: TYPE },
                { failed_at: at, error: NO_RECIPIENTS }
              )
            const deliveries = yield* Effect.forEach(found, (addressee) =>
              Effect.map(
                ids.next,
                (id): Delivery => ({
                  org_id,
                  id: DeliveryId.make(id),
                  ...addressee,
                  intent: `${TYPE} ${actor.key_id} ${minute}`,
                  notification: notificationOf(actor, org, { operation, at }),
                  attempts: 0,
                  created_at: at
                })
              )
            )
            const added = yield* outbox.append(deliveries)
            yield* journals.record({
              org: org_id,
              actor: WriteContext.actorOf(actor),
              at,
              kind: "emergency_key_used",
              subject: { type: "api_key", id: actor.key_id },
              content: { key_id: actor.key_id, operation, deliveries: added }
            })
          })
        )

      /** Tells a use by an actor; does nothing for other keys, and where the key counts in no org. */
      const tell = (actor: Actor, operation: string): Effect.Effect<void, StoreError> => {
        const [membership] = actor.memberships
        if (actor.emergency !== true || membership === undefined) return Effect.void
        return Effect.flatMap(Clock.currentTimeMillis, (millis) => {
          const minute = Math.floor(millis / 60_000)
          if (minutes.get(actor.key_id) === minute) return Effect.void
          return Effect.tap(record(actor, membership, { operation, minute }), () =>
            Effect.sync(() => minutes.set(actor.key_id, minute))
          )
        })
      }

      return { tell } as const
    })
  }
) {}
