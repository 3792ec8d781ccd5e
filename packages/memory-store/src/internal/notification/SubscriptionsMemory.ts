/** Notifications of environments and of flows of `NotificationStore` in memory. */
import type { EnvironmentNotification } from "@attestry/core/EnvironmentNotification"
import type { OrgId } from "@attestry/core/Identifier"
import type { NotificationStore } from "@attestry/core/NotificationStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { namesOf } from "../environment/EnvironmentStoreMemory.js"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, MemoryState, type MemoryTable } from "../shared/MemoryState.js"
import {
  flowSubscriptions,
  numbers,
  removeQueues,
  subscriptions,
  withStoredTimes
} from "./NotificationTables.js"

/** The fields of notifications of both kinds. */
type Subscription = Pick<EnvironmentNotification, "org_id" | "number" | "targets">

/** The notifications of one kind. */
const makeKind = <A extends Subscription>(source: MemoryTable<A>) =>
  Effect.map(Effect.all([MemoryState, MemoryRows.make(source)]), ([state, rows]) => ({
    ...rows,
    at: ({ org, number }: { readonly org: OrgId; readonly number: number }) =>
      rows.find(key(org, number)),
    list: (org: OrgId) =>
      Effect.map(rows.values, (all) =>
        all.filter(({ org_id }) => org_id === org).sort((left, right) => left.number - right.number)
      ),
    removeWithQueues: (place: string) =>
      Effect.gen(function* () {
        const current = yield* rows.find(place)
        if (Option.isNone(current)) return
        const { org_id, targets } = current.value
        yield* removeQueues(state, org_id, { before: targets, after: [] })
        yield* rows.remove(place)
      })
  }))

/** Notifications of environments and of flows in memory. */
export const make: Effect.Effect<
  Pick<
    NotificationStore["Type"],
    | "listEnvironmentNotifications"
    | "findEnvironmentNotification"
    | "listWatchingEnvironment"
    | "updateEnvironmentNotification"
    | "listFlowNotifications"
    | "findFlowNotification"
    | "listWatchingFlow"
    | "lockNextNumber"
    | "insert"
    | "remove"
  >,
  never,
  MemoryState
> = Effect.gen(function* () {
  const state = yield* MemoryState
  const ofEnvironments = yield* makeKind(subscriptions)
  const ofFlows = yield* makeKind(flowSubscriptions)
  const used = yield* MemoryRows.make(numbers)
  return {
    listEnvironmentNotifications: ofEnvironments.list,
    findEnvironmentNotification: ofEnvironments.at,
    listWatchingEnvironment: (ref, name) =>
      Effect.zipWith(ofEnvironments.list(ref.org), namesOf(state, ref), (all, names) => {
        const leading = new Set<string>([name, ...names])
        return all.filter(({ environments }) => environments.some((named) => leading.has(named)))
      }),
    updateEnvironmentNotification: (notification) =>
      Effect.gen(function* () {
        const place = key(notification.org_id, notification.number)
        const current = yield* ofEnvironments.find(place)
        if (Option.isNone(current)) return
        const { created_at, created_by, targets } = current.value
        yield* removeQueues(state, notification.org_id, {
          before: targets,
          after: notification.targets
        })
        yield* ofEnvironments.set(place, {
          ...notification,
          targets: withStoredTimes(targets, notification.targets),
          created_at,
          created_by
        })
      }),
    listFlowNotifications: ofFlows.list,
    findFlowNotification: ofFlows.at,
    listWatchingFlow: (org, flow) =>
      Effect.map(ofFlows.list(org), (all) => all.filter(({ flows }) => flows.includes(flow))),
    lockNextNumber: (org) =>
      Effect.map(used.find(org), (last) => Option.getOrElse(last, () => 0) + 1),
    insert: (notification) => {
      const place = key(notification.org_id, notification.number)
      return Effect.zipRight(
        used.set(notification.org_id, notification.number),
        "flows" in notification
          ? ofFlows.set(place, notification)
          : ofEnvironments.set(place, notification)
      )
    },
    remove: (notification) => {
      const kind = "flows" in notification ? ofFlows : ofEnvironments
      return kind.removeWithQueues(key(notification.org_id, notification.number))
    }
  }
})
