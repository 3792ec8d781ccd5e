/**
 * Writes of a transaction that return nothing, kept until its next statement or its COMMIT and then sent as one
 * statement: a round trip costs more than most of them. Gain: a changed report sends its snapshot, its journal entry
 * and its environment in one statement, and all its statements stay below 4 (`bench report-writes`).
 * INVARIANT: no other statement of the transaction runs before the buffered writes, so that none misses them; and no
 * two buffered writes write the same row, which PostgreSQL would refuse within one statement.
 */
import type { OrgId } from "@attestry/core/Identifier"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as Predicate from "effect/Predicate"
import type { PipelinedStatement } from "./Driver.js"

/** Values of one kind, all of which one statement writes, however many there are. */
export interface Kind {
  /** The statement, or the call of a function alone; `values` is the text of a JSON array. */
  readonly statement: (org: OrgId, values: string) => Fragment
  readonly isCall?: boolean
  /** Whether writing a value twice is the same as writing it once. */
  readonly isIdempotent?: boolean
}

/** A value that is written together with others of its kind, as JSON text. */
export interface BufferedValue {
  readonly row: string
  readonly kind: Kind
  readonly value: string
}

/** A statement that writes and returns nothing. */
export interface BufferedStatement {
  readonly row: string
  readonly statement: Fragment
  /** Whether the statement is the call of a function. */
  readonly isCall?: boolean
  /** For a statement that returns a column `returned`: gets its values, in any order, when the statement was sent. */
  readonly onReturned?: ((values: ReadonlyArray<unknown>) => void) | undefined
}

/** Buffered writes as one statement, and what takes the row of its result. */
export interface TakenWrites {
  readonly statement: PipelinedStatement
  readonly deliver: (row: unknown) => void
}

/** A write; `row` names what it writes, and two writes of one row are never sent together. */
export type BufferedWrite = BufferedValue | BufferedStatement

/** The writes of one transaction that have not been sent. */
export interface WriteBuffer {
  /** Adds all writes or none; `false` when the buffer has a write of the same row. */
  readonly add: (...writes: ReadonlyArray<BufferedWrite>) => boolean
  /** Removes and returns all writes. */
  readonly drain: () => ReadonlyArray<BufferedWrite>
  /** Removes all writes and returns the statement that writes them; none when there are no writes. */
  readonly take: () => TakenWrites | undefined
  readonly isEmpty: () => boolean
}

const isIdempotent = (write: BufferedWrite): boolean =>
  "kind" in write && write.kind.isIdempotent === true

/** The statement that writes values of one kind. */
export const statementOf = (
  { statement }: Kind,
  org: OrgId,
  values: ReadonlyArray<string>
): Fragment => statement(org, `[${values.join()}]`)

/** One statement per kind, in the place of the kind's first value. */
const groupByKind = (
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

/** PostgreSQL runs data-modifying statements of WITH to their end, whether or not their rows are read. */
const combine = (sql: SqlClient, all: ReadonlyArray<Omit<BufferedStatement, "row">>) => {
  const statements = all.filter(({ isCall }) => isCall !== true)
  const calls = all.filter(({ isCall }) => isCall === true)
  const first =
    statements.length === 0
      ? sql``
      : sql`with ${sql.csv(
          statements.map(({ statement }, index) => sql`${sql(`write_${index}`)} as (${statement})`)
        )} `
  const returned = statements.flatMap((each, index) =>
    each.onReturned === undefined
      ? []
      : [
          sql`(select jsonb_agg(returned) from ${sql(`write_${index}`)}) as ${sql(`returned_${index}`)}`
        ]
  )
  return sql`${first}select ${sql.csv([...calls.map(({ statement }) => statement), ...returned])}`
}

/** Gives each statement the values that it returned. */
const deliver = (all: ReadonlyArray<Omit<BufferedStatement, "row">>) => (row: unknown) => {
  if (!Predicate.isRecord(row)) return
  for (const [index, { onReturned }] of all.filter(({ isCall }) => isCall !== true).entries()) {
    const values = row[`returned_${index}`]
    if (onReturned !== undefined && Array.isArray(values)) onReturned(values)
  }
}

/** The writes of one transaction of an org. */
export const make = (sql: SqlClient, org: OrgId): WriteBuffer => {
  const waiting = new Map<string, BufferedWrite>()

  const drain = (): ReadonlyArray<BufferedWrite> => {
    const writes = [...waiting.values()]
    waiting.clear()
    return writes
  }

  return {
    add: (...writes) => {
      if (writes.some((write) => waiting.has(write.row) && !isIdempotent(write))) return false
      for (const write of writes) waiting.set(write.row, write)
      return true
    },
    drain,
    take: () => {
      if (waiting.size === 0) return undefined
      const all = groupByKind(org, drain())
      const [text, values] = combine(sql, all).compile()
      return { statement: { text, values }, deliver: deliver(all) }
    },
    isEmpty: () => waiting.size === 0
  }
}
