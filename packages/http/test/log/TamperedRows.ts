/** Rows and columns of tables, as the owner of the database changes them. */
import { RECORD_KINDS } from "@attestry/core/AuditStore"
import { Effect } from "effect"
import { tableOf } from "../../../sql-store/src/internal/verification/RecordShapes.js"
import type { TestDatabase } from "../../../sql-store/test/shared/PgLayer.js"

/** Runs a statement as the owner. */
export type Query = TestDatabase["Type"]["query"]

/** The tables whose rows follow from the journal. */
export const TABLES: ReadonlyArray<string> = RECORD_KINDS.map(tableOf)

/** A column of a table. */
export interface Column {
  readonly name: string
  readonly type: string
  /** The name of its type in the database, which of an array has that of its items. */
  readonly udt: string
}

/** Another value of a column, by its type. */
const CHANGED: { readonly [type: string]: (column: string) => string } = {
  text: (column) => `coalesce(${column}, '') || 'x'`,
  bigint: (column) => `coalesce(${column}, 0) - 1000`,
  integer: (column) => `coalesce(${column}, 0) - 1000`,
  "double precision": (column) => `coalesce(${column}, 0) - 1000`,
  smallint: (column) => `coalesce(${column}, 0) - 1000`,
  boolean: (column) => `not coalesce(${column}, false)`,
  jsonb: (column) => `jsonb_build_array(${column}, 'x')`,
  json: (column) => `json_build_array(${column}, 'x')`,
  bytea: (column) => `set_byte(${column}, 0, 255 - get_byte(${column}, 0))`,
  ARRAY: (column) => `array_append(${column}, null)`
}

/** Another value of a column. */
export const changed = ({ name, type }: Column): string => CHANGED[type]?.(name) ?? name

/** Runs work on damaged rows and mends them. WHY a defect: rows that stay damaged would fail the tests after it. */
const mendedAfter = <A, E, R>(
  work: Effect.Effect<A, E, R>,
  mend: Effect.Effect<unknown, unknown, R>
): Effect.Effect<A, E, R> => Effect.ensuring(work, Effect.orDie(mend))

/** The columns of a table that are stored. */
export const columnsOf = (query: Query, table: string) =>
  Effect.map(
    query(
      `select column_name as name, data_type as type, udt_name as udt from information_schema.columns
        where table_schema = 'attestry' and table_name = $1 and is_generated = 'NEVER'
        order by ordinal_position`,
      [table]
    ),
    (rows) =>
      rows.map(
        ({ name, type, udt }): Column => ({
          name: String(name),
          type: String(type),
          udt: String(udt)
        })
      )
  )

/** The columns of the key of a table. */
export const keyOf = (query: Query, table: string) =>
  Effect.map(
    query(
      `select a.attname as name from pg_index i
        cross join lateral unnest(i.indkey::int2[]) with ordinality as k (attnum, place)
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
        where i.indrelid = 'attestry.${table}'::regclass and i.indisprimary order by k.place`
    ),
    (rows) => rows.map(({ name }) => String(name))
  )

/** Takes away what would refuse a change; a person who changes rows by SQL can do that. */
export const unguard = (query: Query, table: string) =>
  Effect.gen(function* () {
    const checks = yield* query(
      `select conname from pg_constraint
        where contype in ('c', 'f', 'u') and conrelid = 'attestry.${table}'::regclass`
    )
    for (const { conname } of checks) {
      yield* query(`alter table attestry.${table} drop constraint "${String(conname)}" cascade`)
    }
    const unique = yield* query(
      `select indexrelid::regclass::text as name from pg_index where indisunique
        and not indisprimary and indrelid = 'attestry.${table}'::regclass`
    )
    for (const { name } of unique) yield* query(`drop index ${String(name)}`)
    yield* query(`alter table attestry.${table} disable trigger all`)
  })

/** The type that a text of a column is cast to. */
const castOf = ({ type, udt }: Column): string => (type === "ARRAY" ? udt : type)

const put = (query: Query, at: { readonly table: string; readonly column: Column }) =>
  Effect.fn(function* (place: unknown, value: unknown) {
    const { table, column } = at
    const [row] = yield* query(
      `update attestry.${table} set ${column.name} = $1::text::${castOf(column)}
        where ctid = $2::text::tid returning ctid::text as place`,
      [value, place]
    )
    return row?.place
  })

/** Changes a column of a row while something is done; none where there is no row. The row is then as before. */
export const whileChanged = <A, E>(
  query: Query,
  at: { readonly table: string; readonly column: Column; readonly own: string },
  work: Effect.Effect<A, E>
) =>
  Effect.gen(function* () {
    const { table, column, own } = at
    const [row] = yield* query(
      `select ctid::text as place, ${column.name}::text as value from attestry.${table}
        where ${own} order by ctid limit 1`
    )
    if (row === undefined) return undefined
    const [moved] = yield* query(
      `update attestry.${table} set ${column.name} = ${changed(column)}
        where ctid = $1::text::tid returning ctid::text as place`,
      [row.place]
    )
    return yield* mendedAfter(work, put(query, at)(moved?.place, row.value))
  })

/**
 * Changes several columns of the first row at once while something is done; none where there is no row. The row is then
 * as before.
 */
export const whileAllChanged = <A, E>(
  query: Query,
  at: {
    readonly table: string
    readonly columns: ReadonlyArray<Column>
    readonly own: string
  },
  work: Effect.Effect<A, E>
) =>
  Effect.gen(function* () {
    const { table, columns, own } = at
    const texts = columns.map(({ name }) => `${name}::text`).join(", ")
    const [row] = yield* query(
      `select ctid::text as place, array[${texts}]::text[] as held from attestry.${table}
        where ${own} order by ctid limit 1`
    )
    if (row === undefined) return undefined
    const next = columns.map((column) => `${column.name} = ${changed(column)}`).join(", ")
    const [moved] = yield* query(
      `update attestry.${table} set ${next} where ctid = $1::text::tid returning ctid::text as place`,
      [row.place]
    )
    const before = columns
      .map((column, index) => `${column.name} = ($1::text[])[${index + 1}]::${castOf(column)}`)
      .join(", ")
    const mend = query(`update attestry.${table} set ${before} where ctid = $2::text::tid`, [
      row.held,
      moved?.place
    ])
    return yield* mendedAfter(work, mend)
  })

/**
 * The columns of a table whose change is not found, with the lines that were found instead.
 *
 * WHY first at once: a verification takes long, and one that names each changed column tells as much as one for each.
 * Columns that it does not name, and those of the key, are changed one after another.
 */
export const missedColumns = <E>(
  query: Query,
  at: {
    readonly table: string
    readonly columns: ReadonlyArray<Column>
    readonly own: string
    readonly isFound: (lines: ReadonlyArray<string>) => boolean
  },
  verify: Effect.Effect<ReadonlyArray<string>, E>
) =>
  Effect.gen(function* () {
    const { table, columns, own, isFound } = at
    const key = yield* keyOf(query, table)
    const others = columns.filter(({ name }) => !key.includes(name))
    const lines =
      others.length === 0
        ? []
        : ((yield* whileAllChanged(query, { table, columns: others, own }, verify)) ?? [])
    const isNamed = ({ name }: Column) =>
      lines.some((line) => line.startsWith(`${table} `) && line.includes(`: \`${name}\` is not `))
    const missed: Array<string> = []
    for (const column of columns) {
      if (isNamed(column)) continue
      const found = yield* whileChanged(query, { table, column, own }, verify)
      if (found === undefined || !isFound(found)) missed.push(`${column.name}: ${found?.join()}`)
    }
    return missed
  })

/**
 * Exchanges everything but the keys of two rows while something is done; none where no two rows differ in that. The
 * rows are then as before.
 */
export const whileSwapped = <A, E>(
  query: Query,
  at: { readonly table: string; readonly own: string; readonly exempt: ReadonlySet<string> },
  work: Effect.Effect<A, E>
) =>
  Effect.gen(function* () {
    const { table, own, exempt } = at
    const key = yield* keyOf(query, table)
    const names = (yield* columnsOf(query, table))
      .map(({ name }) => name)
      .filter((name) => !key.includes(name) && !exempt.has(`${table}.${name}`))
    if (names.length === 0) return undefined
    const list = names.map((name) => `"${name}"`).join(", ")
    const rows = yield* query(
      `select ctid::text as place, to_jsonb(t)::text as value, row_to_json((select r from
          (select ${list}) r))::text as content from attestry.${table} t where ${own} order by ctid`
    )
    const [first] = rows
    const second = rows.find(({ content }) => content !== first?.content)
    if (first === undefined || second === undefined) return undefined
    const write = (place: unknown, value: unknown) =>
      Effect.map(
        query(
          `update attestry.${table} set (${list}) = (select ${list}
              from jsonb_populate_record(null::attestry.${table}, $1::text::jsonb))
            where ctid = $2::text::tid returning ctid::text as place`,
          [value, place]
        ),
        ([row]) => row?.place
      )
    const left = yield* write(first.place, second.value)
    const right = yield* write(second.place, first.value)
    const mend = Effect.zipRight(write(left, first.value), write(right, second.value))
    return yield* mendedAfter(work, mend)
  })

/** The columns of a table that can be written, as a list. */
const writable = (query: Query, table: string) =>
  Effect.map(
    query(
      `select string_agg(quote_ident(attname), ', ') as names from pg_attribute
        where attrelid = 'attestry.${table}'::regclass and attnum > 0 and not attisdropped
          and attgenerated = ''`
    ),
    ([row]) => String(row?.names)
  )

const insert = (query: Query, table: string, row: unknown, change: string) =>
  Effect.flatMap(writable(query, table), (names) =>
    query(
      `insert into attestry.${table} as t (${names}) overriding system value select ${names}
        from jsonb_populate_record(null::attestry.${table}, $1::text::jsonb || ${change})
        returning t.ctid::text as place`,
      [row]
    )
  )

/** Removes the first row while something is done; none where there is no row. */
export const whileRemoved = <A, E>(
  query: Query,
  { table, own }: { readonly table: string; readonly own: string },
  work: Effect.Effect<A, E>
) =>
  Effect.gen(function* () {
    const [gone] = yield* query(
      `delete from attestry.${table} t where ctid = (select ctid from attestry.${table}
        where ${own} order by ctid limit 1) returning to_jsonb(t)::text as row`
    )
    if (gone === undefined) return undefined
    const mend = insert(query, table, gone.row, "'{}'::jsonb")
    return yield* mendedAfter(work, mend)
  })

/** Adds a copy of the first row with another value in one column while something is done; none without a row. */
export const whileAdded = <A, E>(
  query: Query,
  at: { readonly table: string; readonly own: string; readonly column: Column },
  work: Effect.Effect<A, E>
) =>
  Effect.gen(function* () {
    const { table, own, column } = at
    const [row] = yield* query(
      `select to_jsonb(t)::text as row, to_jsonb(${changed(column)})::text as other
        from attestry.${table} t where ${own} order by ctid limit 1`
    )
    if (row === undefined) return undefined
    const [added] = yield* insert(
      query,
      table,
      row.row,
      `jsonb_build_object('${column.name}', '${String(row.other)}'::jsonb)`
    )
    const mend = query(`delete from attestry.${table} where ctid = $1::text::tid`, [added?.place])
    return yield* mendedAfter(work, mend)
  })

/** Values that a column can never have, by its type, as expressions; null comes besides. */
const DAMAGED: { readonly [type: string]: ReadonlyArray<string> } = {
  text: ["''", "E'\\x01 {'", "repeat('x', 5000)"],
  bigint: ["9007199254740993", "-9007199254740993"],
  integer: ["2147483647", "-2147483648"],
  smallint: ["-32768"],
  jsonb: ["'[]'", "'\"x\"'", "'1e400'", "'null'", '\'{"x":[{"y":1e400}]}\''],
  json: ["'\"\\u0000\"'", "'[]'", "'1e400'", "'{}'"],
  bytea: ["'\\xff00fe'", "''", "convert_to('{\"open\":', 'UTF8')", "convert_to('1e400', 'UTF8')"],
  ARRAY: ["'{}'", "'{null}'"]
}

/** Every damage of a column. */
export const damagesOf = ({ type }: Column): ReadonlyArray<string> => [
  "null",
  ...(DAMAGED[type] ?? [])
]

/** Lets every column of a table be null that is no part of its key; a person who changes rows by SQL can do that. */
export const allowNulls = (query: Query, table: string) =>
  Effect.gen(function* () {
    const key = yield* keyOf(query, table)
    for (const { name } of yield* columnsOf(query, table))
      if (!key.includes(name))
        // A column that the database numbers is never null.
        yield* Effect.ignore(
          query(`alter table attestry.${table} alter column "${name}" drop not null`)
        )
  })

/** A value that a column can never have, as an expression. */
export interface Damage {
  readonly column: Column
  readonly value: string
}

/** The number of rows that damages can be spread over. */
export const rowsOf = (
  query: Query,
  { table, own }: { readonly table: string; readonly own: string }
) =>
  Effect.map(query(`select count(*)::int4 as rows from attestry.${table} where ${own}`), ([row]) =>
    Number(row?.rows)
  )

const damage = (query: Query, table: string, place: unknown, { column, value }: Damage) =>
  Effect.gen(function* () {
    const [row] = yield* query(
      `select ${column.name}::text as value from attestry.${table} where ctid = $1::text::tid`,
      [place]
    )
    const [moved] = yield* Effect.orElseSucceed(
      query(
        `update attestry.${table} set ${column.name} = ${value} where ctid = $1::text::tid
          returning ctid::text as place`,
        [place]
      ),
      () => []
    )
    return moved === undefined ? [] : [{ column, place: moved.place, value: row?.value }]
  })

/**
 * Damages one column of each of the first rows while something is done; none where there is no row or the database
 * refuses every damage. The rows are then as before.
 */
export const whileDamaged = <A, E>(
  query: Query,
  at: { readonly table: string; readonly own: string; readonly damages: ReadonlyArray<Damage> },
  work: Effect.Effect<A, E>
) =>
  Effect.gen(function* () {
    const { table, own, damages } = at
    const rows = yield* query(
      `select ctid::text as place from attestry.${table} where ${own} order by ctid limit $1`,
      [damages.length]
    )
    const done = yield* Effect.forEach(rows, ({ place }, index) => {
      const each = damages[index]
      return each === undefined ? Effect.succeed([]) : damage(query, table, place, each)
    })
    const damaged = done.flat()
    if (damaged.length === 0) return undefined
    const mend = Effect.forEach(damaged, ({ column, place, value }) =>
      put(query, { table, column })(place, value)
    )
    return yield* mendedAfter(work, mend)
  })
