/**
 * A scan for subjects that end soon: adds one message per subject and threshold.
 *
 * A repeated or concurrent scan adds nothing (law NOTIFY-6): the org's configuration is locked first, an intent that
 * waits is not added twice, and the transaction that removes a delivery from the outbox also marks it notified.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Journals } from "../../journal/Journals.js"
import type { Org } from "../../org/Org.js"
import { DeliveryId, type OrgId, type OrgName } from "../../shared/Identifier.js"
import { IdGenerator } from "../../shared/IdGenerator.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import { Transaction } from "../../shared/Transaction.js"
import type { Delivery } from "../Delivery.js"
import * as ExpiryThreshold from "../ExpiryThreshold.js"
import type { Notification, NotificationType } from "../Notification.js"
import type { NotificationConfig } from "../NotificationConfig.js"
import { NotificationStore } from "../NotificationStore.js"
import { OutboxStore } from "../OutboxStore.js"

/** The recorded error when there are no recipients. */
const NO_RECIPIENTS = "no recipients"

type Scanned = Pick<Org, "id" | "name">

type Addressee = Pick<Delivery, "queue" | "target">

/** The instant of a scan, and how far it looks ahead. */
export interface Horizon {
  readonly now: Timestamp
  readonly withinSeconds: number
}

/** A kind of subjects that end. */
export interface ExpiryKind<S extends ExpiryThreshold.Expiring> {
  readonly type: NotificationType
  /** The name of the scan in the journal. */
  readonly actor: string
  readonly thresholds: ExpiryThreshold.Thresholds
  /** The type of a subject in the journal, and the id, which is unique in its org. */
  readonly subjectOf: (subject: S) => { readonly type: string; readonly id: string }
  /** The fields of a subject in the journal. */
  readonly recordOf: (subject: S) => { readonly [field: string]: string | number }
  /** The recipients where the org has configured no targets. */
  readonly recipients: (
    subject: S,
    members: ReadonlyArray<ExpiryThreshold.Mailbox>
  ) => ReadonlyArray<string>
  readonly notificationOf: (
    subject: S,
    scan: { readonly org: OrgName; readonly at: Timestamp }
  ) => Notification
  /** The orgs with a subject that ends within this many seconds and whose end is not notified. */
  readonly listOrgs: (withinSeconds: number) => Effect.Effect<ReadonlyArray<Scanned>, StoreError>
  /** These subjects of one org. */
  readonly list: (org: OrgId, horizon: Horizon) => Effect.Effect<ReadonlyArray<S>, StoreError>
}

/** A subject to notify about now, and the threshold that it has crossed. */
interface Due<S> {
  readonly subject: S
  readonly days: number
}

/** The instant of a scan, and the targets for a subject. */
interface Round {
  readonly at: Timestamp
  readonly addressees: ReadonlyArray<Addressee>
}

const sumOf = (counts: ReadonlyArray<number>): number =>
  counts.reduce((sum, count) => sum + count, 0)

/**
 * The scan of a kind: scans every org once and returns the number of added deliveries. After a failure in one org the
 * others are scanned, and the scan fails at the end.
 */
export const make = <S extends ExpiryThreshold.Expiring>(
  kind: ExpiryKind<S>
): Effect.Effect<
  Effect.Effect<number, StoreError>,
  never,
  NotificationStore | OutboxStore | Transaction | Journals | IdGenerator
> =>
  Effect.gen(function* () {
    const { type, thresholds } = kind
    const store = yield* NotificationStore
    const outbox = yield* OutboxStore
    const transaction = yield* Transaction
    const journals = yield* Journals
    const ids = yield* IdGenerator
    const withinSeconds = ExpiryThreshold.horizonSeconds(thresholds)

    // WHY one intent for all targets: one success is enough, because a dead target must not repeat the notification for
    // ever.
    const intentOf = (subject: S, days: number): string =>
      `${type} ${kind.subjectOf(subject).id} ${days}`

    /** The recipients for a subject: the configured targets, or the derived ones. */
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
              (subject: S): ReadonlyArray<Addressee> => {
                const emails = kind.recipients(subject, members)
                return emails.length === 0
                  ? []
                  : [{ queue: type, target: { type: "EMAIL", emails } }]
              }
          )

    const deliveriesOf = (org: Scanned, { subject, days }: Due<S>, { at, addressees }: Round) =>
      Effect.forEach(addressees, (addressee) =>
        Effect.map(
          ids.next,
          (id): Delivery => ({
            org_id: org.id,
            id: DeliveryId.make(id),
            ...addressee,
            intent: intentOf(subject, days),
            notification: kind.notificationOf(subject, { org: org.name, at }),
            attempts: 0,
            created_at: at
          })
        )
      )

    /** Adds the deliveries for one subject; returns their number. */
    const notify = (org: Scanned, due: Due<S>, round: Round): Effect.Effect<number, StoreError> =>
      Effect.gen(function* () {
        const { subject, days } = due
        const { at, addressees } = round
        if (addressees.length === 0) {
          yield* store.failConfig({ org: org.id, type }, { failed_at: at, error: NO_RECIPIENTS })
          return 0
        }
        yield* outbox.withdraw(
          org.id,
          thresholds.filter((larger) => larger > days).map((larger) => intentOf(subject, larger))
        )
        const added = yield* outbox.append(yield* deliveriesOf(org, due, round))
        if (added.length === 0) return 0
        yield* journals.record({
          org: org.id,
          kind: `${type}_notified`,
          subject: kind.subjectOf(subject),
          actor: { kind: "system", id: kind.actor, name: kind.actor },
          at,
          content: {
            ...kind.recordOf(subject),
            threshold_days: days,
            days_left: ExpiryThreshold.daysLeft(subject.expires_at, at),
            deliveries: added
          }
        })
        return added.length
      })

    const scanOrg = (org: Scanned): Effect.Effect<number, StoreError> =>
      transaction.run(org.id, (scope) =>
        Effect.gen(function* () {
          const at = yield* scope.now
          const config = yield* store.findConfig({ org: org.id, type }, { lock: true })
          const subjects = yield* kind.list(org.id, { now: at, withinSeconds })
          const due = subjects.flatMap((subject): ReadonlyArray<Due<S>> => {
            const days = ExpiryThreshold.due(thresholds, subject, at)
            return Option.isSome(days) ? [{ subject, days: days.value }] : []
          })
          if (due.length === 0) return 0
          const addresseesOf = yield* addressing(org, config)
          return sumOf(
            yield* Effect.forEach(due, (one) =>
              notify(org, one, { at, addressees: addresseesOf(one.subject) })
            )
          )
        })
      )

    return Effect.gen(function* () {
      const orgs = yield* kind.listOrgs(withinSeconds)
      const [[failure], counts] = yield* Effect.partition(orgs, scanOrg)
      return failure === undefined ? sumOf(counts) : yield* failure
    })
  })
