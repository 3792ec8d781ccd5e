/**
 * Notification configurations of `NotificationStore` in memory. A transaction is the only writer, so a locked read
 * is a plain one.
 */
import * as NotificationConfig from "@attestry/core/NotificationConfig"
import type { NotificationStore } from "@attestry/core/NotificationStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, MemoryState } from "../shared/MemoryState.js"
import { configs, removeQueues, withStoredTimes } from "./NotificationTables.js"

type Key = NotificationConfig.NotificationConfigKey

/** Notification configurations of `NotificationStore` in memory. */
export const make: Effect.Effect<
  Pick<NotificationStore["Type"], "findConfig" | "replaceConfigTargets" | "failConfig">,
  never,
  MemoryState
> = Effect.gen(function* () {
  const state = yield* MemoryState
  const rows = yield* MemoryRows.make(configs)
  const find = (wanted: Key) =>
    Effect.map(
      rows.find(key(wanted.org, wanted.type)),
      Option.getOrElse(() => NotificationConfig.empty(wanted))
    )
  return {
    findConfig: find,
    replaceConfigTargets: (wanted, targets) =>
      Effect.gen(function* () {
        const current = yield* find(wanted)
        yield* removeQueues(state, wanted.org, { before: current.targets, after: targets })
        yield* rows.set(key(wanted.org, wanted.type), {
          ...current,
          targets: withStoredTimes(current.targets, targets)
        })
      }),
    failConfig: (wanted, failure) =>
      Effect.flatMap(find(wanted), (current) =>
        rows.set(key(wanted.org, wanted.type), { ...current, failure })
      )
  }
})
