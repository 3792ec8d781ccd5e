/**
 * Writes of a transaction that answer nothing, kept until somebody could see them, and then sent as one
 * statement: a round trip costs more than most of them.
 *
 * INVARIANT: no other statement of the transaction runs before they are sent, so nobody reads around
 * them; and no two of one statement write the same row, which PostgreSQL would refuse.
 */
import type { OrgId } from "@attestry/core/Identifier"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as Pipeline from "./Pipeline.js"

/** Values of one kind, all of which one statement writes, however many there are. */
export interface Kind {
  /** The statement, or the call of a function alone; `values` is the text of a JSON array. */
  readonly statement: (org: OrgId, values: string) => Fragment
  readonly isCall?: boolean
  /** Whether writing a value twice is writing it once. */
  readonly isIdempotent?: boolean
}

/** A value to be written together with others of its kind, as JSON text. */
export interface BufferedValue {
  readonly row: string
  readonly kind: Kind
  readonly value: string
}

/** A statement that writes and answers nothing, or the call of a function that does. */
export interface BufferedStatement {
  readonly row: string
  readonly statement: Fragment
  /** Whether the statement is the call of a function. */
  readonly isCall?: boolean
}

/** What waits to be written; `row` says what it writes: two writes of one row are never sent together. */
export type BufferedWrite = BufferedValue | BufferedStatement

/** The writes of one transaction that have not been sent. */
export interface WriteBuffer {
  /** Lets writes wait, all or none; `false` when one of the same row is waiting already. */
  readonly add: (...writes: ReadonlyArray<BufferedWrite>) => boolean
  /** Takes everything that waits. */
  readonly drain: () => ReadonlyArray<BufferedWrite>
  /** Takes everything that waits, as the statement that writes it; empty when nothing does. */
  readonly take: () => ReadonlyArray<Pipeline.PipelinedStatement>
  /** Sends everything that waits. */
  readonly send: (connection: Connection) => Effect.Effect<void, SqlError>
}

const isIdempotent = (write: BufferedWrite): boolean =>
  "kind" in write && write.kind.isIdempotent === true

/** The statement that writes values of one kind. */
export const statementOf = (
  { statement }: Kind,
  org: OrgId,
  values: ReadonlyArray<string>
): Fragment => statement(org, `[${values.join()}]`)

/** Values gathered by kind, at the place of the first of each. */
const gathered = (
  org: OrgId,
  writes: ReadonlyArray<BufferedWrite>
): ReadonlyArray<Omit<BufferedStatement, "row">> => {
  const values = new Map<Kind, Array<string>>()
  const inOrder = writes.flatMap((write): ReadonlyArray<BufferedStatement | Kind> => {
    if (!("kind" in write)) return [write]
    const before = values.get(write.kind)
    before?.push(write.value)
    if (before !== undefined) return []
    values.set(write.kind, [write.value])
    return [write.kind]
  })
  return inOrder.map((each) =>
    "row" in each
      ? each
      : {
          statement: statementOf(each, org, values.get(each) ?? []),
          isCall: each.isCall === true
        }
  )
}

/** The writes of one transaction of an org. */
export const make = (sql: SqlClient, org: OrgId): WriteBuffer => {
  const waiting = new Map<string, BufferedWrite>()

  /** Statements that change data run to their end also when nobody reads what they return. */
  const together = (writes: ReadonlyArray<BufferedWrite>) => {
    const all = gathered(org, writes)
    const statements = all.filter(({ isCall }) => isCall !== true)
    const calls = all.filter(({ isCall }) => isCall === true)
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

  const drain = (): ReadonlyArray<BufferedWrite> => {
    const writes = [...waiting.values()]
    waiting.clear()
    return writes
  }

  const take = (): ReadonlyArray<Pipeline.PipelinedStatement> => {
    if (waiting.size === 0) return []
    const [text, values] = together(drain()).compile()
    return [{ text, values }]
  }

  return {
    add: (...writes) => {
      if (writes.some((write) => waiting.has(write.row) && !isIdempotent(write))) return false
      for (const write of writes) waiting.set(write.row, write)
      return true
    },
    drain,
    take,
    send: (connection) =>
      Effect.suspend(() => {
        const [step] = take()
        if (step === undefined) return Effect.void
        const { text, values } = step
        return Effect.asVoid(connection.executeRaw(text, values))
      })
  }
}

/** A connection on which everything that waits goes first. */
export const before = (pending: WriteBuffer, connection: Connection): Connection => {
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
