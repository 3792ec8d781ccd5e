/** Reads and deletes actions, which are notifications of environments and of flows, and creates those of flows. */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as WriteContext from "../access/internal/WriteContext.js"
import { type GrantedWithin, Reaches } from "../access/Reaches.js"
import { FlowStore } from "../flow/FlowStore.js"
import { Journals } from "../journal/Journals.js"
import * as CurrentOutcome from "../shared/CurrentOutcome.js"
import { beside, show } from "../shared/DamagedRecords.js"
import {
  DeliveryId,
  type FlowName,
  NotificationTargetId,
  type OrgId,
  type OrgName,
  type TeamName
} from "../shared/Identifier.js"
import { IdGenerator } from "../shared/IdGenerator.js"
import { OutboundUrlCheck, refusalOf } from "../shared/OutboundUrlCheck.js"
import { Transaction } from "../shared/Transaction.js"
import type { Upsert } from "../shared/Upsert.js"
import type { WriteOutcome } from "../shared/WriteOutcome.js"
import { EnvironmentNotifications, type ShownSubscription } from "./EnvironmentNotifications.js"
import * as FlowNotification from "./FlowNotification.js"
import * as ActionOwners from "./internal/ActionOwners.js"
import type { TestNotification } from "./Notification.js"
import { NotificationStore } from "./NotificationStore.js"
import * as NotificationTarget from "./NotificationTarget.js"
import { OutboxStore } from "./OutboxStore.js"
import * as TargetInput from "./TargetInput.js"

/** A notification of environments, or of flows with their current names. */
export type Action =
  | { readonly _tag: "OfEnvironments"; readonly notification: ShownSubscription }
  | {
      readonly _tag: "OfFlows"
      readonly notification: FlowNotification.FlowNotification
      readonly flows: ReadonlyArray<FlowName>
      /** Absent for the org; null for a team that was deleted. */
      readonly team_name?: TeamName | null
    }

/** The flow notification that a request gives. */
export interface FlowNotificationDraft {
  readonly name: string
  readonly flows: ReadonlyArray<FlowName>
  readonly triggers: ReadonlyArray<FlowNotification.FlowTrigger>
  readonly targets: ReadonlyArray<TargetInput.TargetInput>
  /** The team that is to own it; absent for the org. */
  readonly team?: TeamName
}

/** The journalled fields: all but the results of deliveries. */
const recorded = ({
  number,
  name,
  flows,
  team,
  triggers,
  targets
}: FlowNotification.FlowNotification) => ({
  number,
  ...(team === undefined ? {} : { team }),
  name,
  flows,
  triggers,
  targets: targets.map(({ id, target, context }) => ({ id, ...target, context }))
})

const byNumber = (left: Action, right: Action): number =>
  left.notification.number - right.notification.number

/** Use cases of actions. */
export class Actions extends Effect.Service<Actions>()("@attestry/core/Actions", {
  effect: Effect.gen(function* () {
    const environments = yield* EnvironmentNotifications
    const store = yield* NotificationStore
    const flows = yield* FlowStore
    const transaction = yield* Transaction
    const journals = yield* Journals
    const ids = yield* IdGenerator
    const check = yield* OutboundUrlCheck
    const outbox = yield* OutboxStore
    const reaches = yield* Reaches
    const owners = yield* ActionOwners.make
    const write = (org: OrgName) => reaches.authorize(org, "environment-notification.write")

    const record = (
      writer: WriteContext.WriteContext,
      kind: "flow_notification_created" | "flow_notification_deleted",
      notification: FlowNotification.FlowNotification
    ) =>
      journals.record({
        ...writer,
        kind,
        subject: { type: "flow-notification", id: String(notification.number) },
        content: recorded(notification)
      })

    const tell = (
      { number, name }: FlowNotification.FlowNotification,
      result: WriteOutcome["result"]
    ) => CurrentOutcome.setOutcomeOf("flow-notification", { id: String(number), name }, result)

    /** Flow notifications that the caller sees, with the current names of the flows that it reads. */
    const named = (granted: GrantedWithin, all: ReadonlyArray<FlowNotification.FlowNotification>) =>
      Effect.gen(function* () {
        const found = yield* owners.visible(granted, all)
        if (found.length === 0) return []
        const wanted = [...new Set(found.flatMap((notification) => notification.flows))]
        const known = yield* beside(flows.listByIds(granted.orgId, wanted))
        const names = new Map(known.map(({ id, name }) => [id, name] as const))
        const readable = new Set((yield* owners.shownFlows(granted, known)).map(({ id }) => id))
        const ownerOf = yield* owners.namesOf(granted, found)
        return yield* show(found, (notification): Action | undefined => {
          const ids = notification.flows
          if (!ids.every((id) => names.has(id))) return undefined
          const { team } = ownerOf(notification)
          return {
            _tag: "OfFlows",
            notification,
            flows: ids.filter((id) => readable.has(id)).flatMap((id) => names.get(id) ?? []),
            ...(team === undefined ? {} : { team_name: team })
          }
        })
      })

    /** Every action that the caller sees, by number. */
    const list = Effect.fn("Actions.list")(function* (org: OrgName) {
      const granted = yield* reaches.authorize(org, "org.read")
      const first = (yield* environments.list(org)).map(
        (notification): Action => ({ _tag: "OfEnvironments", notification })
      )
      const others = yield* named(granted, yield* store.listFlowNotifications(granted.orgId))
      return [...first, ...others].sort(byNumber)
    })

    /** The action of that number. */
    const get = Effect.fn("Actions.get")(function* (org: OrgName, number: number) {
      const granted = yield* reaches.authorize(org, "org.read")
      const first = yield* environments.get(org, number).pipe(
        Effect.asSome,
        Effect.catchTag("EnvironmentNotificationNotFound", () => Effect.succeedNone)
      )
      if (Option.isSome(first)) {
        const action: Action = { _tag: "OfEnvironments", notification: first.value }
        return action
      }
      const key = { org: granted.orgId, number }
      const [found] = yield* named(granted, Option.toArray(yield* store.findFlowNotification(key)))
      return found ?? (yield* new FlowNotification.ActionNotFound({ org, number }))
    })

    const removeOfFlows = (org: OrgName, number: number) =>
      Effect.gen(function* () {
        const granted = yield* write(org)
        yield* transaction.run(granted.orgId, (scope) =>
          Effect.gen(function* () {
            const now = yield* scope.now
            const key = { org: granted.orgId, number }
            const current = yield* Effect.flatMap(
              store.findFlowNotification(key, { lock: true }),
              Either.fromOption(() => new FlowNotification.ActionNotFound({ org, number }))
            )
            yield* owners.permit(
              granted,
              current,
              () => new FlowNotification.ActionNotFound({ org, number })
            )
            yield* store.remove(current)
            yield* record(WriteContext.make(granted, now), "flow_notification_deleted", current)
            yield* tell(current, "deleted")
          })
        )
      })

    /** Deletes an action of either kind; its undelivered notifications are dropped. */
    const remove = Effect.fn("Actions.remove")((org: OrgName, number: number) =>
      Effect.catchTag(environments.remove(org, number), "EnvironmentNotificationNotFound", () =>
        removeOfFlows(org, number)
      )
    )

    /** The targets of a draft with fresh ids; fails when one is refused. */
    const prepare = (targets: FlowNotificationDraft["targets"]) =>
      Effect.gen(function* () {
        const wanted = targets.map(TargetInput.wanted)
        const refusal = refusalOf(
          check,
          wanted.map(({ target }) => target)
        )
        if (refusal !== null) return yield* refusal
        const fresh = yield* Effect.replicateEffect(ids.next, wanted.length)
        return NotificationTarget.reconcile(
          [],
          wanted,
          fresh.map((id) => NotificationTargetId.make(id))
        )
      })

    /**
     * Creates a flow notification under a new number; does nothing when an equal one exists, which a repeated request
     * causes. DECISIONS.md, "Retried writes converge"
     */
    const createForFlows = Effect.fn("Actions.createForFlows")(function* (
      org: OrgName,
      draft: FlowNotificationDraft
    ) {
      const granted = yield* write(org)
      const targets = yield* prepare(draft.targets)
      return yield* transaction.run(granted.orgId, (scope) =>
        Effect.gen(function* () {
          const now = yield* scope.now
          const writer = WriteContext.make(granted, now)
          const number = yield* store.lockNextNumber(granted.orgId)
          const owner = yield* owners.ownerOf(granted, draft.team)
          const notification: FlowNotification.FlowNotification = {
            org_id: granted.orgId,
            number,
            ...owner,
            name: draft.name,
            flows: yield* owners.flowsOf(granted, owner, draft.flows),
            triggers: [...new Set(draft.triggers)],
            targets,
            created_at: now,
            created_by: writer.actor.name,
            last_modified_at: now
          }
          const others = yield* store.listFlowNotifications(granted.orgId)
          const same = others.find((other) => FlowNotification.sameContent(other, notification))
          yield* tell(same ?? notification, same === undefined ? "created" : "unchanged")
          if (same !== undefined) return "unchanged" satisfies Upsert
          yield* store.insert(notification)
          yield* record(writer, "flow_notification_created", notification)
          return "created" satisfies Upsert
        })
      )
    })

    const find = (key: { readonly org: OrgId; readonly number: number }) =>
      Effect.gen(function* () {
        const first = yield* store.findEnvironmentNotification(key)
        if (Option.isSome(first))
          return { type: "environment-notification" as const, ...first.value }
        return Option.match(yield* store.findFlowNotification(key), {
          onNone: () => undefined,
          onSome: (second) => ({ type: "flow-notification" as const, ...second })
        })
      })

    /**
     * Sends a message to every target of an action, also to one that was disabled; the results are those of any other
     * delivery. Each call sends anew.
     */
    const test = Effect.fn("Actions.test")(function* (org: OrgName, number: number) {
      const granted = yield* write(org)
      const missing = () => new FlowNotification.ActionNotFound({ org, number })
      yield* transaction.run(granted.orgId, (scope) =>
        Effect.gen(function* () {
          const now = yield* scope.now
          const writer = WriteContext.make(granted, now)
          const found = yield* find({ org: granted.orgId, number })
          if (found === undefined) return yield* missing()
          yield* owners.permit(granted, found, missing)
          const { name, targets, type } = found
          const intent = `test ${yield* ids.next}`
          const notification: TestNotification = {
            event_type: "TEST",
            org,
            at: now,
            description: `${writer.actor.name} tries the notification ${name}: nothing has happened`,
            subscription: { number, name }
          }
          const deliveries = yield* Effect.forEach(targets, ({ id: queue, target }) =>
            Effect.map(ids.next, (id) => ({
              org_id: granted.orgId,
              id: DeliveryId.make(id),
              queue,
              intent,
              target,
              ...(found.team === undefined ? {} : { audience: { team: found.team } }),
              notification,
              attempts: 0,
              created_at: now
            }))
          )
          yield* outbox.add(deliveries)
          yield* journals.record({
            ...writer,
            kind: "notification_tested",
            subject: { type, id: String(number) },
            content: { deliveries: deliveries.map(({ id }) => id) }
          })
          yield* CurrentOutcome.setOutcomeOf(type, { id: String(number), name }, "unchanged")
        })
      )
    })

    return { list, get, remove, createForFlows, test } as const
  })
}) {}
