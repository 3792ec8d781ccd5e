/** `RecordStore` on PostgreSQL: whole rows, so that a column is verified as soon as there is one. */
import {
  DERIVED,
  type DerivedTable,
  PERSONAL,
  RecordStore,
  type StoredRecord,
  type TableName
} from "@attestry/core/RecordStore"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"
import * as ContentMisfits from "./ContentMisfits.js"
import { columnsOf, SHAPES } from "./RecordShapes.js"

/** The members of the details of a trail. */
const DETAILS = [
  ...["description", "git_commit_info", "repo_info", "external_urls", "origin_url", "user_data"]
]

const Row = Schema.Struct({
  key: Schema.String,
  columns: Schema.Record({ key: Schema.String, value: Schema.Unknown })
})

/** `RecordStore` on PostgreSQL. */
export const layer: Layer.Layer<RecordStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    RecordStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make

      const read = (
        operation: string,
        { org, table }: { readonly org: StoredOrg; readonly table: TableName | DerivedTable },
        condition: (key: Fragment) => Fragment
      ) => {
        const shape = SHAPES[table]
        const key = sql.literal(`(${shape.key}) collate "C"`)
        return Effect.map(
          rows.all(Row, {
            operation,
            org,
            statement: sql`select ${key} as key, ${sql.literal(columnsOf(shape))} as columns
              from ${sql.literal(shape.from ?? table)} t
              where ${shape.from === undefined ? sql`t.org_id = ${org}` : sql`true`}
                and ${condition(key)}`
          }),
          (found): ReadonlyArray<StoredRecord> => found
        )
      }

      /** Writes one column of the row with a key. */
      const write = (
        {
          org,
          table,
          key
        }: { readonly org: StoredOrg; readonly table: TableName; readonly key: string },
        column: string,
        value: unknown
      ) =>
        rows.run({
          operation: "RecordStore.erase",
          org,
          statement: sql`select record_erase(${table}, t.ctid, ${column},
              ${JSON.stringify(value ?? null)}::jsonb)
            from ${sql(table)} t where t.org_id = ${org}
              and (${sql.literal(SHAPES[table].key)}) = ${key}`
        })

      return RecordStore.of({
        derived: DERIVED,
        listMisfits: (org) => ContentMisfits.list(rows, sql, org),
        erase: (org, { table, key, columns, changed }) => {
          const personal = changed.filter((column) => PERSONAL[table]?.includes(column))
          const at = { org, table, key }
          if (table !== "trail" || personal.length === 0) {
            return Effect.forEach(personal, (column) => write(at, column, columns[column]), {
              discard: true
            })
          }
          const details = Object.fromEntries(DETAILS.map((name) => [name, columns[name] ?? null]))
          return write(at, "details", details)
        },
        list: (org, table, { after, limit }) =>
          read(
            "RecordStore.list",
            { org, table },
            (key) => sql`${key} > ${after} order by ${key} limit ${limit}`
          ),
        find: (org, table, keys) =>
          read("RecordStore.find", { org, table }, (key) => sql`${key} = any(${[...keys]}::text[])`)
      })
    })
  )

type StoredOrg = Parameters<RecordStore["Type"]["list"]>[0]
