/**
 * Adds notices about access, proposals and break-glass to the outbox, in the transaction of their change.
 *
 * Those of access and proposals go to the targets of their type, else to the admins of the org. Those of break-glass
 * go to the targets of `break_glass` and to every admin, so that no configuration keeps it quiet.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import {
  type AccessChangeNotice,
  type AccessNotice,
  AccessNotices,
  type BreakGlassNotice,
  type ProposalNotice
} from "../../access/AccessNotices.js"
import { MembershipStore } from "../../membership/MembershipStore.js"
import type { Org } from "../../org/Org.js"
import { OrgStore } from "../../org/OrgStore.js"
import { ServiceAccountStore } from "../../service-account/ServiceAccountStore.js"
import { DeliveryId, type OrgId, type OrgName, TeamId, UserId } from "../../shared/Identifier.js"
import { IdGenerator } from "../../shared/IdGenerator.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import { TeamStore } from "../../team/TeamStore.js"
import type { Delivery } from "../Delivery.js"
import { recipients } from "../ExpiryThreshold.js"
import type {
  BreakGlassNotification,
  Notification,
  NotificationType,
  ProposalNotification
} from "../Notification.js"
import { NotificationStore } from "../NotificationStore.js"
import { OutboxStore } from "../OutboxStore.js"
import * as AccessChanges from "./AccessChanges.js"

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

const TYPES = {
  AccessChange: "access_change",
  BreakGlass: "break_glass",
  Proposal: "proposal"
} as const satisfies { readonly [tag in AccessNotice["_tag"]]: NotificationType }

/** What is told once: each change at its instant. */
const intentOf = (notice: AccessNotice, at: Timestamp): string => {
  switch (notice._tag) {
    case "AccessChange": {
      const { change, role, subject } = notice
      return `access_change ${change} ${subject.kind} ${subject.id} ${role ?? ""} ${at}`
    }
    case "BreakGlass":
      return `break_glass ${notice.number} ${notice.change} ${at}`
    case "Proposal":
      return `proposal ${notice.number} ${notice.state} ${at}`
  }
}

/** `AccessNotices`, by the outbox. */
export const layer: Layer.Layer<
  AccessNotices,
  never,
  | NotificationStore
  | OutboxStore
  | OrgStore
  | MembershipStore
  | TeamStore
  | ServiceAccountStore
  | IdGenerator
> = Layer.effect(
  AccessNotices,
  Effect.gen(function* () {
    const store = yield* NotificationStore
    const outbox = yield* OutboxStore
    const orgs = yield* OrgStore
    const ids = yield* IdGenerator
    const members = yield* MembershipStore
    const teams = yield* TeamStore
    const accounts = yield* ServiceAccountStore

    const addressees = (org: OrgId, type: (typeof TYPES)[AccessNotice["_tag"]]) =>
      Effect.gen(function* () {
        const { targets } = yield* store.findConfig({ org, type }, { lock: true })
        const chosen = targets
          .filter(({ disabled_at }) => disabled_at === null)
          .map(({ id, target }): Pick<Delivery, "queue" | "target"> => ({ queue: id, target }))
        if (targets.length > 0 && type !== "break_glass") return chosen
        const emails = recipients([], yield* store.listMailboxes(org))
        return emails.length === 0
          ? chosen
          : [...chosen, { queue: type, target: { type: "EMAIL", emails } } as const]
      })

    /** The name of whom a change is about; its id where there is no such one any more. */
    const nameOf = (
      org: Org,
      { id, kind }: AccessChangeNotice["subject"]
    ): Effect.Effect<string, StoreError> => {
      switch (kind) {
        case "user":
          return Effect.map(members.findUserById(UserId.make(id)), (user): string =>
            Option.isNone(user) ? id : user.value.login
          )
        case "team":
          return Effect.map(teams.find({ org: org.id, id: TeamId.make(id) }), (team): string =>
            Option.isNone(team) ? id : team.value.name
          )
        case "service-account":
          return Effect.map(
            accounts.list(org.id),
            (all): string => all.find((account) => account.id === id)?.name ?? id
          )
        case "everyone":
          return Effect.succeed("")
        case "org":
          return Effect.succeed(org.name)
      }
    }

    const notificationOf = (
      notice: AccessNotice,
      org: Org,
      at: Timestamp
    ): Effect.Effect<Notification, StoreError> => {
      switch (notice._tag) {
        case "AccessChange":
          return Effect.map(nameOf(org, notice.subject), (name) =>
            AccessChanges.notificationOf(notice, { org: org.name, at, name })
          )
        case "BreakGlass":
          return Effect.succeed(ofBreakGlass(notice, org.name, at))
        case "Proposal":
          return Effect.succeed(ofProposal(notice, org.name, at))
      }
    }

    return AccessNotices.of({
      add: (org, at, notice) =>
        Effect.gen(function* () {
          const found = yield* orgs.find({ id: org })
          if (Option.isNone(found)) return
          const type = TYPES[notice._tag]
          const all = yield* addressees(org, type)
          // WHY not of access: the first admin of an org is added before there are recipients.
          if (all.length === 0 && type !== "access_change")
            yield* store.failConfig({ org, type }, { failed_at: at, error: NO_RECIPIENTS })
          const notification = yield* notificationOf(notice, found.value, at)
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
