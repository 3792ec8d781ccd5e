/** `ScimStore` on PostgreSQL. Filters compare columns that core has folded, so that one rule decides. */
import { OrgId, OrgName, UserId } from "@attestry/core/Identifier"
import type { ScimFilter, Term } from "@attestry/core/ScimFilter"
import { fold } from "@attestry/core/ScimJson"
import { ScimStore } from "@attestry/core/ScimStore"
import * as ScimUser from "@attestry/core/ScimUser"
import { Timestamp } from "@attestry/core/Timestamp"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { forUpdate } from "../shared/ForUpdate.js"
import * as SqlFailure from "../shared/SqlFailure.js"
import * as SqlPage from "../shared/SqlPage.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

const COLUMNS = `org_id, scim_id as id, user_id, external_id, user_name, active, attributes,
  created_at, updated_at`

const DescribedRow = Schema.Struct({
  org_id: OrgId,
  name: OrgName,
  created_at: Timestamp,
  user_id: UserId
})

const Total = Schema.Struct({ total: Schema.Int })

/** The addresses of a person in the form in which filters compare them. */
const foldedEmails = ({ attributes }: ScimUser.ScimUser): string =>
  JSON.stringify(
    ScimUser.emailsOf(attributes).map(({ type, value }) => ({
      value: fold(value),
      ...(type === null ? {} : { type: fold(type) })
    }))
  )

const foldedName = ({ attributes }: ScimUser.ScimUser): string | null => {
  const name = ScimUser.displayNameOf(attributes)
  return name === null ? null : fold(name)
}

const condition = (sql: SqlClient.SqlClient, { attribute, value }: Term): Fragment => {
  switch (attribute) {
    case "id":
      return sql`scim_id = ${String(value)}`
    case "externalId":
      return sql`external_id = ${String(value)}`
    case "userName":
      return sql`user_folded = ${String(value)}`
    case "displayName":
      return sql`display_folded = ${String(value)}`
    case "active":
      return sql`active = ${value === true}`
    case "emails.value":
      return sql`emails @> ${JSON.stringify([{ value }])}::jsonb`
    case "emails.work":
      return sql`emails @> ${JSON.stringify([{ type: "work", value }])}::jsonb`
    case "members.value":
      return sql`false`
  }
}

/** `ScimStore` on PostgreSQL. */
export const layer: Layer.Layer<ScimStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    ScimStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make
      const columns = sql.literal(COLUMNS)
      const texts = (values: ReadonlyArray<string>) => sql`${[...values]}::text[]`
      const passing = (org: OrgId, filter: ScimFilter) =>
        sql.and([sql`org_id = ${org}`, ...filter.map((term) => condition(sql, term))])

      return ScimStore.of({
        find: ({ id, org }, locking) =>
          rows.first(ScimUser.ScimUser, {
            operation: "ScimStore.find",
            org,
            statement: sql`select ${columns} from scim_user
              where org_id = ${org} and scim_id = ${id} ${forUpdate(sql, locking)}`
          }),
        list: (org, filter, { limit, offset }) =>
          Effect.gen(function* () {
            const operation = "ScimStore.list"
            const all = sql`scim_user where ${passing(org, filter)}`
            const total = SqlPage.total(sql, all)
            const items = yield* rows.all(ScimUser.ScimUser, {
              operation,
              org,
              statement: sql`select ${columns} from ${all} order by created_at, scim_id
                limit ${limit} offset ${offset}`
            })
            const counted = yield* rows.first(Total, {
              operation,
              org,
              statement: sql`select ${total}`
            })
            return {
              items,
              total: Option.match(counted, { onNone: () => 0, onSome: (one) => one.total })
            }
          }),
        listAmong: (org, which) =>
          rows.all(ScimUser.ScimUser, {
            operation: "ScimStore.listAmong",
            org,
            statement: sql`select ${columns} from scim_user where org_id = ${org} and ${
              "ids" in which
                ? sql`scim_id = any(${texts(which.ids)})`
                : sql`user_id = any(${texts(which.users)})`
            }`
          }),
        insert: (user) =>
          rows.wrote({
            operation: "ScimStore.insert",
            org: user.org_id,
            statement: sql`insert into scim_user (org_id, scim_id, user_id, external_id, user_name,
                user_folded, display_folded, emails, active, attributes, created_at, updated_at)
              values (${user.org_id}, ${user.id}, ${user.user_id}, ${user.external_id},
                ${user.user_name}, ${fold(user.user_name)}, ${foldedName(user)},
                ${foldedEmails(user)}::jsonb, ${user.active},
                ${JSON.stringify(user.attributes)}::jsonb, ${user.created_at}, ${user.updated_at})
              on conflict do nothing returning scim_id`
          }),
        update: (user) => {
          const operation = "ScimStore.update"
          const { org_id: org } = user
          const folded = fold(user.user_name)
          return Effect.zipRight(
            // WHY a statement of its own: the next one must see the people that it has waited for.
            rows.run({
              operation,
              org,
              statement: sql`select pg_advisory_xact_lock(hashtextextended(${org} || ' scim', 0))`
            }),
            rows.wrote({
              operation,
              org,
              statement: sql`update scim_user s set external_id = ${user.external_id},
                  user_name = ${user.user_name}, user_folded = ${folded},
                  display_folded = ${foldedName(user)}, emails = ${foldedEmails(user)}::jsonb,
                  active = ${user.active}, attributes = ${JSON.stringify(user.attributes)}::jsonb,
                  updated_at = ${user.updated_at}
                where s.org_id = ${org} and s.scim_id = ${user.id}
                  and not exists (select from scim_user o where o.org_id = ${org}
                    and o.scim_id <> ${user.id} and (o.user_folded = ${folded}
                      or o.external_id = ${user.external_id}::text))
                returning s.scim_id`
            })
          )
        },
        remove: ({ id, org }) =>
          rows.run({
            operation: "ScimStore.remove",
            org,
            statement: sql`delete from scim_user where org_id = ${org} and scim_id = ${id}`
          }),
        findHome: (user) =>
          sql<{ readonly org_id: OrgId }>`select user_home(${user}) as org_id`.pipe(
            Effect.map(([row]) => Option.fromNullable(row?.org_id)),
            SqlFailure.toStoreError("ScimStore.findHome")
          ),
        listDescribed: (externalId) =>
          sql`select * from scim_described(${externalId})`.pipe(
            Effect.flatMap(Schema.decodeUnknown(Schema.Array(DescribedRow))),
            Effect.map((found) =>
              found.map(({ org_id, name, created_at, user_id: user }) => ({
                org: { id: org_id, name, created_at },
                user
              }))
            ),
            SqlFailure.toStoreError("ScimStore.listDescribed")
          ),
        setHome: (user, org) =>
          sql`select user_set_home(${user}, ${org})`.pipe(
            Effect.asVoid,
            SqlFailure.toStoreError("ScimStore.setHome")
          )
      })
    })
  )
