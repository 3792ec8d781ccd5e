/**
 * Evaluates environments without a report: at once when attached policies or allow-lists change; pending
 * ones after a policy is saved and before a read. DECISIONS.md, "Pending environments are evaluated before they are
 * read"
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { WriteContext } from "../access/internal/WriteContext.js"
import * as Environment from "../environment/Environment.js"
import { EnvironmentStore } from "../environment/EnvironmentStore.js"
import { DamagedRecords } from "../shared/DamagedRecords.js"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import { Transaction } from "../shared/Transaction.js"
import { LogicalSnapshots } from "./internal/LogicalSnapshots.js"
import { SnapshotHistory } from "./internal/SnapshotHistory.js"

/** The actor of snapshots that follow from no request. */
const ACTOR = { kind: "system", id: "reevaluation", name: "reevaluation" } as const

/** Use cases of evaluating environments without a report. */
export class Reevaluations extends Effect.Service<Reevaluations>()("@attestry/core/Reevaluations", {
  effect: Effect.gen(function* () {
    const environments = yield* EnvironmentStore
    const history = yield* SnapshotHistory
    const logical = yield* LogicalSnapshots
    const transaction = yield* Transaction

    /** Evaluates the rows of the latest snapshot; `unchanged` runs where no snapshot is appended. */
    const evaluatePhysical = (
      writer: WriteContext,
      environment: Environment.Environment,
      options: {
        readonly cause: "attachment" | "reevaluation"
        readonly unchanged: Effect.Effect<void, StoreError>
      }
    ) =>
      Effect.flatMap(
        history.append(writer, environment, {
          cause: options.cause,
          rows: Option.none(),
          isStale: false,
          note: {}
        }),
        Option.match({
          onNone: () => options.unchanged,
          onSome: ({ timestamp, verdict }) =>
            environments.change(Environment.ref(environment), { at: timestamp, verdict })
        })
      )

    /** Evaluates an environment; the caller holds its lock. */
    const evaluate = (
      writer: WriteContext,
      environment: Environment.Environment,
      cause: "attachment" | "reevaluation"
    ) =>
      environment.type === "logical"
        ? logical.reevaluate(writer, environment, { always: cause === "attachment" })
        : evaluatePhysical(writer, environment, { cause, unchanged: Effect.void })

    /**
     * Evaluates the rows after a change of the allow-list. Appends a snapshot where a verdict changes; otherwise
     * evaluates the logical environments that contain this one: an entry can change their verdict where this one's
     * stays.
     */
    const entriesChanged = (writer: WriteContext, environment: Environment.Environment) =>
      evaluatePhysical(writer, environment, {
        cause: "reevaluation",
        unchanged: logical.memberReevaluated(writer, environment)
      })

    /** Evaluates one environment, unless another process has evaluated it since it was listed. */
    const drainOne = (ref: Environment.EnvironmentRef) =>
      transaction.run(ref.org, (scope) =>
        Effect.gen(function* () {
          const now = yield* scope.now
          const found = yield* environments.lock(ref)
          if (Option.isNone(found) || !found.value.isPending) return
          yield* evaluate(
            { org: ref.org, actor: ACTOR, at: now },
            found.value.environment,
            "reevaluation"
          )
          yield* environments.clearPending(ref)
        })
      )

    /** WHY damaged records are left out: they cannot be evaluated, and the others must not wait for them. */
    const listPending = (org: OrgId) =>
      Effect.provideService(environments.listPending(org), DamagedRecords, [])

    /**
     * Evaluates the rows after a change of attached policies and appends a snapshot, unless the environment has none;
     * the caller holds the environment's lock and has stored the environment.
     */
    const policiesChanged = (writer: WriteContext, environment: Environment.Environment) =>
      evaluate(writer, environment, "attachment")

    /**
     * Evaluates every pending environment of an org, each in a transaction of its own. Must not be called
     * inside one: the change that made them pending must be committed.
     */
    const drain = Effect.fn("Reevaluations.drain")(function* (org: OrgId) {
      yield* Effect.forEach(yield* listPending(org), drainOne, { discard: true })
    })

    return { policiesChanged, entriesChanged, drain } as const
  })
}) {}
