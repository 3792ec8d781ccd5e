/**
 * One attempt at a transaction. It amortises round trips: BEGIN, the org for row-level security, the clock and the
 * buffered writes go with the next statement, and COMMIT with the last writes. Gain: a report on a trail takes 2 round
 * trips, a single statement 1 (`bench evidence-post`, `commit-search`). INVARIANT: a handle has a connection of its own
 * or a slot in a batch (`GroupCommit`), never both. In a batch only the lock and buffered writes are allowed; any other
 * statement fails, and the work runs again unbatched.
 */
import type { OrgId } from "@attestry/core/Identifier"
import type { StoreError } from "@attestry/core/StoreError"
import * as Timestamp from "@attestry/core/Timestamp"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as SqlFailure from "../shared/SqlFailure.js"
import type * as Driver from "./Driver.js"
import type * as GroupCommit from "./GroupCommit.js"
import * as SeenEntries from "./SeenEntries.js"
import * as WriteBuffer from "./WriteBuffer.js"

/** A transaction that may not have begun yet. */
export interface TransactionHandle {
  readonly org: OrgId
  /** Runs statements in the transaction, after its BEGIN and its buffered writes. */
  readonly connection: Connection
  readonly buffer: WriteBuffer.WriteBuffer
  /** Values by key for `TransactionCache`; cleared when any work of the transaction is undone. */
  readonly cache: Map<string, unknown>
  /** Functions that run once the transaction is committed. */
  readonly afterCommit: Array<() => void>
  /** The database's clock when the transaction began; begins it if nothing has. */
  readonly now: Effect.Effect<Timestamp.Timestamp, SqlError>
  /** Runs statements in one round trip with everything that must go before them. */
  readonly pipeline: (
    statements: ReadonlyArray<Driver.PipelinedStatement>
  ) => Effect.Effect<ReadonlyArray<Driver.StatementResult>, SqlError>
  /** Locks in a batch if nothing has begun, else with a statement of its own. */
  readonly lock: <K, A>(
    join: GroupCommit.Join<K, A>,
    key: K,
    unbatched: Effect.Effect<Option.Option<A>, StoreError>
  ) => Effect.Effect<Option.Option<A>, StoreError>
  /**
   * Commits when the work has succeeded, else rolls back; releases the connection. Answers `false` when nothing is
   * saved and the work has to run again unbatched.
   */
  readonly end: (hasSucceeded: boolean) => Effect.Effect<boolean, StoreError>
}

/** The transaction in which a fiber works, and how many savepoints deep. */
export class CurrentTransaction extends Context.Reference<CurrentTransaction>()(
  "@attestry/sql-store/CurrentTransaction",
  {
    defaultValue: (): { readonly handle: TransactionHandle; readonly depth: number } | undefined =>
      undefined
  }
) {}

/**
 * Continues with the transaction in which the fiber works, if there is one.
 *
 * WHY by the fiber: every call of a store asks, and a reference that is read as an effect takes four steps.
 */
export const withCurrent = <A, E, R>(
  next: (handle: TransactionHandle | undefined) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.withFiberRuntime((fiber) =>
    next(Context.get(fiber.currentContext, CurrentTransaction)?.handle)
  )

const NAME_ORG = `select set_config('attestry.org_id', $1, true),
  (extract(epoch from clock_timestamp()) * 1000000)::int8 as now`

/** Where the clock is among the results of `begin`. */
const CLOCK = 1
/** Where that which was looked for is among them. */
export const SEEN = 2

/** What a transaction may do: write, or read everything as of one moment. */
export type Mode = "write" | "snapshot"

const BEGIN: { readonly [mode in Mode]: string } = {
  write: "begin",
  snapshot: "begin isolation level repeatable read read only"
}

/** The statements that begin a transaction of an org. */
export const begin = (
  org: OrgId,
  mode: Mode = "write",
  mustSee?: ReadonlyArray<number>
): ReadonlyArray<Driver.PipelinedStatement> => [
  { text: BEGIN[mode], values: [] },
  { text: NAME_ORG, values: [org] },
  ...SeenEntries.statements(org, mustSee)
]

/** The statement that ends a transaction. */
export const COMMIT: Driver.PipelinedStatement = { text: "commit", values: [] }

const clockOf = (result: Driver.StatementResult | undefined): Timestamp.Timestamp => {
  const row = result?.rows[0]
  return Timestamp.fromMicros(Predicate.isRecord(row) ? Number(row.now) : Number.NaN)
}

const NOT_BEGUN = new SqlError({
  cause: new Error("the transaction has not begun, and its work has swallowed why")
})

const NOT_BATCHABLE = new SqlError({
  cause: new Error("a batched transaction needs a statement of its own")
})

const rollback = (connection: Connection) => Effect.ignore(connection.executeRaw("rollback", []))

/** What a handle is made of. */
export interface HandleOptions {
  readonly org: OrgId
  readonly sql: SqlClient
  readonly reserve: Context.Tag.Service<typeof Driver.Driver>["reserve"]
  readonly canBatch: boolean
  readonly mode?: Mode
  /** Entries that the transaction must see (`SeenEntries`). */
  readonly mustSee?: ReadonlyArray<number> | undefined
}

/** A transaction that has not begun. */
export const make = (options: HandleOptions): TransactionHandle => {
  const { org, sql, reserve, canBatch, mode, mustSee } = options
  const buffer = WriteBuffer.make(sql, org)
  const cache = new Map<string, unknown>()
  const afterCommit: Array<() => void> = []
  let scope: Scope.CloseableScope | undefined
  let own: Driver.DriverConnection | undefined
  let isBegun = false
  let now: Timestamp.Timestamp | undefined
  let slot: GroupCommit.BatchSlot | undefined
  let isUnbatchable = false
  let isOver = false
  let unseen: SqlError | undefined

  const reserved = Effect.suspend(() => {
    if (slot !== undefined) {
      isUnbatchable = true
      return NOT_BATCHABLE
    }
    if (own !== undefined) return Effect.succeed(own)
    return Effect.gen(function* () {
      const made = scope ?? (yield* Scope.make())
      scope = made
      const given = yield* Scope.extend(reserve(org), made)
      // WHY: a statement that was started at the same time may have reserved a connection before.
      own ??= given
      return own
    })
  })

  const pipeline: TransactionHandle["pipeline"] = (statements) =>
    Effect.flatMap(reserved, (connection) => {
      const isFirst = !isBegun
      isBegun = true
      const before = isFirst ? begin(org, mode, mustSee) : []
      const taken = buffer.take()
      const all = [...before, ...(taken === undefined ? [] : [taken.statement]), ...statements]
      if (all.length === 0) return Effect.succeed([])
      return Effect.flatMap(connection.pipeline(all), (results) => {
        if (isFirst) {
          now = clockOf(results[CLOCK])
          unseen = SeenEntries.refusal(mustSee, results[SEEN])
        }
        if (unseen !== undefined) return unseen
        taken?.deliver(results[before.length]?.rows[0])
        return Effect.succeed(results)
      })
    })

  const on = <A>(next: (connection: Connection) => Effect.Effect<A, SqlError>) =>
    Effect.zipRight(pipeline([]), Effect.flatMap(reserved, next))

  const runAfterCommit = () => {
    for (const work of afterCommit) work()
  }

  /**
   * WHY the command: after a database error that the work has swallowed, PostgreSQL answers COMMIT with success and
   * the word ROLLBACK.
   */
  const commit = (connection: Effect.Effect<Connection, SqlError>) =>
    pipeline([COMMIT]).pipe(
      Effect.mapError(SqlFailure.storeError("commit")),
      Effect.filterOrFail(
        (results) => results.at(-1)?.command === "COMMIT",
        () => SqlFailure.storeError("commit")(new Error("the work has swallowed a database error"))
      ),
      Effect.tapError(() => Effect.ignore(Effect.flatMap(connection, rollback))),
      Effect.map(runAfterCommit)
    )

  const endOwn = (hasSucceeded: boolean): Effect.Effect<unknown, StoreError> => {
    if (!hasSucceeded) return isBegun && own !== undefined ? rollback(own) : Effect.void
    // WHY: work may have swallowed it, and its result would be from before the entries.
    if (unseen !== undefined)
      return Effect.zipRight(endOwn(false), SqlFailure.storeError("begin")(unseen))
    return isBegun || !buffer.isEmpty() ? commit(reserved) : Effect.void
  }

  const endBatched = (hasSucceeded: boolean, given: GroupCommit.BatchSlot) => {
    if (isUnbatchable || !hasSucceeded) {
      given.leave()
      return Effect.succeed(!isUnbatchable)
    }
    return Effect.tap(given.save(buffer.drain()), (isSaved) => {
      if (isSaved) runAfterCommit()
    })
  }

  return {
    org,
    buffer,
    cache,
    afterCommit,
    connection: {
      execute: (text, values, transform) =>
        Effect.map(pipeline([{ text, values }]), (results) => {
          const rows = results.at(-1)?.rows ?? []
          return transform === undefined ? rows : transform(rows)
        }),
      executeRaw: (...call) => on((connection) => connection.executeRaw(...call)),
      executeValues: (...call) => on((connection) => connection.executeValues(...call)),
      executeUnprepared: (...call) => on((connection) => connection.executeUnprepared(...call)),
      executeStream: (...call) =>
        Stream.unwrap(on((connection) => Effect.succeed(connection.executeStream(...call))))
    },
    now: Effect.suspend(() => {
      if (slot !== undefined) return Effect.succeed(slot.now)
      const begun = isBegun ? Effect.void : pipeline([])
      return Effect.flatMap(begun, () => (now === undefined ? NOT_BEGUN : Effect.succeed(now)))
    }),
    pipeline,
    lock: (join, key, unbatched) =>
      !canBatch || scope !== undefined || slot !== undefined
        ? unbatched
        : Effect.async((resume) => {
            join(org, {
              key,
              admit: (locked, given) => {
                // The work was interrupted while it waited, and may have gone on in a finalizer.
                if (isOver || scope !== undefined) return given.leave()
                // WHY here and not after `resume`: work that is interrupted before it resumes must leave the batch.
                slot = given
                resume(Effect.succeedSome(locked))
              },
              refuse: (why) => resume(Effect.zipRight(why, unbatched))
            })
          }),
    end: (hasSucceeded) => {
      if (isOver) return Effect.succeed(true)
      isOver = true
      if (slot !== undefined) return endBatched(hasSucceeded, slot)
      return Effect.ensuring(
        Effect.as(endOwn(hasSucceeded), true),
        Effect.suspend(() => (scope === undefined ? Effect.void : Scope.close(scope, Exit.void)))
      )
    }
  }
}
