/** Reads, sets and deletes the targets of the service's own notifications. SPEC §4.1 */
import * as Effect from "effect/Effect"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import { Journals } from "../journal/Journals.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import { NotificationTargetId, type OrgName } from "../shared/Identifier.js"
import { IdGenerator } from "../shared/IdGenerator.js"
import { OutboundUrlCheck, refusalOf } from "../shared/OutboundUrlCheck.js"
import { Transaction } from "../shared/Transaction.js"
import type { NotificationType } from "./Notification.js"
import type { NotificationConfig } from "./NotificationConfig.js"
import { NotificationStore } from "./NotificationStore.js"
import * as NotificationTarget from "./NotificationTarget.js"
import * as TargetInput from "./TargetInput.js"

/** The journalled fields of targets. */
const recorded = (targets: ReadonlyArray<NotificationTarget.StoredTarget>) =>
  targets.map(({ id, target, context }) => ({ id, ...target, context }))

/** Use cases of notification configurations. */
export class NotificationConfigs extends Effect.Service<NotificationConfigs>()(
  "@attestry/core/NotificationConfigs",
  {
    effect: Effect.gen(function* () {
      const store = yield* NotificationStore
      const transaction = yield* Transaction
      const journals = yield* Journals
      const ids = yield* IdGenerator
      const check = yield* OutboundUrlCheck

      /** Writes the targets and the journal entry; equal targets change nothing. */
      const replace = (
        writer: WriteContext.WriteContext,
        current: NotificationConfig,
        targets: ReadonlyArray<NotificationTarget.StoredTarget>
      ) =>
        Effect.gen(function* () {
          if (CanonicalJson.equals(current.targets, targets)) return current
          const { notification_type: type } = current
          yield* store.replaceConfigTargets({ org: writer.org, type }, targets)
          yield* journals.record({
            ...writer,
            kind: targets.length === 0 ? "notification_config_deleted" : "notification_config_set",
            subject: { type: "notification-config", id: type },
            content: { notification_type: type, targets: recorded(targets) }
          })
          return { ...current, targets }
        })

      /** The configuration; without targets when none is set. */
      const get = Effect.fn("NotificationConfigs.get")(function* (
        org: OrgName,
        type: NotificationType
      ) {
        const { orgId } = yield* Access.authorize(yield* CurrentActor, org, "org.read")
        return yield* store.findConfig({ org: orgId, type })
      })

      /** Sets the targets, instead of earlier or derived ones. */
      const put = Effect.fn("NotificationConfigs.put")(function* (
        org: OrgName,
        type: NotificationType,
        inputs: ReadonlyArray<TargetInput.TargetInput>
      ) {
        const granted = yield* Access.authorize(
          yield* CurrentActor,
          org,
          "notification-config.write"
        )
        const wanted = inputs.map(TargetInput.wanted)
        const refusal = refusalOf(
          check,
          wanted.map(({ target }) => target)
        )
        if (refusal !== null) return yield* refusal
        const fresh = yield* Effect.replicateEffect(ids.next, wanted.length)
        return yield* transaction.run(granted.orgId, (scope) =>
          Effect.gen(function* () {
            const now = yield* scope.now
            const current = yield* store.findConfig({ org: granted.orgId, type }, { lock: true })
            const targets = NotificationTarget.reconcile(
              current.targets,
              wanted,
              fresh.map((id) => NotificationTargetId.make(id))
            )
            return yield* replace(WriteContext.make(granted, now), current, targets)
          })
        )
      })

      /** Removes the targets, so that recipients are derived. What was notified stays notified. */
      const remove = Effect.fn("NotificationConfigs.remove")(function* (
        org: OrgName,
        type: NotificationType
      ) {
        const granted = yield* Access.authorize(
          yield* CurrentActor,
          org,
          "notification-config.write"
        )
        return yield* transaction.run(granted.orgId, (scope) =>
          Effect.flatMap(scope.now, (now) =>
            Effect.flatMap(
              store.findConfig({ org: granted.orgId, type }, { lock: true }),
              (current) => replace(WriteContext.make(granted, now), current, [])
            )
          )
        )
      })

      return { get, put, remove } as const
    })
  }
) {}
