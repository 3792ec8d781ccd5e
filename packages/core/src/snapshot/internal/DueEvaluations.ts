/**
 * Evaluates environments as of the instants at which time alone may change a verdict, and looks for silences. SPEC
 * §3.22, §3.23
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { WriteContext } from "../../access/internal/WriteContext.js"
import * as Environment from "../../environment/Environment.js"
import { EnvironmentStore } from "../../environment/EnvironmentStore.js"
import { DamagedRecords } from "../../shared/DamagedRecords.js"
import type { EnvironmentId, OrgId } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import { Transaction } from "../../shared/Transaction.js"
import { LogicalSnapshots } from "./LogicalSnapshots.js"
import { type Look, Silences } from "./Silences.js"
import { SnapshotHistory } from "./SnapshotHistory.js"

/** The actor of snapshots that follow from no request. */
export const ACTOR = { kind: "system", id: "reevaluation", name: "reevaluation" } as const

/** Evaluations at due instants. */
export class DueEvaluations extends Effect.Service<DueEvaluations>()(
  "@attestry/core/DueEvaluations",
  {
    effect: Effect.gen(function* () {
      const environments = yield* EnvironmentStore
      const history = yield* SnapshotHistory
      const logical = yield* LogicalSnapshots
      const transaction = yield* Transaction
      const silences = yield* Silences

      /** Evaluates an environment as of its due instant; the caller holds its lock. */
      const decay = (
        writer: WriteContext,
        environment: Environment.Environment,
        dueAt: Timestamp
      ) =>
        Effect.gen(function* () {
          const instant = { at: dueAt, isDecay: true }
          if (environment.type === "logical")
            return yield* logical.reevaluate(writer, environment, { always: false, ...instant })
          const appended = yield* history.append(writer, environment, {
            cause: "reevaluation",
            rows: Option.none(),
            isStale: true,
            note: { cause: "decay" },
            dueAt
          })
          yield* Option.match(appended, {
            onNone: () => logical.memberReevaluated(writer, environment, instant),
            onSome: (change) => environments.change(Environment.ref(environment), change)
          })
        })

      /** Looks for the silence of an environment, and appends a snapshot where its verdict has other reasons. */
      const settle = (writer: WriteContext, environment: Environment.Environment, look: Look) =>
        Effect.gen(function* () {
          const found = yield* silences.look(writer, environment, look)
          if (found.changedAt === null) return found.environment
          const appended = yield* history.append(writer, found.environment, {
            cause: "reevaluation",
            rows: Option.none(),
            isStale: false,
            note: { cause: "silence" },
            at: found.changedAt
          })
          if (Option.isSome(appended))
            yield* environments.change(Environment.ref(environment), appended.value)
          return found.environment
        })

      /**
       * Evaluates one environment as of its due instant, or looks for its silence, unless another process has done so
       * since it was listed.
       */
      const drainDue = (ref: Environment.EnvironmentRef, dueAt: Timestamp) =>
        transaction.run(ref.org, (scope) =>
          Effect.gen(function* () {
            const now = yield* scope.now
            const found = yield* environments.lock(ref)
            if (Option.isNone(found)) return
            const { environment } = found.value
            const writer = { org: ref.org, actor: ACTOR, at: now }
            if (environment.silence_due_at === dueAt)
              yield* settle(writer, environment, { asOf: dueAt })
            else if (environment.due_at === dueAt) yield* decay(writer, environment, dueAt)
          })
        )

      /** WHY damaged records are left out: they cannot be evaluated, and the others must not wait for them. */
      const listPending = (org: OrgId) =>
        Effect.provideService(environments.listPending(org), DamagedRecords, [])

      /** The environments with the earliest due instant that has passed, without those that failed. */
      const listEarliest = (org: OrgId, failed: ReadonlyMap<EnvironmentId, StoreError>) =>
        Effect.map(listPending(org), (pending) => {
          const due = pending.flatMap(({ dueAt, ref }) =>
            dueAt === null || failed.has(ref.environment) ? [] : [{ ref, dueAt }]
          )
          const first = Math.min(...due.map(({ dueAt }) => dueAt))
          return due.filter(({ dueAt }) => dueAt === first)
        })

      /**
       * Evaluates environments as of each due instant that has passed, the earliest instant first, and returns whether
       * there was one. An environment that cannot be evaluated does not stop the others; its failure is that of the
       * whole.
       */
      const drain = (org: OrgId): Effect.Effect<boolean, StoreError> =>
        Effect.gen(function* () {
          const failed = new Map<EnvironmentId, StoreError>()
          let wasDue = false
          // An evaluation moves the due instant of its environment on, so this ends.
          for (;;) {
            const earliest = yield* listEarliest(org, failed)
            if (earliest.length === 0) break
            wasDue = true
            for (const { dueAt, ref } of earliest)
              yield* Effect.catchTag(drainDue(ref, dueAt), "StoreError", (error) =>
                Effect.sync(() => void failed.set(ref.environment, error))
              )
          }
          const [error] = failed.values()
          return error === undefined ? wasDue : yield* error
        })

      return { drain, listPending, settle } as const
    })
  }
) {}
