/** Creates, reads, changes and deletes environment notifications. SPEC §4.2 */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as WriteContext from "../access/internal/WriteContext.js"
import { type GrantedWithin, Reaches } from "../access/Reaches.js"
import { Journals } from "../journal/Journals.js"
import * as CurrentOutcome from "../shared/CurrentOutcome.js"
import { NotificationTargetId, type OrgName, type TeamName } from "../shared/Identifier.js"
import { IdGenerator } from "../shared/IdGenerator.js"
import { OutboundUrlCheck, refusalOf } from "../shared/OutboundUrlCheck.js"
import { Transaction } from "../shared/Transaction.js"
import type { Upsert } from "../shared/Upsert.js"
import type { WriteOutcome } from "../shared/WriteOutcome.js"
import * as EnvironmentNotification from "./EnvironmentNotification.js"
import * as ActionOwners from "./internal/ActionOwners.js"
import { NotificationStore } from "./NotificationStore.js"
import * as NotificationTarget from "./NotificationTarget.js"
import * as TargetInput from "./TargetInput.js"

type Subscription = EnvironmentNotification.EnvironmentNotification

/** The subscription that a request gives. */
export interface SubscriptionDraft
  extends Pick<Subscription, "name" | "environments" | "triggers"> {
  readonly targets: ReadonlyArray<TargetInput.TargetInput>
  /** The team that is to own it; absent for the org. The owner of a stored one stays. */
  readonly team?: TeamName
}

/** A subscription as its reader is shown it. */
export interface ShownSubscription extends Subscription {
  /** Absent for the org; null for a team that was deleted. */
  readonly team_name?: TeamName | null
}

/** The journalled fields: all but the results of deliveries. */
const recorded = ({ number, name, environments, team, triggers, targets }: Subscription) => ({
  number,
  ...(team === undefined ? {} : { team }),
  name,
  environments,
  triggers,
  targets: targets.map(({ id, target, context }) => ({ id, ...target, context }))
})

/** Use cases of environment notifications. */
export class EnvironmentNotifications extends Effect.Service<EnvironmentNotifications>()(
  "@attestry/core/EnvironmentNotifications",
  {
    effect: Effect.gen(function* () {
      const store = yield* NotificationStore
      const transaction = yield* Transaction
      const journals = yield* Journals
      const ids = yield* IdGenerator
      const check = yield* OutboundUrlCheck
      const reaches = yield* Reaches
      const owners = yield* ActionOwners.make

      const read = (org: OrgName) => reaches.authorize(org, "org.read")
      const write = (org: OrgName) => reaches.authorize(org, "environment-notification.write")
      const missing = (org: OrgName, number: number) => () =>
        new EnvironmentNotification.EnvironmentNotificationNotFound({ org, number })

      const record = (
        writer: WriteContext.WriteContext,
        kind: string,
        subscription: Subscription
      ) =>
        journals.record({
          ...writer,
          kind,
          subject: { type: "environment-notification", id: String(subscription.number) },
          content: recorded(subscription)
        })

      const tell = ({ number, name }: Subscription, result: WriteOutcome["result"]) =>
        CurrentOutcome.setOutcomeOf(
          "environment-notification",
          { id: String(number), name },
          result
        )

      /** The targets of the draft with fresh ids; fails when one is refused. */
      const prepare = ({ environments, name, targets, triggers }: SubscriptionDraft) =>
        Effect.gen(function* () {
          const wanted = targets.map(TargetInput.wanted)
          const refusal = refusalOf(
            check,
            wanted.map(({ target }) => target)
          )
          if (refusal !== null) return yield* refusal
          const fresh = yield* Effect.replicateEffect(ids.next, wanted.length)
          const freshIds = fresh.map((id) => NotificationTargetId.make(id))
          return {
            normalised: EnvironmentNotification.normalise({ name, environments, triggers }),
            targetsFrom: (current: ReadonlyArray<NotificationTarget.StoredTarget>) =>
              NotificationTarget.reconcile(current, wanted, freshIds)
          }
        })

      /** The subscriptions of some that the caller sees, with the environments that it reads. */
      const shown = (granted: GrantedWithin, all: ReadonlyArray<Subscription>) =>
        Effect.gen(function* () {
          const visible = yield* owners.visible(granted, all)
          const nameOf = yield* owners.namesOf(granted, visible)
          return yield* Effect.forEach(visible, (subscription) =>
            Effect.map(
              owners.shownEnvironments(granted, subscription.environments),
              (environments): ShownSubscription => {
                const { team } = nameOf(subscription)
                return {
                  ...subscription,
                  environments,
                  ...(team === undefined ? {} : { team_name: team })
                }
              }
            )
          )
        })

      /** Every subscription that the caller sees, by number. */
      const list = Effect.fn("EnvironmentNotifications.list")(function* (org: OrgName) {
        const granted = yield* read(org)
        return yield* shown(granted, yield* store.listEnvironmentNotifications(granted.orgId))
      })

      /** The subscription of that number. */
      const get = Effect.fn("EnvironmentNotifications.get")(function* (
        org: OrgName,
        number: number
      ) {
        const granted = yield* read(org)
        const found = yield* store.findEnvironmentNotification({ org: granted.orgId, number })
        const [one] = yield* shown(granted, Option.toArray(found))
        return one ?? (yield* missing(org, number)())
      })

      /**
       * Creates a subscription under a new number; does nothing when an equal one exists, which a repeated
       * request causes. DECISIONS.md, "Retried writes converge"
       */
      const create = Effect.fn("EnvironmentNotifications.create")(function* (
        org: OrgName,
        draft: SubscriptionDraft
      ) {
        const granted = yield* write(org)
        const { normalised, targetsFrom } = yield* prepare(draft)
        return yield* transaction.run(granted.orgId, (scope) =>
          Effect.gen(function* () {
            const now = yield* scope.now
            const writer = WriteContext.make(granted, now)
            const number = yield* store.lockNextNumber(granted.orgId)
            const owner = yield* owners.ownerOf(granted, draft.team)
            yield* owners.checkEnvironments(granted, owner, normalised.environments)
            const subscription: Subscription = {
              org_id: granted.orgId,
              number,
              ...owner,
              ...normalised,
              targets: targetsFrom([]),
              created_at: now,
              created_by: writer.actor.name,
              last_modified_at: now
            }
            const others = yield* store.listEnvironmentNotifications(granted.orgId)
            const same = others.find((other) =>
              EnvironmentNotification.sameContent(other, subscription)
            )
            yield* tell(same ?? subscription, same === undefined ? "created" : "unchanged")
            if (same !== undefined) return "unchanged" satisfies Upsert
            yield* store.insert(subscription)
            yield* record(writer, "environment_notification_created", subscription)
            return "created" satisfies Upsert
          })
        )
      })

      /** Replaces the content of a subscription; its number and the times of equal targets stay. */
      const update = Effect.fn("EnvironmentNotifications.update")(function* (
        org: OrgName,
        number: number,
        draft: SubscriptionDraft
      ) {
        const granted = yield* write(org)
        const { normalised, targetsFrom } = yield* prepare(draft)
        return yield* transaction.run(granted.orgId, (scope) =>
          Effect.gen(function* () {
            const now = yield* scope.now
            const current = yield* Effect.flatMap(
              store.findEnvironmentNotification({ org: granted.orgId, number }, { lock: true }),
              Either.fromOption(missing(org, number))
            )
            yield* owners.permit(granted, current, missing(org, number))
            yield* owners.checkEnvironments(granted, current, normalised.environments)
            const next: Subscription = {
              ...current,
              ...normalised,
              targets: targetsFrom(current.targets),
              last_modified_at: now
            }
            const isSame = EnvironmentNotification.sameContent(current, next)
            yield* tell(next, isSame ? "unchanged" : "updated")
            if (isSame) return "unchanged" satisfies Upsert
            yield* store.updateEnvironmentNotification(next)
            yield* record(WriteContext.make(granted, now), "environment_notification_updated", next)
            return "updated" satisfies Upsert
          })
        )
      })

      /** Deletes a subscription; its undelivered notifications are dropped. */
      const remove = Effect.fn("EnvironmentNotifications.remove")(function* (
        org: OrgName,
        number: number
      ) {
        const granted = yield* write(org)
        yield* transaction.run(granted.orgId, (scope) =>
          Effect.gen(function* () {
            const now = yield* scope.now
            const key = { org: granted.orgId, number }
            const current = yield* Effect.flatMap(
              store.findEnvironmentNotification(key, { lock: true }),
              Either.fromOption(missing(org, number))
            )
            yield* owners.permit(granted, current, missing(org, number))
            yield* store.remove(current)
            yield* tell(current, "deleted")
            yield* record(
              WriteContext.make(granted, now),
              "environment_notification_deleted",
              current
            )
          })
        )
      })

      return { list, get, create, update, remove } as const
    })
  }
) {}
