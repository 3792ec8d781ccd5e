/**
 * Evaluates environments in the background: those that are due, those that a crash left between a new version of a
 * policy and its evaluation, and those that are behind a policy of very many environments. DECISIONS.md, "Pending
 * environments are evaluated before they are read"
 *
 * Reads do not depend on it: a read of such an environment evaluates it first. Every process runs it; an environment
 * that another process has evaluated is left alone under its lock.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { EnvironmentStore } from "../environment/EnvironmentStore.js"
import { OrgStore } from "../org/OrgStore.js"
import type { EnvironmentId, OrgId } from "../shared/Identifier.js"
import { Reevaluations } from "./Reevaluations.js"

/** The default interval at which pending environments are looked for. */
export const LOOKED_EVERY = Duration.minutes(1)

/** The longest time between two looks for due environments. */
const DUE_PAUSE_MILLIS = 1_000

/** The time for which an org whose environments could not be evaluated is left alone; reads still evaluate them. */
const FAILED_PAUSE_MILLIS = 60_000

/** So many environments of an org that are behind are evaluated before it is the turn of the next org. */
const SLICE = 16

/** They are chosen from so many, so that processes that work at the same time seldom choose the same. */
const CHOSEN_FROM = 256

/** The time between two looks for environments that are behind, where there were none. */
const BEHIND_PAUSE_MILLIS = 1_000

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

const behindSince = Metric.gauge("attestry_verdicts_behind_seconds", {
  description:
    "Time since the first change of a policy with which some environments are still to be evaluated; 0 without one"
})

const caughtUp = Metric.counter("attestry_verdicts_caught_up_total", {
  description:
    "Environments behind a change of a policy that this process evaluated in the background",
  incremental: true
})

/** What a process remembers of an org with environments that are behind. */
interface Progress {
  /** No environment up to this id is behind, but for those that failed. */
  after: EnvironmentId | undefined
  /** When environments could not be evaluated, which are left alone for a while. */
  readonly failedAt: Map<EnvironmentId, number>
  /** Whether there was none beside them. */
  isWaiting: boolean
}

/**
 * Makes the turn that evaluates a slice of the environments that are behind of each org; it returns whether it
 * evaluated one. Nothing but the environments says how far a change was applied, so any process goes on where another
 * one ended.
 */
export const makeBehindTurn = Effect.gen(function* () {
  const environments = yield* EnvironmentStore
  const reevaluations = yield* Reevaluations
  const known = new Map<OrgId, Progress>()

  const progressOf = (org: OrgId, now: number): Progress => {
    const found = known.get(org) ?? { after: undefined, failedAt: new Map(), isWaiting: false }
    for (const [id, at] of found.failedAt)
      if (at + FAILED_PAUSE_MILLIS <= now) {
        found.failedAt.delete(id)
        found.isWaiting = false
      }
    known.set(org, found)
    return found
  }

  /**
   * Those that are behind, without those that failed: physical ones first, as where one of them changes a logical one.
   */
  const look = (org: OrgId, progress: Progress) =>
    Effect.gen(function* () {
      const limit = CHOSEN_FROM + progress.failedAt.size
      const list = (kind: "physical" | "logical", after?: EnvironmentId) =>
        Effect.map(environments.listBehind(org, { kind, limit, after }), (refs) =>
          refs.filter(({ environment }) => !progress.failedAt.has(environment))
        )
      const next = yield* list("physical", progress.after)
      if (next.length > 0) return next
      // One that began to be behind meanwhile may have a lower id.
      const first = progress.after === undefined ? next : yield* list("physical")
      progress.after = undefined
      return first.length > 0 ? first : yield* list("logical")
    })

  const evaluateSlice = (org: OrgId) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const progress = progressOf(org, now)
      if (progress.isWaiting) return false
      const found = yield* look(org, progress)
      if (found.length === 0) {
        if (progress.failedAt.size === 0) yield* environments.forgetChanges(org)
        else progress.isWaiting = true
        return false
      }
      const chosen = Array.from(yield* Random.shuffle(found)).slice(0, SLICE)
      const done = new Set<EnvironmentId>()
      for (const ref of chosen) {
        const result = yield* Effect.option(
          Effect.tapError(reevaluations.drainPending(ref), (error) =>
            Effect.logWarning(`environment ${ref.environment} is still to be evaluated`, error)
          )
        )
        if (Option.isSome(result)) done.add(ref.environment)
        else progress.failedAt.set(ref.environment, now)
      }
      yield* Metric.incrementBy(caughtUp, done.size)
      for (const { environment } of found) {
        if (!done.has(environment) && !progress.failedAt.has(environment)) break
        progress.after = environment
      }
      return done.size > 0
    }).pipe(
      Effect.catchTag("StoreError", (error) =>
        Effect.as(Effect.logWarning(`environments of org ${org} are behind`, error), false)
      )
    )

  const turn = Effect.gen(function* () {
    const orgs = yield* environments.listBehindOrgs
    yield* Metric.set(behindSince, Math.max(0, ...orgs.map(({ lateMillis }) => lateMillis)) / 1_000)
    const present = new Set(orgs.map(({ id }) => id))
    for (const id of known.keys()) if (!present.has(id)) known.delete(id)
    let isBusy = false
    for (const { id } of yield* Random.shuffle(orgs)) isBusy = (yield* evaluateSlice(id)) || isBusy
    return isBusy
  })
  return Effect.catchTag(turn, "StoreError", (error) =>
    Effect.as(Effect.logWarning("environments behind could not be looked for", error), false)
  )
})

/** Evaluates environments that are behind, until the scope closes. */
export const runBehind: Effect.Effect<void, never, EnvironmentStore | Reevaluations | Scope.Scope> =
  Effect.flatMap(makeBehindTurn, (turn) =>
    Effect.asVoid(
      Effect.forkScoped(
        Effect.forever(
          Effect.flatMap(turn, (isBusy) => Effect.sleep(isBusy ? 0 : BEHIND_PAUSE_MILLIS))
        )
      )
    )
  )

/** Evaluates pending environments at once and then at intervals, until the scope closes. */
export const run = (
  every: Duration.DurationInput = LOOKED_EVERY
): Effect.Effect<void, never, OrgStore | Reevaluations | Scope.Scope> =>
  Effect.asVoid(Effect.forkScoped(Effect.repeat(drainAll, Schedule.spaced(every))))
