/**
 * Finds compliant environments that become non-compliant within a day by time alone, and adds deliveries: one
 * message per target, environment and instant. The host schedules scans.
 *
 * A repeated or concurrent scan adds nothing: the environment is locked, and the mark of the instant commits with the
 * deliveries. An environment is brought up to now before it is judged.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Environment from "../environment/Environment.js"
import type { StoreError } from "../shared/StoreError.js"
import * as Timestamp from "../shared/Timestamp.js"
import { DecayForecasts } from "../snapshot/internal/DecayForecasts.js"
import { Reevaluations } from "../snapshot/Reevaluations.js"
import { SnapshotStore } from "../snapshot/SnapshotStore.js"
import * as EnvironmentTrigger from "./internal/EnvironmentTrigger.js"
import * as FiringDeliveries from "./internal/FiringDeliveries.js"
import { NotificationStore } from "./NotificationStore.js"

/** How long before its instant a decay is notified. */
const AHEAD_SECONDS = 86_400

const TRIGGER = "ON_DECAYING_ENV"

/** Use case: the scan for environments that decay. */
export class EnvironmentDecayScan extends Effect.Service<EnvironmentDecayScan>()(
  "@attestry/core/EnvironmentDecayScan",
  {
    effect: Effect.gen(function* () {
      const store = yield* NotificationStore
      const snapshots = yield* SnapshotStore
      const reevaluations = yield* Reevaluations
      const forecasts = yield* DecayForecasts
      const sending = yield* FiringDeliveries.make

      /** Notifies of the next decay of an environment; the caller holds its lock. Returns whether it did. */
      const notify = (environment: Environment.Environment, now: Timestamp.Timestamp) =>
        Effect.gen(function* () {
          const ref = Environment.ref(environment)
          if (environment.verdict !== "Compliant" || environment.archived_at !== null) return false
          const watching = yield* store.listWatchingEnvironment(ref, environment.name)
          if (!watching.some(({ triggers }) => triggers.includes(TRIGGER))) return false
          const until = Timestamp.plusSeconds(now, AHEAD_SECONDS)
          const decay = yield* forecasts.next(environment, until)
          const latest = yield* snapshots.latest(ref)
          if (Option.isNone(decay) || Option.isNone(latest)) return false
          const { at: dueAt, rows } = decay.value
          if (!(yield* store.markDecay(ref, dueAt))) return false
          const { index, verdict } = latest.value
          const firing = EnvironmentTrigger.ofDecay({
            org: yield* sending.nameOf(ref.org),
            environment: environment.name,
            environmentId: environment.id,
            at: now,
            snapshot: { index, verdict },
            dueAt,
            rows
          })
          const about = { kind: "environment" as const, id: environment.id }
          const place = { org: ref.org, at: now, sequence: undefined, about }
          yield* sending.send(place, [firing], watching)
          return true
        })

      const scanOne = (ref: Environment.EnvironmentRef): Effect.Effect<boolean, StoreError> =>
        Effect.zipRight(
          reevaluations.drain(ref.org),
          reevaluations.change(ref.org, (scope) =>
            Effect.gen(function* () {
              const now = yield* scope.now
              const found = yield* reevaluations.lock(ref)
              return Option.isSome(found) && !found.value.isPending
                ? yield* notify(found.value.environment, now)
                : false
            })
          )
        )

      /**
       * Scans every org once and returns the number of environments that were notified of. After a failure of one
       * environment the others are scanned, and the scan fails at the end.
       */
      const scan: Effect.Effect<number, StoreError> = Effect.gen(function* () {
        const decaying = yield* store.listDecaying(AHEAD_SECONDS)
        const [[failure], notified] = yield* Effect.partition(decaying, scanOne)
        return failure === undefined ? notified.filter(Boolean).length : yield* failure
      }).pipe(Effect.withSpan("EnvironmentDecayScan.scan"))

      return { scan } as const
    })
  }
) {}
