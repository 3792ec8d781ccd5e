/**
 * One org at a time: every statement on tenant tables runs in a transaction that has named its org, and
 * row-level security shows it nothing else. DECISION S5
 *
 * Begins with the first statement, or with others that ask the same (`TransactionHandle`); writes that can wait go as
 * one (`WriteBuffer`), with the commit. Transient conflicts are retried, at most three times in all
 * (P-ORACLE). What `@effect/sql` offers is not used because its failed COMMIT is a defect.
 */
import type { OrgId } from "@attestry/core/Identifier"
import * as Provide from "@attestry/core/Provide"
import { StoreError } from "@attestry/core/StoreError"
import type * as Timestamp from "@attestry/core/Timestamp"
import * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlConnection from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import type { Shares } from "./ConnectionShares.js"
import * as GroupCommit from "./GroupCommit.js"
import * as LazyBegin from "./LazyBegin.js"
import type * as Pipeline from "./Pipeline.js"
import * as SqlFailure from "./SqlFailure.js"
import * as TransactionHandle from "./TransactionHandle.js"
import * as WriteBuffer from "./WriteBuffer.js"

interface Current {
  readonly org: OrgId
  readonly departure: TransactionHandle.TransactionHandle
  readonly depth: number
  readonly pending: WriteBuffer.WriteBuffer
  /** What the transaction knows of rows that it holds; forgotten when any of its work is undone. */
  readonly held: Map<string, unknown>
  /** What is to be done once everything is saved. */
  readonly afterwards: Array<() => void>
}

class CurrentTransaction extends Context.Tag("@attestry/sql-store/CurrentTransaction")<
  CurrentTransaction,
  Current
>() {}

/** WHY not as a service that is asked for: that takes several steps, and every port call comes by here. */
const withCurrent = <A, E, R>(
  work: (current: Current | undefined) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.withFiberRuntime((fiber) =>
    work(fiber.currentContext.unsafeMap.get(CurrentTransaction.key))
  )

/** The instant of a transaction by the database's clock; asking for it begins the transaction. */
export type Instant = Effect.Effect<Timestamp.Timestamp, StoreError>

/** Runs work within one org. */
export class TenantTransaction extends Context.Tag("@attestry/sql-store/TenantTransaction")<
  TenantTransaction,
  {
    /** All-or-nothing; nests. Begins with its first statement, or when the work asks for its instant. */
    readonly transaction: <A, E, R>(
      org: OrgId,
      work: (now: Instant) => Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | StoreError, R>
    /** The rows of one statement that is a transaction of its own: begun, run and committed in one round trip. */
    readonly single: (
      org: OrgId,
      statement: Pipeline.PipelinedStatement
    ) => Effect.Effect<ReadonlyArray<unknown>, SqlError | StoreError>
    /**
     * A question that transactions begin with. Those of an org that ask it at the same time are begun and
     * committed as one (`GroupCommit`); where a transaction has begun already, it asks for itself.
     */
    readonly question: <Q, A>(
      question: GroupCommit.Question<Q, A>
    ) => Effect.Effect<(org: OrgId, asked: Q) => Effect.Effect<Option.Option<A>, StoreError>>
  }
>() {}

type Work<A, E, R> = (now: Instant) => Effect.Effect<A, E, R>

const fail = (operation: string) => (cause: unknown) => new StoreError({ operation, cause })

const instantOf = ({ departure }: Current): Instant =>
  Effect.suspend(() => {
    const seat = departure.seat()
    return seat === undefined
      ? Effect.mapError(departure.now, fail("begin"))
      : Effect.succeed(seat.now)
  })

const COMMIT: Pipeline.PipelinedStatement = { text: "commit", values: [] }

const run = (connection: SqlConnection.Connection, text: string) =>
  Effect.mapError(connection.executeRaw(text, []), fail(text))

/**
 * Writes what waits and commits, in one round trip: where the writes fail, nothing is committed.
 *
 * WHY: after a database error that the work has swallowed, PostgreSQL answers COMMIT with success and the
 * word ROLLBACK; nothing has been saved then, so that is a failure.
 */
const commit = (
  runSteps: Pipeline.Run,
  {
    pending,
    connection
  }: Pick<Current, "pending"> & { readonly connection: SqlConnection.Connection }
) =>
  Effect.suspend(() => runSteps(connection, [...pending.take(), COMMIT])).pipe(
    Effect.mapError(fail("commit")),
    Effect.filterOrFail(
      (answers) => answers.at(-1)?.command === "COMMIT",
      () => fail("commit")(new Error("the work has swallowed a database error"))
    ),
    Effect.tapError(() => Effect.ignore(run(connection, "rollback")))
  )

/** Releases a savepoint; one that cannot be released is undone, so that the outer work can go on. */
const release = (connection: SqlConnection.Connection, name: string) =>
  Effect.tapError(run(connection, `release savepoint ${name}`), () =>
    Effect.ignore(run(connection, `rollback to savepoint ${name}`))
  )

/** How work ends inside a transaction. */
const within = <A, E, R>(
  work: Effect.Effect<A, E, R>,
  current: Current
): Effect.Effect<Exit.Exit<A, E>, never, R> =>
  Provide.exit(work, (around: Context.Context<R>) =>
    around.pipe(
      Context.add(CurrentTransaction, current),
      Context.add(SqlClient.TransactionConnection, [
        WriteBuffer.before(current.pending, current.departure.connection),
        current.depth
      ])
    )
  )

/** Sends what is waiting; what cannot be sent undoes the work, as any other failure does. */
const send = ({ pending, departure }: Current, undo: Effect.Effect<unknown, StoreError>) =>
  Effect.tapError(Effect.mapError(pending.send(departure.connection), fail("write")), () =>
    Effect.ignore(undo)
  )

/** Commits what succeeded; anything else is rolled back, and its own failure is what is reported. */
const settle = <A, E>(
  exit: Exit.Exit<A, E>,
  keep: Effect.Effect<unknown, StoreError>,
  undo: Effect.Effect<unknown, StoreError>
): Effect.Effect<A, E | StoreError> =>
  Exit.isSuccess(exit) ? Effect.zipRight(keep, exit) : Effect.zipRight(Effect.ignore(undo), exit)

/** WHY not one schedule for all: following one costs more than the first try, which nearly always does. */
const FIRST_DELAY = "10 millis"
const again = Schedule.intersect(
  Schedule.recurs(1),
  Schedule.jittered(Schedule.exponential("20 millis"))
)

const patiently = <A, E, R>(attempt: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.catchIf(attempt, SqlFailure.isTransient, () =>
    Effect.retry(Effect.delay(attempt, FIRST_DELAY), {
      schedule: again,
      while: SqlFailure.isTransient
    })
  )

/** The transactions of a client, whose connections are shared between orgs. */
export const make = (
  sql: SqlClient.SqlClient,
  runSteps: Pipeline.Run,
  shares: Shares
): Context.Tag.Service<TenantTransaction> => {
  const reserve = (org: OrgId) => Effect.zipRight(shares.take(org), sql.reserve)

  /** Does the work, alone or in company. */
  const attempt = <A, E, R>(
    org: OrgId,
    work: Work<A, E, R>,
    canBatch: boolean
  ): Effect.Effect<A, E | StoreError, R> =>
    Effect.uninterruptibleMask((restore) => {
      const departure = TransactionHandle.make({
        org,
        reserve: reserve(org),
        run: runSteps,
        canBatch
      })
      const pending = WriteBuffer.make(sql, org)
      const afterwards: Array<() => void> = []
      const held = new Map<string, unknown>()
      const current = { org, departure, depth: 0, pending, held, afterwards }
      const saved = () => {
        for (const work of afterwards) work()
      }
      // WHY: what cannot be done in company is done again, which work must allow for anyway.
      const alone = Effect.suspend(() => restore(attempt(org, work, false)))
      return Effect.flatMap(
        within(restore(Effect.suspend(() => work(instantOf(current)))), current),
        (exit): Effect.Effect<A, E | StoreError, R> => {
          const seat = departure.seat()
          if (seat === undefined) return departure.end(settleAlone(exit, current, saved))
          if (departure.isLeaving() || Exit.isFailure(exit)) {
            seat.leave()
            return departure.isLeaving() ? alone : exit
          }
          return Effect.flatMap(seat.save(pending.drain()), (isSaved) => {
            if (!isSaved) return alone
            saved()
            return exit
          })
        }
      )
    })

  /** Commits or undoes what was done alone; nothing where nothing has begun. */
  const settleAlone = <A, E>(
    exit: Exit.Exit<A, E>,
    { departure, pending }: Current,
    saved: () => void
  ): Effect.Effect<A, E | StoreError> => {
    const connection = departure.reserved()
    return connection === undefined
      ? exit
      : settle(
          exit,
          Effect.map(commit(runSteps, { pending, connection }), saved),
          run(connection, "rollback")
        )
  }

  const outermost = <A, E, R>(
    org: OrgId,
    work: Work<A, E, R>
  ): Effect.Effect<A, E | StoreError, R> => patiently(attempt(org, work, true))

  const single: Context.Tag.Service<TenantTransaction>["single"] = (org, statement) => {
    const steps = [...LazyBegin.steps(org), statement, COMMIT]
    return patiently(
      Effect.uninterruptibleMask((restore) =>
        Effect.scopedWith((scope) =>
          Effect.gen(function* () {
            const connection = yield* Effect.mapError(
              Scope.extend(reserve(org), scope),
              fail("connect")
            )
            const exit = yield* Effect.exit(restore(runSteps(connection, steps)))
            if (Exit.isSuccess(exit)) return exit.value.at(-2)?.rows ?? []
            yield* Effect.ignore(run(connection, "rollback"))
            return yield* Effect.failCause(exit.cause)
          })
        )
      )
    )
  }

  const start: GroupCommit.Start = (org) =>
    Effect.map(Effect.mapError(reserve(org), fail("connect")), (connection) => {
      const pending = WriteBuffer.make(sql, org)
      return {
        opening: LazyBegin.make(connection, runSteps, org),
        pending,
        commit: commit(runSteps, { pending, connection }),
        rollback: run(connection, "rollback")
      }
    })

  const question: Context.Tag.Service<TenantTransaction>["question"] = (asking) =>
    Effect.map(GroupCommit.make(asking, start), (join) => (org, asked) => {
      const alone = asking.statement(org, [asked], { waits: true }).pipe(
        Effect.flatMap(asking.read),
        Effect.map(([answer]) => answer ?? Option.none()),
        SqlFailure.toStoreError(asking.operation)
      )
      return withCurrent((current) =>
        current === undefined
          ? outermost(org, () => alone)
          : current.departure.ask(join, { asked, alone })
      )
    })

  const nested = <A, E, R>(
    outer: Current,
    work: Work<A, E, R>
  ): Effect.Effect<A, E | StoreError, R> => {
    const name = `attestry_${outer.depth + 1}`
    return Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        yield* send(outer, Effect.void)
        yield* run(outer.departure.connection, `savepoint ${name}`)
        const pending = WriteBuffer.make(sql, outer.org)
        const current = { ...outer, depth: outer.depth + 1, pending }
        const exit = yield* within(restore(Effect.suspend(() => work(instantOf(outer)))), current)
        const undo = Effect.zipRight(
          Effect.sync(() => {
            outer.held.clear()
            outer.afterwards.length = 0
          }),
          run(outer.departure.connection, `rollback to savepoint ${name}`)
        )
        const keep = Effect.zipRight(send(current, undo), release(outer.departure.connection, name))
        return yield* settle(exit, keep, undo)
      })
    )
  }

  const either = <A, E, R>(org: OrgId, work: Work<A, E, R>): Effect.Effect<A, E | StoreError, R> =>
    withCurrent((outer) => {
      if (outer === undefined) return outermost(org, work)
      return outer.org === org
        ? nested(outer, work)
        : Effect.dieMessage("a transaction of one org was asked to work on another")
    })

  return {
    question,
    single,
    transaction: either
  }
}

/** Goes on with the writes that wait in the current transaction; with nothing where there is none. */
export const withPending = <A, E, R>(
  work: (pending: WriteBuffer.WriteBuffer | undefined) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => withCurrent((current) => work(current?.pending))

/**
 * Goes on with what the current transaction knows of rows that it holds, each by a key of its own, and with the
 * writes that wait in it; if there is one.
 */
export const withHeld = <A, E, R>(
  work: (
    held: Map<string, unknown> | undefined,
    pending: WriteBuffer.WriteBuffer | undefined
  ) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => withCurrent((current) => work(current?.held, current?.pending))

/** Does something once the transaction under way is saved; nothing when any of its work is undone. */
export const afterCommit = (work: () => void): Effect.Effect<void> =>
  withCurrent((current) => {
    current?.afterwards.push(work)
    return Effect.void
  })
