/**
 * One org at a time: every statement on tenant tables runs in a transaction that has named its org, and
 * row-level security shows it nothing else. DECISION S5
 *
 * Begins in one round trip, which also reads the clock; writes that can wait go as one (`PendingWrites`).
 * Transient conflicts are retried, at most three times in all (P-ORACLE). What `@effect/sql` offers is not
 * used because its failed COMMIT is a defect.
 */
import type { OrgId } from "@attestry/core/Identifier"
import { StoreError } from "@attestry/core/StoreError"
import * as Timestamp from "@attestry/core/Timestamp"
import * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlConnection from "@effect/sql/SqlConnection"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schedule from "effect/Schedule"
import * as PendingWrites from "./PendingWrites.js"
import * as SqlFailure from "./SqlFailure.js"

interface Current {
  readonly org: OrgId
  readonly now: Timestamp.Timestamp
  readonly connection: SqlConnection.Connection
  readonly depth: number
  readonly pending: PendingWrites.PendingWrites
  /** What the transaction knows of rows that it holds; forgotten when any of its work is undone. */
  readonly held: Map<string, unknown>
  /** What is to be done once everything is saved. */
  readonly afterwards: Array<() => void>
}

class CurrentTransaction extends Context.Tag("@attestry/sql-store/CurrentTransaction")<
  CurrentTransaction,
  Current
>() {}

/** Runs work within one org. */
export class SqlOrg extends Context.Tag("@attestry/sql-store/SqlOrg")<
  SqlOrg,
  {
    /** All-or-nothing; nests. */
    readonly transaction: <A, E, R>(
      org: OrgId,
      work: (now: Timestamp.Timestamp) => Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | StoreError, R>
  }
>() {}

const SAFE_ID = /^[0-9a-zA-Z-]{1,64}$/

const CLOCK = "(extract(epoch from clock_timestamp()) * 1000000)::int8"

/** INVARIANT: the id has passed `SAFE_ID`, so that it may stand in the text of a statement. */
const beginText = (org: string): string =>
  `begin; select set_config('attestry.org_id', '${org}', true); select ${CLOCK} as now`

const fail = (operation: string) => (cause: unknown) => new StoreError({ operation, cause })

const begin = (
  connection: SqlConnection.Connection,
  org: OrgId
): Effect.Effect<Timestamp.Timestamp, StoreError> =>
  SAFE_ID.test(org)
    ? connection.executeRaw(beginText(org), []).pipe(
        Effect.map((results) => Timestamp.fromMicros(clockOf(results))),
        Effect.mapError(fail("begin"))
      )
    : fail("begin")(new Error("an org id has letters, digits and hyphens only"))

/** The driver answers several statements with a list of results. */
const clockOf = (results: unknown): number => {
  const last: unknown = Array.isArray(results) ? results.at(-1) : results
  const rows: unknown = last !== null && typeof last === "object" && "rows" in last ? last.rows : []
  const row: unknown = Array.isArray(rows) ? rows[0] : undefined
  return row !== null && typeof row === "object" && "now" in row ? Number(row.now) : Number.NaN
}

const run = (connection: SqlConnection.Connection, text: string) =>
  Effect.mapError(connection.executeRaw(text, []), fail(text))

/**
 * WHY: after a database error that the work has swallowed, PostgreSQL answers COMMIT with success and the
 * word ROLLBACK; nothing has been saved then, so that is a failure.
 */
const commit = (connection: SqlConnection.Connection) =>
  Effect.filterOrFail(
    run(connection, "commit"),
    (result) => Predicate.isRecord(result) && result.command === "COMMIT",
    () => fail("commit")(new Error("the work has swallowed a database error"))
  )

/** Releases a savepoint; one that cannot be released is undone, so that the outer work can go on. */
const release = (connection: SqlConnection.Connection, name: string) =>
  Effect.tapError(run(connection, `release savepoint ${name}`), () =>
    Effect.ignore(run(connection, `rollback to savepoint ${name}`))
  )

const within = <A, E, R>(work: Effect.Effect<A, E, R>, current: Current): Effect.Effect<A, E, R> =>
  work.pipe(
    Effect.provideService(CurrentTransaction, current),
    Effect.provideService(SqlClient.TransactionConnection, [
      PendingWrites.before(current.pending, current.connection),
      current.depth
    ])
  )

/** Sends what is waiting; what cannot be sent undoes the work, as any other failure does. */
const send = ({ pending, connection }: Current, undo: Effect.Effect<unknown, StoreError>) =>
  Effect.tapError(Effect.mapError(pending.send(connection), fail("write")), () =>
    Effect.ignore(undo)
  )

/** Commits what succeeded; anything else is rolled back, and its own failure is what is reported. */
const settle = <A, E>(
  exit: Exit.Exit<A, E>,
  keep: Effect.Effect<unknown, StoreError>,
  undo: Effect.Effect<unknown, StoreError>
): Effect.Effect<A, E | StoreError> =>
  Exit.isSuccess(exit) ? Effect.zipRight(keep, exit) : Effect.zipRight(Effect.ignore(undo), exit)

const retried = Schedule.intersect(
  Schedule.recurs(2),
  Schedule.jittered(Schedule.exponential("10 millis"))
)

/** The transactions of a client. */
export const make = (sql: SqlClient.SqlClient): Context.Tag.Service<SqlOrg> => {
  const outermost = <A, E, R>(
    org: OrgId,
    work: (now: Timestamp.Timestamp) => Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | StoreError, R> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.scoped(
        Effect.gen(function* () {
          const connection = yield* Effect.mapError(sql.reserve, fail("connect"))
          const now = yield* begin(connection, org)
          const pending = PendingWrites.make(sql)
          const afterwards: Array<() => void> = []
          const current = { org, now, connection, depth: 0, pending, held: new Map(), afterwards }
          const exit = yield* Effect.exit(restore(within(work(now), current)))
          const undo = run(connection, "rollback")
          const keep = Effect.map(Effect.zipRight(send(current, undo), commit(connection)), () => {
            for (const work of afterwards) work()
          })
          return yield* settle(exit, keep, undo)
        })
      )
    ).pipe(Effect.retry({ schedule: retried, while: SqlFailure.isTransient }))

  const nested = <A, E, R>(
    outer: Current,
    work: (now: Timestamp.Timestamp) => Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | StoreError, R> => {
    const name = `attestry_${outer.depth + 1}`
    return Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        yield* send(outer, Effect.void)
        yield* run(outer.connection, `savepoint ${name}`)
        const pending = PendingWrites.make(sql)
        const current = { ...outer, depth: outer.depth + 1, pending }
        const exit = yield* Effect.exit(restore(within(work(outer.now), current)))
        const undo = Effect.zipRight(
          Effect.sync(() => {
            outer.held.clear()
            outer.afterwards.length = 0
          }),
          run(outer.connection, `rollback to savepoint ${name}`)
        )
        const keep = Effect.zipRight(send(current, undo), release(outer.connection, name))
        return yield* settle(exit, keep, undo)
      })
    )
  }

  return {
    transaction: (org, work) =>
      Effect.flatMap(Effect.serviceOption(CurrentTransaction), (outer) => {
        if (Option.isNone(outer)) return outermost(org, work)
        return outer.value.org === org
          ? nested(outer.value, work)
          : Effect.dieMessage("a transaction of one org was asked to work on another")
      })
  }
}

/** Whether the current fiber is inside a transaction: its statements share that one's fate. */
export const isInside: Effect.Effect<boolean> = Effect.map(
  Effect.serviceOption(CurrentTransaction),
  Option.isSome
)

/** The writes that wait in the current transaction, if there is one. */
export const pending: Effect.Effect<Option.Option<PendingWrites.PendingWrites>> = Effect.map(
  Effect.serviceOption(CurrentTransaction),
  Option.map((current) => current.pending)
)

/** What the current transaction knows of rows that it holds, by a key of their own; none outside. */
export const held: Effect.Effect<Map<string, unknown> | undefined> = Effect.map(
  Effect.serviceOption(CurrentTransaction),
  (current) => Option.getOrUndefined(current)?.held
)

/** Does something once the transaction under way is saved; nothing when any of its work is undone. */
export const afterCommit = (work: () => void): Effect.Effect<void> =>
  Effect.map(Effect.serviceOption(CurrentTransaction), (current) => {
    if (Option.isSome(current)) current.value.afterwards.push(work)
  })
