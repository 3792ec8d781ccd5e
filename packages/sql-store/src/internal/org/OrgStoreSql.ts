/** `OrgStore` on PostgreSQL, through the functions that open the global tables. */
import { OrgId, OrgName } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import { OrgStore } from "@attestry/core/OrgStore"
import type { StoreError } from "@attestry/core/StoreError"
import { Timestamp } from "@attestry/core/Timestamp"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
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

/** The orgs that a statement finds. */
const read = <E extends SqlError, R>(
  operation: string,
  statement: Effect.Effect<ReadonlyArray<object>, E, R>
): Effect.Effect<ReadonlyArray<Org>, StoreError, R> =>
  statement.pipe(
    Effect.flatMap((found) => TenantQueries.named(Row, { operation, nameOf }, found)),
    Effect.map((rows) => rows.map(toOrg)),
    SqlFailure.toStoreError(operation)
  )

/** `OrgStore` on PostgreSQL. */
export const layer: Layer.Layer<OrgStore, never, SqlClient.SqlClient> = Layer.effect(
  OrgStore,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    find: (key) =>
      sql`select org_id, name, created_at from ${
        "name" in key ? sql`org_by_name(${key.name})` : sql`org_by_id(${key.id})`
      }`.pipe(
        Effect.flatMap(decode),
        Effect.map(([row]) => Option.map(Option.fromNullable(row), toOrg)),
        SqlFailure.toStoreError("OrgStore.find")
      ),
    list: read("OrgStore.list", sql`select org_id, name, created_at from org_list()`),
    listBusy: (work) =>
      read("OrgStore.listBusy", sql`select org_id, name, created_at from org_busy(${work})`),
    insert: (org, { onlyFirst } = { onlyFirst: false }) =>
      sql`select ${sql.literal(onlyFirst ? "org_insert_first" : "org_insert")}(${org.id}, ${org.name},
        ${org.created_at})`.pipe(
        Effect.map((rows) => rows.length > 0),
        SqlFailure.toStoreError("OrgStore.insert")
      )
  }))
)
