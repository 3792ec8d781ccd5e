/** `BreakGlassStore` on PostgreSQL. States are conditions on the columns of an opening. */
import { BreakGlass, type BreakGlassState } from "@attestry/core/BreakGlass"
import { type BreakGlassQuery, BreakGlassStore } from "@attestry/core/BreakGlassStore"
import type { OrgId } from "@attestry/core/Identifier"
import { StoreError } from "@attestry/core/StoreError"
import type { Timestamp } from "@attestry/core/Timestamp"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { forUpdate } from "../shared/ForUpdate.js"
import * as SqlPage from "../shared/SqlPage.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

const COLUMNS = `org_id, number, user_id, opened_by, credential, means, space_id, role, reason, minutes, opened_at,
  ends_at, closed_at, closed_by, reviewed`

const Numbered = Schema.Struct({ number: Schema.Int })

/** The condition that an opening counts at an instant. */
const holds = (sql: SqlClient.SqlClient, at: Timestamp): Fragment =>
  sql`opened_at <= ${at}::int8 and ${at}::int8 < coalesce(closed_at, ends_at)`

/** The condition that an opening is in a state at an instant. */
const isIn = (sql: SqlClient.SqlClient, state: BreakGlassState, now: Timestamp): Fragment => {
  switch (state) {
    case "reviewed":
      return sql`reviewed is not null`
    case "closed":
      return sql`(reviewed is null and closed_by is not null)`
    case "open":
      return sql`(reviewed is null and closed_by is null and ${now}::int8 < coalesce(closed_at, ends_at))`
    case "expired":
      return sql`(reviewed is null and closed_by is null and ${now}::int8 >= coalesce(closed_at, ends_at))`
  }
}

const conditions = (
  sql: SqlClient.SqlClient,
  org: OrgId,
  { now, states, user }: BreakGlassQuery
): Fragment =>
  sql.and([
    sql`org_id = ${org}`,
    ...(user === undefined ? [] : [sql`user_id = ${user}`]),
    ...(states === undefined
      ? []
      : [sql`(${sql.or([sql`false`, ...states.map((state) => isIn(sql, state, now))])})`])
  ])

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

/** `BreakGlassStore` on PostgreSQL. */
export const layer: Layer.Layer<BreakGlassStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    BreakGlassStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make
      const columns = sql.literal(COLUMNS)

      const lockNumbers = (operation: string, org: OrgId) =>
        rows.run({
          operation,
          org,
          statement: sql`select pg_advisory_xact_lock(hashtextextended(${org} || ' break_glass', 0))`
        })

      const numbers = (operation: string, org: OrgId, condition: Fragment) =>
        Effect.map(
          rows.all(Numbered, {
            operation,
            org,
            statement: sql`select number from break_glass
              where org_id = ${org} and ${condition} order by number`
          }),
          (found) => found.map(({ number }) => number)
        )

      return BreakGlassStore.of({
        lockOpen: (org, user) =>
          Effect.zipRight(
            // WHY a statement of its own: the next one must see the openings that it has waited for.
            lockNumbers("BreakGlassStore.lockOpen", org),
            rows.first(BreakGlass, {
              operation: "BreakGlassStore.lockOpen",
              org,
              statement: sql`select ${columns} from break_glass
                where org_id = ${org} and user_id = ${user} and closed_at is null for update`
            })
          ),
        append: (draft) => {
          const operation = "BreakGlassStore.append"
          const { org_id: org } = draft
          return Effect.zipRight(
            lockNumbers(operation, org),
            Effect.flatMap(
              rows.first(BreakGlass, {
                operation,
                org,
                statement: sql`insert into break_glass (${columns}, notified_at)
                  select ${org}, coalesce(max(number), 0) + 1, ${draft.user_id}, ${draft.opened_by},
                    ${draft.credential}, ${draft.means}, ${draft.space_id}, ${draft.role},
                    ${draft.reason}, ${draft.minutes}::int4, ${draft.opened_at}::int8,
                    ${draft.ends_at}::int8, ${draft.closed_at}::int8, ${json(draft.closed_by)}::jsonb,
                    ${json(draft.reviewed)}::jsonb, ${draft.opened_at}::int8
                  from break_glass where org_id = ${org}
                  returning ${columns}`
              }),
              Option.match({
                onNone: () => new StoreError({ operation, cause: new Error("no row came back") }),
                onSome: Effect.succeed
              })
            )
          )
        },
        find: ({ number, org }, locking) =>
          rows.first(BreakGlass, {
            operation: "BreakGlassStore.find",
            org,
            statement: sql`select ${columns} from break_glass
              where org_id = ${org} and number = ${number}::int4 ${forUpdate(sql, locking)}`
          }),
        findAt: (org, user, at) =>
          rows.first(BreakGlass, {
            operation: "BreakGlassStore.findAt",
            org,
            statement: sql`select ${columns} from break_glass
              where org_id = ${org} and user_id = ${user} and ${holds(sql, at)}`
          }),
        decide: ({ closed_at, closed_by, number, org_id: org, reviewed }) =>
          rows.run({
            operation: "BreakGlassStore.decide",
            org,
            statement: sql`update break_glass set closed_at = ${closed_at}::int8,
                closed_by = ${json(closed_by)}::jsonb, reviewed = ${json(reviewed)}::jsonb
              where org_id = ${org} and number = ${number}::int4`
          }),
        list: (org, query, page) => {
          const all = sql`break_glass where ${conditions(sql, org, query)}`
          const total = SqlPage.total(sql, all)
          return SqlPage.read(rows, BreakGlass, {
            operation: "BreakGlassStore.list",
            org,
            page,
            items: sql`select ${columns}, ${total} from ${all}
              order by number desc ${SqlPage.clause(sql, page)}`,
            count: sql`select ${total}`
          })
        },
        listAt: (org, at) =>
          rows.all(BreakGlass, {
            operation: "BreakGlassStore.listAt",
            org,
            statement: sql`select ${columns} from break_glass
              where org_id = ${org} and ${holds(sql, at)} order by number`
          }),
        listOver: (org, now) =>
          numbers(
            "BreakGlassStore.listOver",
            org,
            sql`closed_at is null and ends_at <= ${now}::int8`
          ),
        listToNotify: (org, before) =>
          numbers(
            "BreakGlassStore.listToNotify",
            org,
            sql`closed_at is not null and reviewed is null and notified_at < ${before}::int8`
          ),
        recordNotice: ({ number, org }, at) =>
          rows.run({
            operation: "BreakGlassStore.recordNotice",
            org,
            statement: sql`update break_glass set notified_at = ${at}::int8
              where org_id = ${org} and number = ${number}::int4`
          })
      })
    })
  )
