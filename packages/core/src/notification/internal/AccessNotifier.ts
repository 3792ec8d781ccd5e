/**
 * Adds notices about proposals and break-glass to the outbox, in the transaction of their change.
 *
 * Those of proposals go to the targets of `proposal`, else to the admins of the org. Those of break-glass go to the
 * targets of `break_glass` and to every admin, so that no configuration keeps it quiet.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import {
  type AccessNotice,
  AccessNotices,
  type BreakGlassNotice,
  type ProposalNotice
} from "../../access/AccessNotices.js"
import { OrgStore } from "../../org/OrgStore.js"
import { DeliveryId, type OrgId, type OrgName } from "../../shared/Identifier.js"
import { IdGenerator } from "../../shared/IdGenerator.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import type { Delivery } from "../Delivery.js"
import { recipients } from "../ExpiryThreshold.js"
import type { BreakGlassNotification, Notification, ProposalNotification } from "../Notification.js"
import { NotificationStore } from "../NotificationStore.js"
import { OutboxStore } from "../OutboxStore.js"

/** The recorded error when there are no recipients. */
const NO_RECIPIENTS = "no recipients"

const CHANGES: {
  readonly [change in BreakGlassNotice["change"]]: (notice: BreakGlassNotice) => string
} = {
  opened: ({ opened_by, role, space }) =>
    `${opened_by} has opened break-glass as ${role} in ${space}`,
  closed: ({ by, number }) => `${by ?? "the service"} has closed break-glass ${number}`,
  expired: ({ number, opened_by }) => `break-glass ${number} of ${opened_by} is over`,
  waiting: ({ number, opened_by }) => `break-glass ${number} of ${opened_by} waits for its review`,
  reviewed: ({ by, number }) => `${by ?? "the service"} has reviewed break-glass ${number}`
}

const ofBreakGlass = (
  notice: BreakGlassNotice,
  org: OrgName,
  at: Timestamp
): BreakGlassNotification => {
  const { _tag, ...break_glass } = notice
  return {
    event_type: "BREAK_GLASS",
    org,
    at,
    description: CHANGES[notice.change](notice),
    break_glass
  }
}

const ofProposal = (notice: ProposalNotice, org: OrgName, at: Timestamp): ProposalNotification => {
  const { _tag, ...proposal } = notice
  const { by, number, operation, proposed_by, state } = notice
  const description =
    state === "made"
      ? `${proposed_by} has proposed ${operation}`
      : `proposal ${number} of ${proposed_by} is ${state}${by === null ? "" : `, by ${by}`}`
  return { event_type: "PROPOSAL", org, at, description, proposal }
}

const notificationOf = (notice: AccessNotice, org: OrgName, at: Timestamp): Notification =>
  notice._tag === "BreakGlass" ? ofBreakGlass(notice, org, at) : ofProposal(notice, org, at)

/** What is told once: each change at its instant. */
const intentOf = (notice: AccessNotice, at: Timestamp): string =>
  notice._tag === "BreakGlass"
    ? `break_glass ${notice.number} ${notice.change} ${at}`
    : `proposal ${notice.number} ${notice.state} ${at}`

/** `AccessNotices`, by the outbox. */
export const layer: Layer.Layer<
  AccessNotices,
  never,
  NotificationStore | OutboxStore | OrgStore | IdGenerator
> = Layer.effect(
  AccessNotices,
  Effect.gen(function* () {
    const store = yield* NotificationStore
    const outbox = yield* OutboxStore
    const orgs = yield* OrgStore
    const ids = yield* IdGenerator

    const addressees = (org: OrgId, type: "break_glass" | "proposal") =>
      Effect.gen(function* () {
        const { targets } = yield* store.findConfig({ org, type }, { lock: true })
        const chosen = targets
          .filter(({ disabled_at }) => disabled_at === null)
          .map(({ id, target }): Pick<Delivery, "queue" | "target"> => ({ queue: id, target }))
        if (targets.length > 0 && type === "proposal") return chosen
        const emails = recipients([], yield* store.listMailboxes(org))
        return emails.length === 0
          ? chosen
          : [...chosen, { queue: type, target: { type: "EMAIL", emails } } as const]
      })

    return AccessNotices.of({
      add: (org, at, notice) =>
        Effect.gen(function* () {
          const found = yield* orgs.find({ id: org })
          if (Option.isNone(found)) return
          const type = notice._tag === "BreakGlass" ? "break_glass" : "proposal"
          const all = yield* addressees(org, type)
          if (all.length === 0)
            yield* store.failConfig({ org, type }, { failed_at: at, error: NO_RECIPIENTS })
          const notification = notificationOf(notice, found.value.name, at)
          const deliveries = yield* Effect.forEach(all, (addressee) =>
            Effect.map(
              ids.next,
              (id): Delivery => ({
                org_id: org,
                id: DeliveryId.make(id),
                ...addressee,
                intent: intentOf(notice, at),
                notification,
                attempts: 0,
                created_at: at
              })
            )
          )
          yield* outbox.append(deliveries)
        })
    })
  })
)
