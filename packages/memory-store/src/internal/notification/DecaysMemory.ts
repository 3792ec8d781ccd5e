/** Coming decays of `NotificationStore` in memory. */
import type { NotificationStore } from "@attestry/core/NotificationStore"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import { environments } from "../environment/EnvironmentRowsMemory.js"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, MemoryState } from "../shared/MemoryState.js"
import { decays, subscriptions } from "./NotificationTables.js"

/** Coming decays of `NotificationStore` in memory. */
export const make: Effect.Effect<
  Pick<NotificationStore["Type"], "listDecaying" | "markDecay">,
  never,
  MemoryState
> = Effect.gen(function* () {
  const state = yield* MemoryState
  const markRows = yield* MemoryRows.make(decays)
  const subscriptionRows = yield* MemoryRows.make(subscriptions)

  return {
    listDecaying: (withinSeconds) =>
      state.transaction((now) =>
        Effect.gen(function* () {
          const until = Timestamp.plusSeconds(now, withinSeconds)
          const watching = new Set(
            (yield* subscriptionRows.values)
              .filter(({ triggers }) => triggers.includes("ON_DECAYING_ENV"))
              .map(({ org_id }) => org_id)
          )
          const marks = yield* state.read(decays)
          return Array.from(HashMap.values(yield* state.read(environments)))
            .map(({ environment }) => environment)
            .flatMap(({ archived_at, due_at, id, org_id: org, verdict }) =>
              due_at === undefined || due_at > until || archived_at !== null
                ? []
                : [{ org, environment: id, due_at, verdict }]
            )
            .filter(
              ({ due_at, environment, org, verdict }) =>
                verdict === "Compliant" &&
                watching.has(org) &&
                !HashMap.has(marks, key(org, environment, String(due_at)))
            )
            .sort(
              (left, right) =>
                left.due_at - right.due_at || (left.environment < right.environment ? -1 : 1)
            )
            .map(({ environment, org }) => ({ org, environment }))
        })
      ),
    markDecay: ({ environment, org }, dueAt) =>
      state.transaction((now) =>
        Effect.gen(function* () {
          const place = key(org, environment, String(dueAt))
          if (Option.isSome(yield* markRows.find(place))) return false
          for (const mark of yield* markRows.values) {
            if (mark.org === org && mark.environment === environment && mark.due_at <= now)
              yield* markRows.remove(key(org, environment, String(mark.due_at)))
          }
          yield* markRows.set(place, { org, environment, due_at: dueAt })
          return true
        })
      )
  }
})
