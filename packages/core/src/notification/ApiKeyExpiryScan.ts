/**
 * Finds keys that expire soon and adds deliveries: one message per key and threshold.
 *
 * A repeated or concurrent scan adds nothing (law NOTIFY-6): the org's configuration is locked first, an intent that
 * waits is not added twice, and the transaction that removes a delivery from the outbox also marks it notified.
 * The host schedules scans.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Journals } from "../journal/Journals.js"
import type { Org } from "../org/Org.js"
import { DeliveryId } from "../shared/Identifier.js"
import { IdGenerator } from "../shared/IdGenerator.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import * as ApiKeyExpiry from "./ApiKeyExpiry.js"
import type { Delivery } from "./Delivery.js"
import type { NotificationConfig } from "./NotificationConfig.js"
import { NotificationStore } from "./NotificationStore.js"
import { OutboxStore } from "./OutboxStore.js"

const TYPE = "api_key_expiry"
const SYSTEM = { kind: "system", id: "api-key-expiry", name: "api-key-expiry" } as const

/** The recorded error when there are no recipients. */
export const NO_RECIPIENTS = "no recipients"

type Scanned = Pick<Org, "id" | "name">

type Addressee = Pick<Delivery, "queue" | "target">

/** A key to notify about now, and the threshold that it has crossed. */
interface DueKey {
  readonly key: ApiKeyExpiry.ExpiringKey
  readonly days: number
}

/** Use case: the expiry scan. */
export class ApiKeyExpiryScan extends Effect.Service<ApiKeyExpiryScan>()(
  "@attestry/core/ApiKeyExpiryScan",
  {
    effect: Effect.gen(function* () {
      const store = yield* NotificationStore
      const outbox = yield* OutboxStore
      const transaction = yield* Transaction
      const journals = yield* Journals
      const ids = yield* IdGenerator

      /** The recipients for a key: the configured targets, or the derived ones. */
      const addressing = (org: Scanned, config: NotificationConfig) =>
        config.targets.length > 0
          ? Effect.succeed(
              (): ReadonlyArray<Addressee> =>
                config.targets
                  .filter(({ disabled_at }) => disabled_at === null)
                  .map(({ id, target }) => ({ queue: id, target }))
            )
          : Effect.map(
              store.listMailboxes(org.id),
              (members) =>
                (key: ApiKeyExpiry.ExpiringKey): ReadonlyArray<Addressee> => {
                  const emails = ApiKeyExpiry.recipients(key, members)
                  return emails.length === 0
                    ? []
                    : [{ queue: TYPE, target: { type: "EMAIL", emails } }]
                }
            )

      const deliveriesOf = (
        org: Scanned,
        { key, days }: DueKey,
        {
          at,
          addressees
        }: {
          readonly at: Timestamp
          readonly addressees: ReadonlyArray<Addressee>
        }
      ) =>
        Effect.forEach(addressees, (addressee) =>
          Effect.map(
            ids.next,
            (id): Delivery => ({
              org_id: org.id,
              id: DeliveryId.make(id),
              ...addressee,
              intent: ApiKeyExpiry.intentOf(key.id, days),
              notification: ApiKeyExpiry.notificationOf(key, { org: org.name, at }),
              attempts: 0,
              created_at: at
            })
          )
        )

      /** Adds the deliveries for one key; returns their number. */
      const notify = (
        org: Scanned,
        due: DueKey,
        context: { readonly at: Timestamp; readonly addressees: ReadonlyArray<Addressee> }
      ): Effect.Effect<number, StoreError> =>
        Effect.gen(function* () {
          const { key, days } = due
          if (context.addressees.length === 0) {
            const failure = { failed_at: context.at, error: NO_RECIPIENTS }
            yield* store.failConfig({ org: org.id, type: TYPE }, failure)
            return 0
          }
          yield* outbox.withdraw(org.id, ApiKeyExpiry.obsoleteIntents(key.id, days))
          const added = yield* outbox.append(yield* deliveriesOf(org, due, context))
          if (added.length === 0) return 0
          yield* journals.record({
            org: org.id,
            kind: "api_key_expiry_notified",
            subject: { type: "api_key", id: key.id },
            actor: SYSTEM,
            at: context.at,
            content: {
              key_id: key.id,
              threshold_days: days,
              days_left: ApiKeyExpiry.daysLeft(key.expires_at, context.at),
              deliveries: added
            }
          })
          return added.length
        })

      const scanOrg = (org: Scanned): Effect.Effect<number, StoreError> =>
        transaction.run(org.id, (scope) =>
          Effect.gen(function* () {
            const now = yield* scope.now
            const config = yield* store.findConfig({ org: org.id, type: TYPE }, { lock: true })
            const keys = yield* store.listExpiringKeys(org.id, ApiKeyExpiry.HORIZON_SECONDS)
            const due = keys.flatMap((key): ReadonlyArray<DueKey> => {
              const days = ApiKeyExpiry.due(key, now)
              return Option.isSome(days) ? [{ key, days: days.value }] : []
            })
            if (due.length === 0) return 0
            const addresseesOf = yield* addressing(org, config)
            const counts = yield* Effect.forEach(due, (one) =>
              notify(org, one, { at: now, addressees: addresseesOf(one.key) })
            )
            return counts.reduce((sum, count) => sum + count, 0)
          })
        )

      /**
       * Scans every org once and returns the number of added deliveries. After a failure in one org the others
       * are scanned, and the scan fails at the end.
       */
      const scan: Effect.Effect<number, StoreError> = Effect.gen(function* () {
        const orgs = yield* store.listExpiringOrgs(ApiKeyExpiry.HORIZON_SECONDS)
        const [[failure], counts] = yield* Effect.partition(orgs, scanOrg)
        return failure === undefined
          ? counts.reduce((sum, count) => sum + count, 0)
          : yield* failure
      }).pipe(Effect.withSpan("ApiKeyExpiryScan.scan"))

      return { scan } as const
    })
  }
) {}
