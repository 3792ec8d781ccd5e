/**
 * Transactions of one org. Every statement on tenant tables runs in a transaction that has named its org, and
 * row-level security shows it no other org's rows. DECISIONS.md, "Tenancy is in the key"
 *
 * Transient conflicts are retried, at most three attempts in all (P-ORACLE). `@effect/sql` has transactions too, but
 * there a failed COMMIT is a defect.
 */
import type { OrgId } from "@attestry/core/Identifier"
import * as JournalSequences from "@attestry/core/JournalSequences"
import type { StoreError } from "@attestry/core/StoreError"
import type * as Timestamp from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import * as SqlFailure from "../shared/SqlFailure.js"
import * as Driver from "./Driver.js"
import * as GroupCommit from "./GroupCommit.js"
import * as SeenEntries from "./SeenEntries.js"
import * as TransactionHandle from "./TransactionHandle.js"

/** The instant of a transaction by the database's clock; the effect begins the transaction. */
export type Instant = Effect.Effect<Timestamp.Timestamp, StoreError>

type Work<A, E, R> = (now: Instant) => Effect.Effect<A, E, R>

/** Runs work within one org. */
export class TenantTransaction extends Context.Tag("@attestry/sql-store/TenantTransaction")<
  TenantTransaction,
  {
    /** All-or-nothing; nests. Begins with its first statement, or when the work asks for its instant. */
    readonly transaction: <A, E, R>(
      org: OrgId,
      work: Work<A, E, R>
    ) => Effect.Effect<A, E | StoreError, R>
    /** Reads as of one moment; inside of a transaction, reads of that transaction. */
    readonly snapshot: <A, E, R>(
      org: OrgId,
      reads: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | StoreError, R>
    /** The rows of one statement that is a transaction of its own: begun, run and committed in one round trip. */
    readonly single: (
      org: OrgId,
      statement: Driver.PipelinedStatement
    ) => Effect.Effect<ReadonlyArray<unknown>, SqlError | StoreError>
    /**
     * A lock that transactions begin with. Transactions of an org that take it at the same time share one database
     * transaction (`GroupCommit`); a transaction that has begun already runs the statement by itself.
     */
    readonly batchedLock: <K, A>(
      statement: GroupCommit.LockStatement<K, A>
    ) => Effect.Effect<(org: OrgId, key: K) => Effect.Effect<Option.Option<A>, StoreError>>
  }
>() {}

/** The exit of work that runs inside a transaction. */
const runInside = <A, E, R>(
  work: Work<A, E, R>,
  handle: TransactionHandle.TransactionHandle,
  depth: number
): Effect.Effect<Exit.Exit<A, E>, never, R> =>
  Effect.suspend(() => work(Effect.mapError(handle.now, SqlFailure.storeError("begin")))).pipe(
    Effect.mapInputContext((outer: Context.Context<R>) =>
      outer.pipe(
        Context.add(TransactionHandle.CurrentTransaction, { handle, depth }),
        Context.add(SqlClient.TransactionConnection, [handle.connection, depth])
      )
    ),
    Effect.exit
  )

/** WHY not one schedule for all attempts: it costs more than the first retry, which nearly always succeeds. */
const FIRST_DELAY = "10 millis"
const RETRY = Schedule.intersect(
  Schedule.recurs(1),
  Schedule.jittered(Schedule.exponential("20 millis"))
)

const retryTransient = <A, E, R>(attempt: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.catchIf(attempt, SqlFailure.isTransient, () =>
    Effect.retry(Effect.delay(attempt, FIRST_DELAY), {
      schedule: RETRY,
      while: SqlFailure.isTransient
    })
  )

/** Runs work inside a savepoint; work that fails is undone, and the outer work can go on. */
const nested = <A, E, R>(
  handle: TransactionHandle.TransactionHandle,
  depth: number,
  work: Work<A, E, R>
): Effect.Effect<A, E | StoreError, R> => {
  const run = (text: string) =>
    Effect.mapError(handle.pipeline([{ text, values: [] }]), SqlFailure.storeError(text))
  const name = `attestry_${depth}`
  const undo = Effect.suspend(() => {
    handle.buffer.drain()
    handle.cache.clear()
    handle.afterCommit.length = 0
    return Effect.ignore(run(`rollback to savepoint ${name}`))
  })
  return Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      yield* run(`savepoint ${name}`)
      const exit = yield* runInside((now) => restore(work(now)), handle, depth)
      if (Exit.isFailure(exit)) yield* undo
      else yield* Effect.tapError(run(`release savepoint ${name}`), () => undo)
      return yield* exit
    })
  )
}

/** The transactions of a driver; `sql` compiles buffered writes. */
export const make = (
  sql: SqlClient.SqlClient,
  { reserve }: Context.Tag.Service<Driver.Driver>
): Context.Tag.Service<TenantTransaction> => {
  const open = (
    org: OrgId,
    canBatch: boolean,
    options: Pick<TransactionHandle.HandleOptions, "mode" | "mustSee"> = {}
  ) => TransactionHandle.make({ org, sql, reserve, canBatch, ...options })

  const attempt = <A, E, R>(
    org: OrgId,
    work: Work<A, E, R>,
    { canBatch, mustSee }: Pick<TransactionHandle.HandleOptions, "canBatch" | "mustSee">
  ): Effect.Effect<A, E | StoreError, R> =>
    Effect.uninterruptibleMask((restore) => {
      const handle = open(org, canBatch && mustSee === undefined, { mustSee })
      return Effect.flatMap(
        runInside((now) => restore(work(now)), handle, 0),
        (exit): Effect.Effect<A, E | StoreError, R> =>
          Effect.flatMap(handle.end(Exit.isSuccess(exit)), (isEnded) =>
            isEnded ? exit : restore(attempt(org, work, { canBatch: false, mustSee }))
          )
      )
    })

  const outermost = <A, E, R>(
    org: OrgId,
    work: Work<A, E, R>
  ): Effect.Effect<A, E | StoreError, R> =>
    SeenEntries.withMustSee(org, (mustSee) =>
      SeenEntries.awaited(mustSee, retryTransient(attempt(org, work, { canBatch: true, mustSee })))
    )

  const transaction = <A, E, R>(
    org: OrgId,
    work: Work<A, E, R>
  ): Effect.Effect<A, E | StoreError, R> =>
    Effect.flatMap(TransactionHandle.CurrentTransaction, (current) => {
      if (current === undefined) return outermost(org, work)
      return current.handle.org === org
        ? nested(current.handle, current.depth + 1, work)
        : Effect.dieMessage("a transaction of one org was asked to work on another")
    })

  const snapshotOf = <A, E, R>(
    org: OrgId,
    reads: Effect.Effect<A, E, R>,
    mustSee: ReadonlyArray<number> | undefined
  ): Effect.Effect<A, E | StoreError, R> =>
    Effect.uninterruptibleMask((restore) => {
      const handle = open(org, false, { mode: "snapshot", mustSee })
      return Effect.flatMap(
        runInside(() => restore(reads), handle, 0),
        (exit) => Effect.zipRight(handle.end(Exit.isSuccess(exit)), exit)
      )
    })

  const snapshot = <A, E, R>(
    org: OrgId,
    reads: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | StoreError, R> =>
    TransactionHandle.withCurrent((current) =>
      current === undefined
        ? SeenEntries.withMustSee(org, (mustSee) =>
            SeenEntries.awaited(mustSee, retryTransient(snapshotOf(org, reads, mustSee)))
          )
        : transaction(org, () => reads)
    )

  const singleOf = (
    org: OrgId,
    statement: Driver.PipelinedStatement,
    mustSee: ReadonlyArray<number> | undefined
  ) => {
    const begin = TransactionHandle.begin(org, "write", mustSee)
    const statements = [...begin, statement, TransactionHandle.COMMIT]
    return retryTransient(
      Effect.uninterruptibleMask((restore) =>
        Effect.scopedWith((scope) =>
          Effect.gen(function* () {
            const connection = yield* Effect.mapError(
              Scope.extend(reserve(org), scope),
              SqlFailure.storeError("connect")
            )
            const results = yield* Effect.onError(restore(connection.pipeline(statements)), () =>
              Effect.ignore(connection.executeRaw("rollback", []))
            )
            const unseen = SeenEntries.refusal(mustSee, results[TransactionHandle.SEEN])
            return unseen === undefined ? (results.at(-2)?.rows ?? []) : yield* unseen
          })
        )
      )
    )
  }

  const single: Context.Tag.Service<TenantTransaction>["single"] = (org, statement) =>
    SeenEntries.withMustSee(org, (mustSee) =>
      SeenEntries.awaited(mustSee, singleOf(org, statement, mustSee))
    )

  const batchedLock: Context.Tag.Service<TenantTransaction>["batchedLock"] = (statement) =>
    Effect.map(
      GroupCommit.make(statement, (org) => open(org, false)),
      (join) => (org, key) => {
        const unbatched = statement.compile(org, [key], { waits: true }).pipe(
          Effect.flatMap(statement.read),
          Effect.map(([locked]) => locked ?? Option.none()),
          SqlFailure.toStoreError(statement.operation)
        )
        return TransactionHandle.withCurrent((handle) =>
          handle === undefined ? outermost(org, () => unbatched) : handle.lock(join, key, unbatched)
        )
      }
    )

  return { transaction, snapshot, single, batchedLock }
}

/** What every adapter of this package needs. */
export const layer: Layer.Layer<TenantTransaction, never, SqlClient.SqlClient | Driver.Driver> =
  Layer.effect(
    TenantTransaction,
    Effect.map(Effect.all([SqlClient.SqlClient, Driver.Driver]), ([sql, driver]) =>
      make(sql, driver)
    )
  )

/**
 * `Transaction` on PostgreSQL, at READ COMMITTED, and snapshots at REPEATABLE READ; the database's clock is the one
 * clock.
 */
export const transactionLayer: Layer.Layer<Transaction, never, TenantTransaction> = Layer.effect(
  Transaction,
  Effect.map(TenantTransaction, ({ transaction, snapshot }) => ({
    run: (org, work) =>
      JournalSequences.within((attempt) => transaction(org, (now) => attempt({ now })), work),
    snapshot
  }))
)
