/**
 * The failed deliveries of an org: lists them, and sends them again. Admins have all of them, and people of a team
 * those of the team's actions, as far as they and the team read what a delivery is about.
 *
 * The same dead letters as `DeadLetters`, which serves administrators of the deployment.
 */
import * as Effect from "effect/Effect"
import * as Access from "../access/Access.js"
import * as Actor from "../access/Actor.js"
import type { Permission } from "../access/Permission.js"
import { type GrantedWithin, Reaches } from "../access/Reaches.js"
import { beside } from "../shared/DamagedRecords.js"
import type { DeliveryId, OrgId, OrgName } from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import type { Audience } from "./Audience.js"
import { DeadLetters } from "./DeadLetters.js"
import type { DeadLetter } from "./Delivery.js"
import * as ActionOwners from "./internal/ActionOwners.js"
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

/** What has all of them. */
const ALL: Permission = "notification-config.write"

/** What has those of teams, in any space. */
const OF_TEAMS: Permission = "environment-notification.write"

/** A caller, and the audiences of the deliveries that it has; absent for all of the org. */
interface Scoped {
  readonly actor: Actor.Actor
  readonly orgId: OrgId
  readonly audiences?: ReadonlyArray<Audience>
}

/** Use cases of failed deliveries. */
export class FailedDeliveries extends Effect.Service<FailedDeliveries>()(
  "@attestry/core/FailedDeliveries",
  {
    effect: Effect.gen(function* () {
      const outbox = yield* OutboxStore
      const letters = yield* DeadLetters
      const notifications = yield* NotificationStore
      const reaches = yield* Reaches
      const owners = yield* ActionOwners.make

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

      /** The audiences of deliveries that the people of some teams have, of which the caller is one. */
      const audiencesOf = (granted: GrantedWithin) =>
        Effect.gen(function* () {
          const own = yield* owners.teamsOf(granted)
          if (own?.size === 0) return []
          const all = yield* outbox.listDeadAudiences(granted.orgId)
          return yield* Effect.filter(all, ({ about, team }) =>
            own !== undefined && !own.has(team)
              ? Effect.succeed(false)
              : about === undefined
                ? Effect.succeed(true)
                : Effect.flatMap(owners.readableOf(granted, { team }), (isReadable) =>
                    isReadable(about)
                  )
          )
        })

      /** Which deliveries the caller has: all of the org, or those for some audiences. */
      const authorize = (org: OrgName) =>
        Effect.gen(function* () {
          const raised = yield* reaches.atRoot(yield* Actor.CurrentActor, org)
          if (Access.isAllowed(raised, org, ALL))
            return yield* Effect.map(
              Access.authorize(raised, org, ALL),
              ({ actor, orgId }): Scoped => ({ actor, orgId })
            )
          const granted = yield* reaches.authorize(org, OF_TEAMS)
          const { actor, orgId } = granted
          return { actor, orgId, audiences: yield* audiencesOf(granted) } satisfies Scoped
        })

      /** One page of the failed deliveries that the caller has, newest failure first. */
      const list = Effect.fn("FailedDeliveries.list")(function* (org: OrgName, page: Page) {
        const { audiences, orgId } = yield* authorize(org)
        const { items: dead, total } = yield* outbox.listDead(orgId, page, audiences)
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

      /** Makes failed deliveries that the caller has due again; returns the ids of those that had failed. */
      const replay = Effect.fn("FailedDeliveries.replay")(function* (
        org: OrgName,
        ids: ReadonlyArray<DeliveryId> | "all"
      ) {
        const { actor, audiences, orgId } = yield* authorize(org)
        const by = { ...Actor.toJournal(actor), credential: actor.key_id }
        const only = audiences === undefined ? {} : { audiences }
        return yield* letters.replay({ org: orgId, ids, by, ...only })
      })

      return { list, replay } as const
    })
  }
) {}
