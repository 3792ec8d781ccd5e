/** `FlowNotificationStore` in memory. */
import type { FlowNotification, FlowNotificationKey } from "@attestry/core/FlowNotification"
import { FlowNotificationStore } from "@attestry/core/FlowNotificationStore"
import type { OrgId } from "@attestry/core/Identifier"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, MemoryState } from "../shared/MemoryState.js"
import { flowSubscriptions, numbers, removeQueues } from "./NotificationTables.js"

const byNumber = (left: FlowNotification, right: FlowNotification) => left.number - right.number

/** `FlowNotificationStore` in memory. */
export const layer: Layer.Layer<FlowNotificationStore, never, MemoryState> = Layer.effect(
  FlowNotificationStore,
  Effect.gen(function* () {
    const state = yield* MemoryState
    const rows = yield* MemoryRows.make(flowSubscriptions)
    const used = yield* MemoryRows.make(numbers)
    const find = ({ org, number }: FlowNotificationKey) => rows.find(key(org, number))
    const list = (org: OrgId) =>
      Effect.map(rows.values, (all) => all.filter(({ org_id }) => org_id === org).sort(byNumber))
    return FlowNotificationStore.of({
      listFlowNotifications: list,
      findFlowNotification: find,
      listWatchingFlow: (org, flow) =>
        Effect.map(list(org), (all) => all.filter(({ flows }) => flows.includes(flow))),
      insert: (notification) =>
        Effect.zipRight(
          used.set(notification.org_id, notification.number),
          rows.set(key(notification.org_id, notification.number), notification)
        ),
      remove: ({ org, number }) =>
        Effect.gen(function* () {
          const current = yield* find({ org, number })
          if (Option.isNone(current)) return
          yield* removeQueues(state, org, { before: current.value.targets, after: [] })
          yield* rows.remove(key(org, number))
        })
    })
  })
)
