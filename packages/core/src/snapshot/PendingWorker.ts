/**
 * Evaluates environments in the background: those that are due, and those that a crash left between a new version of a
 * policy and its evaluation. DECISIONS.md, "Pending environments are evaluated before they are read"
 *
 * Reads do not depend on it: a read of such an environment evaluates it first. Every process runs it; an environment
 * that another process has evaluated is left alone under its lock.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { EnvironmentStore } from "../environment/EnvironmentStore.js"
import { OrgStore } from "../org/OrgStore.js"
import type { OrgId } from "../shared/Identifier.js"
import { Reevaluations } from "./Reevaluations.js"

/** The default interval at which pending environments are looked for. */
export const LOOKED_EVERY = Duration.minutes(1)

/** The longest time between two looks for due environments. */
const DUE_PAUSE_MILLIS = 1_000

/** The time for which an org whose environments could not be evaluated is left alone; reads still evaluate them. */
const FAILED_PAUSE_MILLIS = 60_000

const lateness = Metric.histogram(
  "attestry_due_lateness_seconds",
  MetricBoundaries.fromIterable([0.1, 0.5, 1, 2, 5, 10, 60, 600]),
  "Time from the due instant of an environment to its evaluation in the background"
)

/** Evaluates the pending environments of every org once; the failure of one org does not stop the others. */
export const drainAll: Effect.Effect<void, never, OrgStore | Reevaluations> = Effect.gen(
  function* () {
    const orgs = yield* OrgStore
    const reevaluations = yield* Reevaluations
    yield* Effect.forEach(
      yield* orgs.listBusy("evaluation"),
      ({ id, name }) =>
        Effect.catchTag(reevaluations.drain(id), "StoreError", (error) =>
          Effect.logWarning(`environments of org \`${name}\` are still to be evaluated`, error)
        ),
      { discard: true }
    )
  }
).pipe(
  Effect.catchTag("StoreError", (error) =>
    Effect.logWarning("pending environments could not be looked for", error)
  )
)

/** Makes the turn that evaluates due environments; it returns the time until the next turn in milliseconds. */
export const makeDueTurn = Effect.gen(function* () {
  const environments = yield* EnvironmentStore
  const reevaluations = yield* Reevaluations
  const failedAt = new Map<OrgId, number>()

  const turn = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    for (const [id, at] of failedAt) if (at + FAILED_PAUSE_MILLIS <= now) failedAt.delete(id)
    const { orgs, nextInMillis } = yield* environments.listDueOrgs
    // WHY shuffled: processes that look at the same time then wait for few of each other's locks.
    for (const { id, lateMillis } of yield* Random.shuffle(orgs)) {
      if (failedAt.has(id)) continue
      yield* Metric.update(lateness, lateMillis / 1_000)
      yield* Effect.catchTag(reevaluations.drain(id), "StoreError", (error) => {
        failedAt.set(id, now)
        return Effect.logWarning(`environments of org ${id} are due and not evaluated`, error)
      })
    }
    return Math.min(nextInMillis ?? DUE_PAUSE_MILLIS, DUE_PAUSE_MILLIS)
  })
  return Effect.catchTag(turn, "StoreError", (error) =>
    Effect.as(
      Effect.logWarning("due environments could not be looked for", error),
      DUE_PAUSE_MILLIS
    )
  )
})

/** Evaluates due environments at their instants, until the scope closes. */
export const runDue: Effect.Effect<void, never, EnvironmentStore | Reevaluations | Scope.Scope> =
  Effect.flatMap(makeDueTurn, (turn) =>
    Effect.asVoid(Effect.forkScoped(Effect.forever(Effect.flatMap(turn, Effect.sleep))))
  )

/** Evaluates pending environments at once and then at intervals, until the scope closes. */
export const run = (
  every: Duration.DurationInput = LOOKED_EVERY
): Effect.Effect<void, never, OrgStore | Reevaluations | Scope.Scope> =>
  Effect.asVoid(Effect.forkScoped(Effect.repeat(drainAll, Schedule.spaced(every))))
