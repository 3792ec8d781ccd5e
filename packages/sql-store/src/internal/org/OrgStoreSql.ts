/** `OrgStore` on PostgreSQL, through the functions that open the global tables. */
import { OrgId, OrgName } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import { OrgStore } from "@attestry/core/OrgStore"
import { Timestamp } from "@attestry/core/Timestamp"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlFailure from "../shared/SqlFailure.js"
import * as TenantQueries from "../shared/TenantQueries.js"

const Row = Schema.Struct({ org_id: OrgId, name: OrgName, created_at: Timestamp })
const decode = Schema.decodeUnknown(Schema.Array(Row))

const nameOf: TenantQueries.NameOf = ({ org_id }) => ({
  kind: "org",
  table: "org",
  key: String(org_id)
})

const toOrg = ({ org_id, name, created_at }: typeof Row.Type): Org => ({
  id: org_id,
  name,
  created_at
})

/** `OrgStore` on PostgreSQL. */
export const layer: Layer.Layer<OrgStore, never, SqlClient.SqlClient> = Layer.effect(
  OrgStore,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    findByName: (name) =>
      sql`select * from org_by_name(${name})`.pipe(
        Effect.flatMap(decode),
        Effect.map(([row]) => Option.map(Option.fromNullable(row), toOrg)),
        SqlFailure.toStoreError("OrgStore.findByName")
      ),
    findById: (id) =>
      sql`select * from org_by_id(${id})`.pipe(
        Effect.flatMap(decode),
        Effect.map(([row]) => Option.map(Option.fromNullable(row), toOrg)),
        SqlFailure.toStoreError("OrgStore.findById")
      ),
    list: sql`select * from org_list()`.pipe(
      Effect.flatMap((found) =>
        TenantQueries.named(Row, { operation: "OrgStore.list", nameOf }, found)
      ),
      Effect.map((rows) => rows.map(toOrg)),
      SqlFailure.toStoreError("OrgStore.list")
    ),
    isEmpty: sql<{ readonly empty: boolean }>`select org_is_empty() as empty`.pipe(
      Effect.map(([row]) => row?.empty === true),
      SqlFailure.toStoreError("OrgStore.isEmpty")
    ),
    insertFirst: (org) =>
      sql`select org_insert_first(${org.id}, ${org.name}, ${org.created_at})`.pipe(
        Effect.map((rows) => rows.length > 0),
        SqlFailure.toStoreError("OrgStore.insertFirst")
      ),
    insert: (org) =>
      sql`select org_insert(${org.id}, ${org.name}, ${org.created_at})`.pipe(
        Effect.map((rows) => rows.length > 0),
        SqlFailure.toStoreError("OrgStore.insert")
      )
  }))
)
