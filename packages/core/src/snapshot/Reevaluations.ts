/**
 * Evaluates environments without a report: at once when attached policies or allow-lists change; pending
 * ones after a policy is saved, when they are due, and before a read; those that are behind before a read of each, and
 * in the background. DECISIONS.md, "Pending environments are evaluated before they are read"
 */
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { WriteContext } from "../access/internal/WriteContext.js"
import * as Environment from "../environment/Environment.js"
import { EnvironmentStore, type ReportedEnvironment } from "../environment/EnvironmentStore.js"
import { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import { Transaction, type TransactionScope } from "../shared/Transaction.js"
import { ACTOR, DueEvaluations } from "./internal/DueEvaluations.js"
import { LogicalSnapshots } from "./internal/LogicalSnapshots.js"
import { SnapshotHistory } from "./internal/SnapshotHistory.js"

/** A read of a logical environment evaluates at most so many of its members. */
const READ_MEMBERS_MAX = 256

/** Whether everything that can be evaluated has been, so that a due instant that is left does not stop a write. */
const isDrained = FiberRef.unsafeMake(false)

/** A due instant of the org has passed, and must be evaluated before the change. Never leaves `change`. */
class OrgDue extends Schema.TaggedError<OrgDue>()("OrgDue", { org: OrgId }) {}

/** Evaluations of one environment, whose lock the caller holds. */
const makeEvaluations = Effect.gen(function* () {
  const environments = yield* EnvironmentStore
  const history = yield* SnapshotHistory
  const logical = yield* LogicalSnapshots

  /** Evaluates the rows of the latest snapshot; `unchanged` runs where no snapshot is appended. */
  const evaluatePhysical = (
    writer: WriteContext,
    environment: Environment.Environment,
    options: {
      readonly cause: "attachment" | "reevaluation"
      /** Whether rows that run on are evaluated again, also by the same policies. */
      readonly isStale: boolean
      readonly unchanged: Effect.Effect<void, StoreError>
    }
  ) =>
    Effect.gen(function* () {
      const appended = yield* history.append(writer, environment, {
        cause: options.cause,
        rows: Option.none(),
        isStale: options.isStale,
        note: {}
      })
      yield* Option.match(appended, {
        onNone: () => options.unchanged,
        onSome: (change) => environments.change(Environment.ref(environment), change)
      })
    })

  /** Evaluates an environment; the caller holds its lock. */
  const evaluate = (
    writer: WriteContext,
    environment: Environment.Environment,
    cause: "attachment" | "reevaluation"
  ) =>
    environment.type === "logical"
      ? logical.reevaluate(writer, environment, {
          always: cause === "attachment",
          at: writer.at,
          isDecay: false
        })
      : evaluatePhysical(writer, environment, {
          cause,
          // WHY: a waiver makes environments pending too, and then the policies are the same.
          isStale: cause === "reevaluation",
          unchanged: Effect.void
        })

  /**
   * Evaluates the rows after a change of the allow-list. Appends a snapshot where a verdict changes; otherwise
   * evaluates the logical environments that contain this one: an entry can change their verdict where this one's
   * stays.
   */
  const entriesChanged = (writer: WriteContext, environment: Environment.Environment) =>
    evaluatePhysical(writer, environment, {
      cause: "reevaluation",
      isStale: false,
      unchanged: logical.memberReevaluated(writer, environment)
    })

  return { evaluate, entriesChanged } as const
})

/** Use cases of evaluating environments without a report. */
export class Reevaluations extends Effect.Service<Reevaluations>()("@attestry/core/Reevaluations", {
  effect: Effect.gen(function* () {
    const environments = yield* EnvironmentStore
    const transaction = yield* Transaction
    const { evaluate, entriesChanged } = yield* makeEvaluations
    const due = yield* DueEvaluations

    /** Evaluates one environment that is pending or behind, unless another process has done so since it was listed. */
    const drainPending = (ref: Environment.EnvironmentRef) =>
      transaction.run(ref.org, (scope) =>
        Effect.gen(function* () {
          const now = yield* scope.now
          const found = yield* environments.lock(ref)
          if (Option.isNone(found) || !found.value.isPending) return
          const writer = { org: ref.org, actor: ACTOR, at: now }
          yield* evaluate(writer, found.value.environment, "reevaluation")
          yield* environments.clearPending(ref)
        })
      )

    /**
     * Evaluates an environment that is pending or behind, for a read of it. Members that are behind come first, as in
     * `drain`: where there are more than a read evaluates, the logical environment waits for the others.
     */
    const catchUp = (environment: Environment.Environment) =>
      Effect.gen(function* () {
        const { included, org_id: org } = environment
        const members =
          included === null
            ? []
            : yield* environments.listBehind(org, {
                kind: "physical",
                limit: READ_MEMBERS_MAX + 1,
                among: included
              })
        for (const member of members.slice(0, READ_MEMBERS_MAX))
          yield* Effect.catchTag(drainPending(member), "StoreError", (error) =>
            Effect.logWarning(`environment ${member.environment} is still to be evaluated`, error)
          )
        if (members.length <= READ_MEMBERS_MAX) yield* drainPending(Environment.ref(environment))
      })

    /**
     * Evaluates the rows after a change of attached policies and appends a snapshot, unless the environment has none;
     * the caller holds the environment's lock and has stored the environment.
     */
    const policiesChanged = (writer: WriteContext, environment: Environment.Environment) =>
      evaluate(writer, environment, "attachment")

    /**
     * Looks for silence after a change of the cadence, and appends a snapshot where its verdict has other reasons; the
     * caller holds the environment's lock and has stored the environment.
     */
    const cadenceChanged = (writer: WriteContext, environment: Environment.Environment) =>
      Effect.flatMap(
        due.settle(writer, environment, { asOf: writer.at, notBefore: writer.at }),
        (settled) => evaluate(writer, settled, "reevaluation")
      )

    /**
     * Evaluates every due environment of an org in the order of instants, then every pending one, each in a
     * transaction of its own. Must not be called inside one: the change that made them pending must be committed. Those
     * that are behind may be very many, and are left to reads of each and to `PendingWorker`.
     */
    const drain = Effect.fn("Reevaluations.drain")(function* (org: OrgId) {
      yield* due.drain(org)
      yield* Effect.forEach(yield* due.listPending(org), ({ ref }) => drainPending(ref), {
        discard: true
      })
    })

    /** Locks an environment for a change that evaluations depend on; for the work of `change`. */
    const lock = (
      key: Environment.EnvironmentKey | Environment.EnvironmentRef
    ): Effect.Effect<Option.Option<ReportedEnvironment>, OrgDue | StoreError> =>
      Effect.flatMap(environments.lock(key), (found) =>
        Option.isNone(found) || !found.value.isOrgDue
          ? Effect.succeed(found)
          : Effect.flatMap(FiberRef.get(isDrained), (drained) =>
              drained ? Effect.succeed(found) : new OrgDue({ org: key.org })
            )
      )

    /**
     * Runs a transaction that changes something that evaluations depend on, and locks its environment by `lock`. Due
     * instants before the change are evaluated without it: where one has passed, the transaction is undone, the org
     * is drained, and the transaction runs again.
     */
    const change = <A, E, R>(
      org: OrgId,
      work: (scope: TransactionScope) => Effect.Effect<A, E | OrgDue, R>
    ): Effect.Effect<A, E | StoreError, R> =>
      // WHY: `catchTag` does not narrow an error type that the caller chooses. Other errors fail as they were.
      Effect.catchAll(transaction.run(org, work), (error) =>
        error instanceof OrgDue
          ? Effect.flatMap(due.drain(org), (wasDue) =>
              // WHY: an environment whose record is damaged stays due; writes to the others must not wait for it.
              wasDue ? change(org, work) : Effect.locally(change(org, work), isDrained, true)
            )
          : Effect.fail(error)
      )

    return {
      policiesChanged,
      entriesChanged,
      cadenceChanged,
      change,
      lock,
      drain,
      drainPending,
      catchUp
    } as const
  })
}) {}
