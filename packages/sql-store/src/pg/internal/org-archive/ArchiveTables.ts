/** The tables of a database as its catalog has them, and how their rows are read for an archive. */
import type { FoundTable, Reading } from "@attestry/core/OrgArchive"
import type pg from "pg"
import * as OrgTables from "../../../internal/org-archive/OrgTables.js"
import { SCHEMA } from "../../../schema/internal/SchemaNames.js"
import * as ArchiveClient from "./ArchiveClient.js"

/** A table of the schema. */
export interface SchemaTable {
  readonly name: string
  /** Columns that are written; those that the database computes are not. */
  readonly columns: ReadonlyArray<string>
  /** Columns that name a row: the primary key, else any unique index without null; empty without either. */
  readonly key: ReadonlyArray<string>
  readonly references: ReadonlyArray<string>
}

const TABLES = `select c.relname as name,
    array(select a.attname::text from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      order by a.attnum) as columns,
    coalesce((select array(select a.attname::text from unnest(i.indkey::int2[]) with ordinality as k (attnum, place)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum order by k.place)
      from pg_index i where i.indrelid = c.oid and i.indisprimary), '{}') as key,
    array(select distinct f.relname::text from pg_constraint x join pg_class f on f.oid = x.confrelid
      where x.conrelid = c.oid and x.contype = 'f' and x.confrelid <> c.oid) as references
  from pg_class c where c.relkind = 'r' and c.relnamespace = $1::regnamespace
  order by c.relname`

/** Each table after those that it refers to. */
const sorted = (tables: ReadonlyArray<SchemaTable>): ReadonlyArray<SchemaTable> => {
  const waiting = new Map(tables.map((table) => [table.name, table]))
  const done: Array<SchemaTable> = []
  while (waiting.size > 0) {
    const ready = [...waiting.values()].filter(
      ({ references }) => !references.some((each) => waiting.has(each))
    )
    // WHY: two tables that refer to each other cannot be filled one after the other.
    if (ready.length === 0) throw new Error(`tables in a circle: ${[...waiting.keys()].join(", ")}`)
    for (const table of ready) waiting.delete(table.name)
    done.push(...ready)
  }
  return done
}

/** Every table of the schema, each after those that it refers to. */
export const list = async (client: pg.Client): Promise<ReadonlyArray<SchemaTable>> => {
  const { rows } = await client.query<SchemaTable>(TABLES, [SCHEMA])
  return sorted(rows)
}

/** A name in SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const columnsOf = ({ columns }: Pick<SchemaTable, "columns">): string =>
  columns.map(quoted).join(", ")

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

const conditionOf = ({ name }: SchemaTable, org: string): string =>
  OrgTables.conditionOf(name).replaceAll("$ORG", literal(org))

/** WHY the sum: it does not depend on the order of rows. */
const HASH = (columns: string) =>
  `coalesce(sum(hashtextextended(row(${columns})::text, 0)::numeric), 0)::text`

/** The rows of an org in a table, counted and hashed. */
export const find = async (
  client: pg.Client,
  table: SchemaTable,
  org: string
): Promise<FoundTable> => {
  const { rows } = await ArchiveClient.onTable<{ rows: string; hash: string }>(
    client,
    `select count(*) as rows, ${HASH(columnsOf(table))} as hash
      from ${quoted(table.name)} where ${conditionOf(table, org)}`
  )
  return {
    columns: table.columns,
    key: table.key,
    rows: Number(rows[0]?.rows),
    hash: rows[0]?.hash ?? "",
    isKept: OrgTables.RULES.get(table.name) === "kept"
  }
}

/**
 * The statement that reads rows.
 *
 * WHY by age: numbers of transactions run in a circle. A row that a transaction wrote which had not ended when the
 * export before began is read again, which does no harm.
 */
export const copyOf = (table: SchemaTable, org: string, reading: Reading): string => {
  const changed =
    reading === "all" ? "" : ` and age(xmin) <= age(${literal(reading.since)}::xid8::xid)`
  return `copy (select ${columnsOf(table)} from ${quoted(table.name)}
    where (${conditionOf(table, org)})${changed}) to stdout`
}
