/** `GrantStore` on PostgreSQL. */
import { Grant, type GrantSubject } from "@attestry/core/Grant"
import { type GrantQuery, GrantStore } from "@attestry/core/GrantStore"
import type { OrgId } from "@attestry/core/Identifier"
import { Binding } from "@attestry/core/Standing"
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

const GRANT = `g.org_id, g.number, jsonb_build_object('kind', g.subject_kind, 'id', g.subject_id) as subject,
  g.space_id, g.role, g.eligible, g.expires_at, g.reason, g.given_by, g.from_at, g.to_at`

const Counted = Schema.Struct({ org: Schema.Int, subject: Schema.Int })

/** The condition that a grant counts at an instant. */
const isAt = (sql: SqlClient.SqlClient, at: Timestamp): Fragment =>
  sql`(g.from_at <= ${at}::int8 and (g.to_at is null or ${at}::int8 < g.to_at)
    and (g.expires_at is null or ${at}::int8 < g.expires_at))`

const isFor = (sql: SqlClient.SqlClient, { id, kind }: GrantSubject): Fragment =>
  sql`g.subject_kind = ${kind} and g.subject_id = ${id}`

const conditions = (
  sql: SqlClient.SqlClient,
  org: OrgId,
  { eligible, ended, now, role, spaces, subject }: GrantQuery
): Fragment =>
  sql.and([
    sql`g.org_id = ${org}`,
    ...(ended ? [] : [isAt(sql, now)]),
    ...(subject === undefined ? [] : [isFor(sql, subject)]),
    ...(role === undefined ? [] : [sql`g.role = ${role}`]),
    ...(eligible === undefined ? [] : [sql`g.eligible = ${eligible}`]),
    ...(spaces === undefined ? [] : [sql`g.space_id = any(${[...spaces]}::text[])`])
  ])

/** What the grants of a sort give to a user or account at an instant. */
const bindings = (
  sql: SqlClient.SqlClient,
  org: OrgId,
  { at, eligible, id, kind }: GrantSubject & { readonly at: Timestamp; readonly eligible: boolean }
) => {
  // WHY two reads of teams: each has an index, and few times are not over.
  const teams = sql`union all select 'team', m.team_id from team_member m
      where m.org_id = ${org} and m.user_id = ${id} and m.to_at is null and m.from_at <= ${at}::int8
    union all select 'team', m.team_id from team_member m
      where m.org_id = ${org} and m.user_id = ${id} and m.to_at > ${at}::int8
        and m.from_at <= ${at}::int8`
  return sql`with subject (kind, id) as (
      select ${kind}::text, ${id}::text union all select 'everyone', ''
      ${kind === "user" ? teams : sql.literal("")})
    select distinct g.role, g.space_id as space from subject s
      join access_grant g on g.org_id = ${org} and g.subject_kind = s.kind and g.subject_id = s.id
    where g.eligible = ${eligible} and ${isAt(sql, at)} order by g.space_id, g.role`
}

/** `GrantStore` on PostgreSQL. */
export const layer: Layer.Layer<GrantStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    GrantStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make
      const columns = sql.literal(GRANT)

      const lockNumbers = (operation: string, org: OrgId) =>
        rows.run({
          operation,
          org,
          statement: sql`select pg_advisory_xact_lock(hashtextextended(${org} || ' grant', 0))`
        })

      return GrantStore.of({
        countToAdd: (org, subject) =>
          Effect.zipRight(
            // WHY a statement of its own: the next one must see the grants that it has waited for.
            lockNumbers("GrantStore.countToAdd", org),
            Effect.map(
              rows.first(Counted, {
                operation: "GrantStore.countToAdd",
                org,
                statement: sql`select count(*)::int4 as org,
                    (count(*) filter (where ${isFor(sql, subject)}))::int4 as subject
                  from access_grant g where g.org_id = ${org} and g.to_at is null`
              }),
              Option.getOrElse(() => ({ org: 0, subject: 0 }))
            )
          ),
        append: (draft) => {
          const operation = "GrantStore.append"
          const { org_id: org } = draft
          return Effect.zipRight(
            lockNumbers(operation, org),
            Effect.flatMap(
              rows.first(Grant, {
                operation,
                org,
                statement: sql`insert into access_grant as g (org_id, number, subject_kind, subject_id,
                    space_id, role, eligible, expires_at, reason, given_by, from_at, to_at)
                  select ${org}, coalesce(max(b.number), 0) + 1, ${draft.subject.kind},
                    ${draft.subject.id}, ${draft.space_id}, ${draft.role}, ${draft.eligible}, ${draft.expires_at}::int8,
                    ${draft.reason}, ${draft.given_by}, ${draft.from_at}::int8, ${draft.to_at}::int8
                  from access_grant b where b.org_id = ${org}
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
          rows.first(Grant, {
            operation: "GrantStore.find",
            org,
            statement: sql`select ${columns} from access_grant g
              where g.org_id = ${org} and g.number = ${number}::int4 ${forUpdate(sql, locking)}`
          }),
        lockOpen: (org, subject, { eligible, space }) =>
          rows.first(Grant, {
            operation: "GrantStore.lockOpen",
            org,
            statement: sql`select ${columns} from access_grant g where g.org_id = ${org}
              and ${isFor(sql, subject)} and g.space_id = ${space}
              and g.eligible = ${eligible} and g.to_at is null for update`
          }),
        end: ({ number, org_id: org, to_at }) =>
          rows.run({
            operation: "GrantStore.end",
            org,
            statement: sql`update access_grant set to_at = ${to_at}::int8
              where org_id = ${org} and number = ${number}::int4`
          }),
        list: (org, query, page) => {
          const all = sql`access_grant g where ${conditions(sql, org, query)}`
          const total = SqlPage.total(sql, all)
          return SqlPage.read(rows, Grant, {
            operation: "GrantStore.list",
            org,
            page,
            items: sql`select ${columns}, ${total} from ${all}
              order by g.number desc ${SqlPage.clause(sql, page)}`,
            count: sql`select ${total}`
          })
        },
        listOpen: (org, subject) =>
          rows.all(Grant, {
            operation: "GrantStore.listOpen",
            org,
            statement: sql`select ${columns} from access_grant g where g.org_id = ${org}
              and ${isFor(sql, subject)} and g.to_at is null order by g.number`
          }),
        hasOpenIn: (org, space) =>
          rows.wrote({
            operation: "GrantStore.hasOpenIn",
            org,
            statement: sql`select g.number from access_grant g where g.org_id = ${org}
              and g.space_id = ${space} and g.to_at is null limit 1`
          }),
        listBindings: (org, subject, at) =>
          rows.all(Binding, {
            operation: "GrantStore.listBindings",
            org,
            statement: bindings(sql, org, { ...subject, at, eligible: false })
          }),
        listEligible: (org, id, at) =>
          rows.all(Binding, {
            operation: "GrantStore.listEligible",
            org,
            statement: bindings(sql, org, { kind: "user", id, at, eligible: true })
          })
      })
    })
  )
