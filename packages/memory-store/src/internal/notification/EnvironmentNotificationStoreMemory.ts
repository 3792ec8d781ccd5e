/** `EnvironmentNotificationStore` in memory. */
import type { EnvironmentNotification } from "@attestry/core/EnvironmentNotification"
import { EnvironmentNotificationStore } from "@attestry/core/EnvironmentNotificationStore"
import type { OrgId } from "@attestry/core/Identifier"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { namesOf } from "../environment/EnvironmentStoreMemory.js"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, MemoryState } from "../shared/MemoryState.js"
import { numbers, removeQueues, subscriptions, withStoredTimes } from "./NotificationTables.js"

const byNumber = (left: EnvironmentNotification, right: EnvironmentNotification) =>
  left.number - right.number

/** `EnvironmentNotificationStore` in memory. */
export const layer: Layer.Layer<EnvironmentNotificationStore, never, MemoryState> = Layer.effect(
  EnvironmentNotificationStore,
  Effect.gen(function* () {
    const state = yield* MemoryState
    const rows = yield* MemoryRows.make(subscriptions)
    const used = yield* MemoryRows.make(numbers)
    const find = ({ org, number }: { readonly org: OrgId; readonly number: number }) =>
      rows.find(key(org, number))
    const list = (org: OrgId) =>
      Effect.map(rows.values, (all) => all.filter(({ org_id }) => org_id === org).sort(byNumber))
    return EnvironmentNotificationStore.of({
      listEnvironmentNotifications: list,
      findEnvironmentNotification: find,
      listWatchingEnvironment: (ref, name) =>
        Effect.zipWith(list(ref.org), namesOf(state, ref), (all, names) => {
          const leading = new Set<string>([name, ...names])
          return all.filter(({ environments }) => environments.some((named) => leading.has(named)))
        }),
      lockNextNumber: (org) =>
        Effect.map(used.find(org), (last) => Option.getOrElse(last, () => 0) + 1),
      insert: (subscription) =>
        Effect.zipRight(
          used.set(subscription.org_id, subscription.number),
          rows.set(key(subscription.org_id, subscription.number), subscription)
        ),
      updateEnvironmentNotification: (subscription) =>
        Effect.gen(function* () {
          const place = key(subscription.org_id, subscription.number)
          const current = yield* rows.find(place)
          if (Option.isNone(current)) return
          const { created_at, created_by, targets } = current.value
          yield* removeQueues(state, subscription.org_id, {
            before: targets,
            after: subscription.targets
          })
          yield* rows.set(place, {
            ...subscription,
            targets: withStoredTimes(targets, subscription.targets),
            created_at,
            created_by
          })
        }),
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
