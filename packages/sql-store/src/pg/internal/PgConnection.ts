/**
 * A connection of the pool as `DriverConnection`.
 *
 * Each text is prepared once per connection: parsing and planning a small statement costs PostgreSQL more than running
 * it, and our texts are written, not composed of data, so there are few of them. An unanswered statement is watched
 * (P-DB), and an interrupted one is cancelled.
 */
import { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Pg from "pg"
import type {
  DriverConnection,
  PipelinedStatement,
  StatementResult
} from "../../internal/transaction/Driver.js"
import { PipelinedQuery, type PreparedStatement, printed } from "./PipelinedQuery.js"
import type { ServerWatch } from "./ServerWatch.js"
import type { WatchedClient } from "./WatchedClient.js"

/** Texts beyond this many are sent without a name, so that the names take a bounded amount of memory. */
const NAMES_MAX = 1_000

/** How long the end of an interrupted statement is waited for. */
const CANCEL_WAIT = "5 seconds"

/** Gives each text a name; equal texts have equal names on every connection. */
export const makeNames = (): ((text: string) => string | undefined) => {
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined || names.size >= NAMES_MAX) return known
    const name = `attestry_${names.size}`
    names.set(text, name)
    return name
  }
}

/** What the connections of a driver share. */
export interface ConnectionOptions {
  readonly nameOf: (text: string) => string | undefined
  readonly types: Pg.CustomTypesConfig
  readonly watch: ServerWatch
  /** Asks the server to end what a backend runs; never fails. */
  readonly cancel: (backend: number | undefined) => Effect.Effect<void>
}

type Done<A> = (error: Error | null | undefined, result: A) => void

/** Whether the server has answered, if only with an error; any other error is one of the connection. */
const isAnswer = (error: unknown): boolean =>
  !(error instanceof Error) || error instanceof Pg.DatabaseError

/** WHY the arrays: a text of several statements has several results. */
const rowsOf = (result: Pg.QueryResult | ReadonlyArray<Pg.QueryResult>): ReadonlyArray<object> =>
  "rows" in result ? result.rows : result.map(({ rows }) => rows)

/** The connection of a client that is in use by one caller. */
export const make = (
  client: WatchedClient,
  { nameOf, types, watch, cancel }: ConnectionOptions
): DriverConnection => {
  /** Runs a request that is watched until it is done and cancelled when it is interrupted. */
  const request = <A>(start: (done: Done<A>) => void): Effect.Effect<A, SqlError> =>
    Effect.async((resume) => {
      let isDone = false
      let onDone = () => {}
      const over = watch.begin({ backend: client.backend, fail: () => client.breakOff() })
      start((error, result) => {
        over(isAnswer(error))
        isDone = true
        onDone()
        resume(
          error
            ? new SqlError({ cause: error, message: "Failed to execute statement" })
            : Effect.succeed(result)
        )
      })
      const done = Effect.async<void>((resumeDone) => {
        if (isDone) resumeDone(Effect.void)
        else onDone = () => resumeDone(Effect.void)
      })
      // WHY both: the next statement on the connection must not meet a cancel request that was meant for this one.
      return Effect.zipRight(cancel(client.backend), done).pipe(
        Effect.interruptible,
        Effect.timeoutOption(CANCEL_WAIT)
      )
    })

  /**
   * The statement as it is prepared. WHY not with values of other kinds: `pg` closes a named statement whose values it
   * cannot print, and still takes it for prepared.
   */
  const preparedOf = ({ text, values }: PipelinedStatement): PreparedStatement | undefined => {
    const name = nameOf(text)
    const texts = printed(values)
    return name === undefined || texts === undefined ? undefined : { name, text, values: texts }
  }

  const query = (
    { text, values }: PipelinedStatement,
    done: Done<Pg.QueryResult>,
    prepared?: PreparedStatement
  ): void => {
    const config = prepared ?? { text, values: [...values] }
    client.query(config, (error, result) => {
      if (prepared !== undefined && !error) client.prepared.add(prepared.name)
      done(error, result)
    })
  }

  /** WHY not in one round trip the first time: after a failure it is unknown which statements were prepared. */
  const inSequence = (
    statements: ReadonlyArray<PipelinedStatement>,
    done: Done<ReadonlyArray<StatementResult>>,
    before: ReadonlyArray<StatementResult> = []
  ): void => {
    const [statement, ...rest] = statements
    if (statement === undefined) {
      done(null, before)
      return
    }
    const next: Done<Pg.QueryResult> = (error, result) =>
      error
        ? done(error, before)
        : inSequence(rest, done, [...before, { command: result.command, rows: result.rows }])
    query(statement, next, preparedOf(statement))
  }

  const pipeline: DriverConnection["pipeline"] = (statements) =>
    request((done) => {
      const prepared = statements.flatMap((statement) => {
        const known = preparedOf(statement)
        return known !== undefined && client.prepared.has(known.name) ? [known] : []
      })
      const pipelined = new PipelinedQuery(prepared, { types, done })
      if (prepared.length < statements.length) inSequence(statements, done)
      else client.query(pipelined)
    })

  /** WHY not prepared without values: such a text may be several statements. */
  const executeRaw = (text: string, values: ReadonlyArray<unknown>) =>
    request<Pg.QueryResult>((done) =>
      values.length === 0
        ? client.query(text, done)
        : query({ text, values }, done, preparedOf({ text, values }))
    )

  const execute: DriverConnection["execute"] = (text, values, transform) =>
    Effect.map(executeRaw(text, values), (result) => {
      const rows = rowsOf(result)
      return transform === undefined ? rows : transform(rows)
    })

  return {
    pipeline,
    execute,
    executeRaw,
    executeUnprepared: execute,
    executeValues: (text, values) =>
      Effect.map(
        request<Pg.QueryArrayResult>((done) => {
          const config: Pg.QueryArrayConfig = { text, values: [...values], rowMode: "array" }
          client.query(config, done)
        }),
        ({ rows }) => rows
      ),
    // Rows are read at once; what may be large goes through `copyOut`.
    executeStream: (...call) => Stream.fromIterableEffect(execute(...call))
  }
}
