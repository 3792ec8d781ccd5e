/** Statements on tenant tables, and their rows as values of core's own schemas. */
import {
  type Damage,
  DamagedRecords,
  type DamagedRow,
  UnreadableRows
} from "@attestry/core/DamagedRecords"
import type { OrgId } from "@attestry/core/Identifier"
import * as SchemaFastPath from "@attestry/core/SchemaFastPath"
import * as Slices from "@attestry/core/Slices"
import type { StoreError } from "@attestry/core/StoreError"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Statement as ClientStatement, Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as ParseResult from "effect/ParseResult"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { TenantTransaction } from "../transaction/TenantTransaction.js"
import { withCurrent } from "../transaction/TransactionHandle.js"
import * as WriteBuffer from "../transaction/WriteBuffer.js"
import * as DamagedRows from "./DamagedRows.js"
import * as SqlFailure from "./SqlFailure.js"

/** A statement of the client can be compiled; another effect that gives rows cannot. */
type Statement = Effect.Effect<ReadonlyArray<unknown>, SqlError> &
  Partial<Pick<ClientStatement<object>, "compile">>

/** Statements within one org: in the current transaction, or in one of their own. */
export interface TenantQueries {
  /** Every row. */
  readonly all: <A, I>(
    schema: Schema.Schema<A, I>,
    call: Call
  ) => Effect.Effect<ReadonlyArray<A>, StoreError>
  /**
   * Every row of a list. Where the caller provides `DamagedRecords`, damaged rows are noted and left out.
   * DECISIONS.md, "A damaged record never fails a list"
   */
  readonly list: <A, I>(
    schema: Schema.Schema<A, I>,
    call: ListCall
  ) => Effect.Effect<ReadonlyArray<A>, StoreError>
  /**
   * The same for one page, whose rows have a column `total`: the number of rows on all pages. A page without rows
   * has no total. Rows may also have a column `place`: their place in the order.
   */
  readonly page: <A, I>(
    schema: Schema.Schema<A, I>,
    call: ListCall
  ) => Effect.Effect<PageRows<A>, StoreError>
  /** The first row. */
  readonly first: <A, I>(
    schema: Schema.Schema<A, I>,
    call: Call
  ) => Effect.Effect<Option.Option<A>, StoreError>
  /** How many rows came back. */
  readonly count: (call: Call) => Effect.Effect<number, StoreError>
  /** Whether rows came back: for statements that say what they wrote with `returning`. */
  readonly wrote: (call: Call) => Effect.Effect<boolean, StoreError>
  /** A statement whose rows are not read, sent at once. */
  readonly run: (call: Call) => Effect.Effect<void, StoreError>
  /**
   * A write that returns nothing. In a transaction it is buffered (`WriteBuffer`); its failure is then that of the
   * statement that it is sent with, or of the commit.
   */
  readonly write: (call: WriteCall) => Effect.Effect<void, StoreError>
  /** The same for the call of a function, `statement` being the call alone. */
  readonly call: (call: WriteCall) => Effect.Effect<void, StoreError>
  /** The same for a value that one statement writes together with others of its kind. */
  readonly add: (call: AddCall) => Effect.Effect<void, StoreError>
  /** The same for a caller that has the write buffer already. */
  readonly addTo: (
    buffer: WriteBuffer.WriteBuffer | undefined,
    call: AddCall
  ) => Effect.Effect<void, StoreError>
}

/** A statement, the org it is about, and the name it has in errors. */
export interface Call {
  readonly operation: string
  readonly org: OrgId
  readonly statement: Statement
  /** Names a row that cannot be decoded, so that a read of verification can leave it out (`UnreadableRows`). */
  readonly nameOf?: NameOf
}

/** A statement that reads a whole list, or one page of it. */
export interface ListCall extends Call {
  readonly from: Damage["from"]
}

/** The table and the key of a row, by the column that cannot be read. */
export type NameOf = (
  row: { readonly [name: string]: unknown },
  column: string
) => Omit<DamagedRow, "column">

/** The rows of one page, and how many all pages have, where that is known. */
export interface PageRows<A> {
  readonly items: ReadonlyArray<A>
  readonly total: Option.Option<number>
  /** The place of the last row, damaged or not, where rows have one. */
  readonly last: Option.Option<number>
}

/** A write, and which row it writes. */
export interface WriteCall extends Omit<Call, "statement"> {
  readonly row: string
  readonly statement: Fragment
  /** For a statement that returns a column `returned`: gets its values when the statement was sent. */
  readonly onReturned?: ((values: ReadonlyArray<unknown>) => void) | undefined
}

/** A value to be written, and which row it writes. */
export interface AddCall extends Omit<WriteCall, "statement"> {
  readonly kind: WriteBuffer.Kind
  /** Any value that JSON can represent. */
  readonly value: unknown
  /** One more member of a value that has others, as JSON text. */
  readonly printed?: readonly [name: string, text: string]
}

/** Decodes rows. */
export type Decoder<A> = (rows: unknown) => Effect.Effect<ReadonlyArray<A>, ParseResult.ParseError>

const decoders = new WeakMap<object, unknown>()

/**
 * The decoder of a schema.
 *
 * WHY cached: making a decoder costs more than decoding a row. WHY the guard: most rows need no transformation, and
 * checking that costs a fraction of building them again.
 */
export const decoderOf = <A, I>(schema: Schema.Schema<A, I>): Decoder<A> => {
  // WHY: the decoder that is cached under a schema was made from it below.
  const known = decoders.get(schema) as Decoder<A> | undefined
  if (known !== undefined) return known
  const whole = Schema.Array(schema)
  const arePlain = SchemaFastPath.make(whole)
  const decode = Schema.decodeUnknown(whole)
  const readSome = (rows: ReadonlyArray<unknown>) =>
    arePlain(rows) ? Effect.succeed(rows) : decode(rows)
  const read: Decoder<A> = (rows) =>
    Array.isArray(rows) ? Slices.flatMap(rows, readSome) : decode(rows)
  decoders.set(schema, read)
  return read
}

/**
 * The same schema, whose rows are read by a function where they are as `stored` says; where it gives nothing, the
 * schema reads them and says why.
 *
 * WHY: a column that is another value than it is read as, such as the bytes of a text, would have every row decoded.
 */
export const readBy = <A, I, S, J>(
  schema: Schema.Schema<A, I>,
  {
    stored,
    read
  }: { readonly stored: Schema.Schema<S, J>; readonly read: (row: S) => A | undefined }
): Schema.Schema<A, I> => {
  const areStored = SchemaFastPath.make(Schema.Array(stored))
  const decode = Schema.decodeUnknown(Schema.Array(schema))
  const readSome = (rows: ReadonlyArray<unknown>) => {
    if (!areStored(rows)) return decode(rows)
    const found: Array<A> = []
    for (const row of rows) {
      const value = read(row)
      if (value === undefined) return decode(rows)
      found.push(value)
    }
    return Effect.succeed(found)
  }
  const decoder: Decoder<A> = (rows) =>
    Array.isArray(rows) ? Slices.flatMap(rows, readSome) : decode(rows)
  decoders.set(schema, decoder)
  return schema
}

/** The rows that can be decoded; the others are logged and noted with their position. */
const readable = <A, I>(
  schema: Schema.Schema<A, I>,
  call: Pick<ListCall, "operation" | "from" | "nameOf">,
  found: ReadonlyArray<unknown>
): Effect.Effect<ReadonlyArray<A>, ParseResult.ParseError> =>
  Effect.flatMap(DamagedRecords, (noted) => {
    const { operation, from } = call
    const read = decoderOf(schema)
    if (noted === undefined) return named(schema, call, found)
    // WHY: a damaged row must not fail the list; it is noted, and shown as damaged.
    return Effect.catchAll(read(found), () =>
      Effect.map(
        Effect.forEach(found, (row, position) =>
          Effect.catchAll(read([row]), (error) => {
            noted.push({ position, from })
            return Effect.as(DamagedRows.log(operation, row, error), [])
          })
        ),
        (each) => each.flat()
      )
    )
  })

/** Every row; in a read of verification those that can be decoded, and the names of the others are noted. */
export const named = <A, I>(
  schema: Schema.Schema<A, I>,
  { operation, nameOf }: Pick<Call, "operation" | "nameOf">,
  found: ReadonlyArray<unknown>
): Effect.Effect<ReadonlyArray<A>, ParseResult.ParseError> => {
  const read = decoderOf(schema)
  if (nameOf === undefined) return read(found)
  return Effect.flatMap(UnreadableRows, (noted) => {
    if (noted === undefined) return read(found)
    // WHY: a row that cannot be read is found by its name, and must not hide the others.
    return Effect.catchAll(read(found), () =>
      Effect.map(
        Effect.forEach(found, (row) =>
          Effect.catchAll(read([row]), (error) => {
            noted.push(DamagedRows.nameIn(row, error, nameOf))
            return Effect.as(DamagedRows.log(operation, row, error), [])
          })
        ),
        (each) => each.flat()
      )
    )
  })
}

const decodeCounters = Schema.decodeUnknown(
  Schema.Array(
    Schema.Struct({
      total: Schema.Int,
      place: Schema.optionalWith(Schema.Int, { exact: true })
    })
  )
)

/** The total that every row of a page has, and the place of the last one. */
const countersOf = (found: ReadonlyArray<unknown>) =>
  Effect.map(decodeCounters(found.slice(-1)), ([last]) => ({
    total: Option.fromNullable(last?.total),
    last: Option.fromNullable(last?.place)
  }))

/** A row without the columns of the page, which the schema of the row does not have. */
const withoutCounters = (row: unknown): unknown => {
  if (!Predicate.isRecord(row)) return row
  const { total: _total, place: _place, ...own } = row
  return own
}

const returnedBy = (row: unknown): unknown => (Predicate.isRecord(row) ? row.returned : undefined)

/** Decodes rows of any statement to a list, for adapters whose tables belong to no org. */
export const listOf =
  <A, I>(schema: Schema.Schema<A, I>, operation: string, from: Damage["from"] = "list") =>
  (found: ReadonlyArray<unknown>): Effect.Effect<ReadonlyArray<A>, ParseResult.ParseError> =>
    readable(schema, { operation, from }, found)

/** The JSON text of a value that is added. */
export const textOf = ({ value, printed }: Pick<AddCall, "value" | "printed">): string => {
  const text = JSON.stringify(value)
  return printed === undefined ? text : `${text.slice(0, -1)},"${printed[0]}":${printed[1]}}`
}

/** Statements on the tables of one org at a time. */
export const make: Effect.Effect<TenantQueries, never, TenantTransaction | SqlClient.SqlClient> =
  Effect.map(
    Effect.all([TenantTransaction, SqlClient.SqlClient]),
    ([{ transaction, single }, sql]) => {
      const runSingle = (org: OrgId, statement: Statement) => {
        if (statement.compile === undefined) return transaction(org, () => statement)
        const [text, values] = statement.compile()
        return single(org, { text, values })
      }
      const rows = ({ operation, org, statement }: Call) =>
        withCurrent((handle) =>
          SqlFailure.toStoreError(operation)(
            handle === undefined ? runSingle(org, statement) : statement
          )
        )
      const all: TenantQueries["all"] = (schema, call) =>
        SqlFailure.toStoreError(call.operation)(
          Effect.flatMap(rows(call), (found) => named(schema, call, found))
        )
      const list: TenantQueries["list"] = (schema, call) =>
        SqlFailure.toStoreError(call.operation)(
          Effect.flatMap(rows(call), (found) => readable(schema, call, found))
        )
      const page: TenantQueries["page"] = (schema, call) =>
        SqlFailure.toStoreError(call.operation)(
          Effect.flatMap(rows(call), (found) =>
            Effect.zipWith(
              readable(schema, call, found.map(withoutCounters)),
              countersOf(found),
              (items, counters) => ({ items, ...counters })
            )
          )
        )
      const bufferOrRun = (
        buffer: WriteBuffer.WriteBuffer | undefined,
        write: WriteBuffer.BufferedWrite,
        { operation, org, make }: Omit<Call, "statement"> & { readonly make: () => Statement }
      ) =>
        buffer?.add(write) === true
          ? Effect.void
          : Effect.map(rows({ operation, org, statement: make() }), (found) => {
              if ("onReturned" in write) write.onReturned?.(found.map(returnedBy))
            })
      const addTo: TenantQueries["addTo"] = (buffer, given) => {
        const { row, kind, operation, org } = given
        const value = textOf(given)
        const make = () => {
          const statement = WriteBuffer.statementOf(kind, org, [value])
          return kind.isCall === true ? sql`select ${statement}` : sql`${statement}`
        }
        return bufferOrRun(buffer, { row, kind, value }, { operation, org, make })
      }
      const count: TenantQueries["count"] = (call) =>
        Effect.map(rows(call), (found) => found.length)
      return {
        all,
        list,
        page,
        count,
        write: (given) =>
          withCurrent((handle) =>
            bufferOrRun(handle?.buffer, given, { ...given, make: () => sql`${given.statement}` })
          ),
        call: (given) =>
          withCurrent((handle) =>
            bufferOrRun(
              handle?.buffer,
              { ...given, isCall: true },
              { ...given, make: () => sql`select ${given.statement}` }
            )
          ),
        add: (given) => withCurrent((handle) => addTo(handle?.buffer, given)),
        addTo,
        first: (schema, call) =>
          Effect.map(all(schema, call), (found) => Option.fromNullable(found[0])),
        wrote: (call) => Effect.map(count(call), (written) => written > 0),
        run: (call) => Effect.asVoid(rows(call))
      }
    }
  )
