/**
 * A transaction that begins together with its first statement, in one round trip.
 *
 * Beginning names the org for row-level security and reads the clock. Whoever needs the clock before any
 * statement has been run begins at the price of a round trip.
 */
import type { OrgId } from "@attestry/core/Identifier"
import * as Timestamp from "@attestry/core/Timestamp"
import type { Connection } from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import type * as Pipeline from "./Pipeline.js"

/** A transaction that may not have begun yet. */
export interface LazyBegin {
  /** The connection of the transaction: its first statement begins it. */
  readonly connection: Connection
  /** The clock as it was read when the transaction began; begins it if nothing has. */
  readonly now: Effect.Effect<Timestamp.Timestamp, SqlError>
}

const NAME_ORG = `select set_config('attestry.org_id', $1, true),
  (extract(epoch from clock_timestamp()) * 1000000)::int8 as now`

const BEGIN: Pipeline.PipelinedStatement = { text: "begin", values: [] }

const NOT_BEGUN = new Error("the transaction has not begun, and its work has swallowed why")

/** Where the clock is among the answers. */
const CLOCK = 1

const clockOf = (answer: Pipeline.Answer | undefined): Timestamp.Timestamp => {
  const row = answer?.rows[0]
  return Timestamp.fromMicros(Predicate.isRecord(row) ? Number(row.now) : Number.NaN)
}

/** What begins a transaction of an org. */
export const steps = (org: OrgId): ReadonlyArray<Pipeline.PipelinedStatement> => [
  BEGIN,
  { text: NAME_ORG, values: [org] }
]

/** The opening of a transaction on a connection that is in none. */
export const make = (connection: Connection, run: Pipeline.Run, org: OrgId): LazyBegin => {
  const opening = steps(org)
  let isBegun = false
  let now: Timestamp.Timestamp | undefined

  const begin = (steps: ReadonlyArray<Pipeline.PipelinedStatement>) => {
    isBegun = true
    return Effect.tap(run(connection, [...opening, ...steps]), (answers) =>
      Effect.sync(() => {
        now = clockOf(answers[CLOCK])
      })
    )
  }

  const alone = Effect.suspend(() => (isBegun ? Effect.void : begin([])))

  const after = <A>(next: Effect.Effect<A, SqlError>) =>
    Effect.suspend(() => (isBegun ? next : Effect.zipRight(begin([]), next)))

  return {
    connection: {
      execute: (text, values, transform) =>
        Effect.suspend(() => {
          if (isBegun) return connection.execute(text, values, transform)
          return Effect.map(begin([{ text, values }]), (answers) => {
            // WHY: rows of the driver are plain objects, as those that `execute` itself gives.
            const rows = (answers.at(-1)?.rows ?? []) as ReadonlyArray<object>
            return transform === undefined ? rows : transform(rows)
          })
        }),
      executeRaw: (...call) => after(connection.executeRaw(...call)),
      executeValues: (...call) => after(connection.executeValues(...call)),
      executeUnprepared: (...call) => after(connection.executeUnprepared(...call)),
      executeStream: (...call) => Stream.unwrap(Effect.as(alone, connection.executeStream(...call)))
    },
    now: Effect.flatMap(alone, () =>
      now === undefined ? new SqlError({ cause: NOT_BEGUN }) : Effect.succeed(now)
    )
  }
}
