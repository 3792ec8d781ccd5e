/**
 * Evaluates environments without a report: at once when attached policies or allow-lists change; pending
 * ones after a policy is saved, when they are due, and before a read. DECISIONS.md, "Pending environments are evaluated before they are
 * read"
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { WriteContext } from "../access/internal/WriteContext.js"
import * as Environment from "../environment/Environment.js"
import { EnvironmentStore, type StateChange } from "../environment/EnvironmentStore.js"
import { DamagedRecords } from "../shared/DamagedRecords.js"
import type { OrgId } from "../shared/Identifier.js"
import { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import { LogicalSnapshots } from "./internal/LogicalSnapshots.js"
import { SnapshotHistory } from "./internal/SnapshotHistory.js"

/** The actor of snapshots that follow from no request. */
const ACTOR = { kind: "system", id: "reevaluation", name: "reevaluation" } as const

/** The next due instant of an environment; null without one. */
type DueAt = Timestamp | null

/** Use cases of evaluating environments without a report. */
export class Reevaluations extends Effect.Service<Reevaluations>()("@attestry/core/Reevaluations", {
  effect: Effect.gen(function* () {
    const environments = yield* EnvironmentStore
    const history = yield* SnapshotHistory
    const logical = yield* LogicalSnapshots
    const transaction = yield* Transaction

    /** Stores the state of a snapshot that was appended, and returns the environment as it is then. */
    const changed = (
      environment: Environment.Environment,
      { appended, due }: { readonly appended: Option.Option<StateChange>; readonly due: DueAt }
    ) =>
      Effect.gen(function* () {
        const { due_at: _, ...kept } = environment
        const next: Environment.Environment = due === null ? kept : { ...kept, due_at: due }
        if (Option.isNone(appended)) return next
        yield* environments.change(Environment.ref(environment), appended.value)
        const { at, verdict } = appended.value
        return { ...next, last_changed_at: at, last_modified_at: at, verdict }
      })

    /** Evaluates the rows of the latest snapshot; `unchanged` runs where no snapshot is appended. */
    const evaluatePhysical = (
      writer: WriteContext,
      environment: Environment.Environment,
      options: {
        readonly cause: "attachment" | "reevaluation"
        readonly unchanged: Effect.Effect<void, StoreError>
      }
    ) =>
      Effect.gen(function* () {
        const result = yield* history.append(writer, environment, {
          cause: options.cause,
          rows: Option.none(),
          isStale: false,
          note: {}
        })
        yield* changed(environment, result)
        if (Option.isNone(result.appended)) yield* options.unchanged
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

    /** Evaluates a physical environment as of its due instant, and returns it with the next one. */
    const decayPhysical = (
      writer: WriteContext,
      environment: Environment.Environment,
      dueAt: Timestamp
    ) =>
      Effect.gen(function* () {
        const result = yield* history.append(writer, environment, {
          cause: "reevaluation",
          rows: Option.none(),
          isStale: true,
          note: { cause: "decay" },
          dueAt
        })
        if (Option.isNone(result.appended))
          yield* logical.memberReevaluated(writer, environment, { at: dueAt, isDecay: true })
        return yield* changed(environment, result)
      })

    /** Evaluates a logical environment as of its due instant, and returns it with the next one. */
    const decayLogical = (
      writer: WriteContext,
      environment: Environment.Environment,
      at: Timestamp
    ) =>
      Effect.gen(function* () {
        const instant = { always: false, at, isDecay: true }
        yield* logical.reevaluate(writer, environment, instant)
        const found = yield* environments.lock(Environment.ref(environment))
        return Option.match(found, {
          onNone: () => environment,
          onSome: (locked) => locked.environment
        })
      })

    /**
     * Evaluates an environment as of each due instant that has passed, in their order. The caller holds its lock.
     * Afterwards its snapshots are those of an evaluation at each instant.
     */
    const catchUp = (
      now: Timestamp,
      environment: Environment.Environment
    ): Effect.Effect<Environment.Environment, StoreError> => {
      const { due_at: due, org_id: org, type } = environment
      if (due === undefined || due > now) return Effect.succeed(environment)
      const decay = type === "logical" ? decayLogical : decayPhysical
      return Effect.flatMap(decay({ org, actor: ACTOR, at: now }, environment, due), (next) =>
        // WHY: every evaluation as of an instant moves the due instant on; a store that did not would never end this.
        next.due_at === due
          ? new StoreError({ operation: "catchUp", cause: new Error(`due at ${due} again`) })
          : catchUp(now, next)
      )
    }

    /**
     * Locks an environment, and brings it up to now by `catchUp`. Writers that change what evaluations depend on lock it by
     * this, so that a due instant before their change is evaluated without the change.
     */
    const lock = (key: Environment.EnvironmentKey | Environment.EnvironmentRef) =>
      Effect.flatMap(environments.lock(key), (found) =>
        Option.isNone(found) || !found.value.isDue || found.value.environment.archived_at !== null
          ? Effect.succeed(found)
          : Effect.map(catchUp(found.value.now, found.value.environment), (environment) =>
              Option.some({ ...found.value, environment, isDue: false })
            )
      )

    /** Evaluates one environment, unless another process has evaluated it since it was listed. */
    const drainOne = (ref: Environment.EnvironmentRef) =>
      transaction.run(ref.org, (scope) =>
        Effect.gen(function* () {
          const now = yield* scope.now
          const found = yield* lock(ref)
          if (Option.isNone(found) || !found.value.isPending) return
          const writer = { org: ref.org, actor: ACTOR, at: now }
          yield* evaluate(writer, found.value.environment, "reevaluation")
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

    return { policiesChanged, entriesChanged, lock, drain, drainOne } as const
  })
}) {}
