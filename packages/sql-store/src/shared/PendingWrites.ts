/**
 * Writes of a transaction that answer nothing, kept until somebody could see them, and then sent as one
 * statement: a round trip costs more than most of them.
 *
 * INVARIANT: no other statement of the transaction runs before they are sent, so nobody reads around
 * them; and no two of one batch write the same row, which PostgreSQL would refuse.
 */
import type { SqlClient } from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as RoundTrip from "./RoundTrip.js"

/** A statement that writes and answers nothing, or the call of a function that does. */
export interface PendingWrite {
  /** What it writes: two writes of one row are never sent together. */
  readonly row: string
  readonly statement: Fragment
  /** Whether the statement is the call of a function. */
  readonly isCall?: boolean
}

/** The writes of one transaction that have not been sent. */
export interface PendingWrites {
  /** Lets a write wait; `false` when one of the same row is waiting already. */
  readonly add: (write: PendingWrite) => boolean
  /** Takes everything that waits, as the statement that writes it; empty when nothing does. */
  readonly take: () => ReadonlyArray<RoundTrip.Step>
  /** Sends everything that waits. */
  readonly send: (connection: Connection) => Effect.Effect<void, SqlError>
}

/** The writes of one transaction. */
export const make = (sql: SqlClient): PendingWrites => {
  const waiting = new Map<string, PendingWrite>()

  /** Statements that change data run to their end also when nobody reads what they return. */
  const together = (writes: ReadonlyArray<PendingWrite>) => {
    const statements = writes.filter(({ isCall }) => isCall !== true)
    const calls = writes.filter(({ isCall }) => isCall === true)
    const first =
      statements.length === 0
        ? sql``
        : sql`with ${sql.csv(
            statements.map(
              ({ statement }, index) => sql`${sql(`write_${index}`)} as (${statement})`
            )
          )} `
    return sql`${first}select ${sql.csv(calls.map(({ statement }) => statement))}`
  }

  const take = (): ReadonlyArray<RoundTrip.Step> => {
    if (waiting.size === 0) return []
    const writes = [...waiting.values()]
    waiting.clear()
    const [text, values] = together(writes).compile()
    return [{ text, values }]
  }

  return {
    add: (write) => {
      if (waiting.has(write.row)) return false
      waiting.set(write.row, write)
      return true
    },
    take,
    send: (connection) =>
      Effect.suspend(() =>
        Effect.forEach(take(), ({ text, values }) => connection.executeRaw(text, values), {
          discard: true
        })
      )
  }
}

/** A connection on which everything that waits goes first. */
export const before = (pending: PendingWrites, connection: Connection): Connection => {
  const first = <A>(next: Effect.Effect<A, SqlError>) =>
    Effect.zipRight(pending.send(connection), next)
  return {
    execute: (...call) => first(connection.execute(...call)),
    executeRaw: (...call) => first(connection.executeRaw(...call)),
    executeValues: (...call) => first(connection.executeValues(...call)),
    executeUnprepared: (...call) => first(connection.executeUnprepared(...call)),
    executeStream: (...call) =>
      Stream.unwrap(Effect.as(pending.send(connection), connection.executeStream(...call)))
  }
}
