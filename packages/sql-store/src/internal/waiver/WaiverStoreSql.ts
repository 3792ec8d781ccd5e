/** `WaiverStore` on PostgreSQL. States are conditions on the columns of a waiver. */
import { EnvironmentId } from "@attestry/core/Identifier"
import { MarkedConsumersMax } from "@attestry/core/PolicyStore"
import { StoreError } from "@attestry/core/StoreError"
import * as Timestamp from "@attestry/core/Timestamp"
import { Waiver, type WaiverDraft } from "@attestry/core/Waiver"
import { WaiverSettings } from "@attestry/core/WaiverSettings"
import { LAPSES_AFTER_DAYS, type WaiverState } from "@attestry/core/WaiverState"
import { type WaiverQuery, WaiverStore } from "@attestry/core/WaiverStore"
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

const COLUMNS = `org_id, number, policy_name, rule, environment_id, condition, reason, owner, owner_id,
  ticket_url, starts_at, expires_at, extends, approvals_required, approver_role, self_approval, requested_by,
  requester_id, requested_at, approvals, rejected, revoked, activated_at, settled`

const LAPSES_AFTER = LAPSES_AFTER_DAYS * 86_400 * 1_000_000

const Use = Schema.Struct({
  number: Schema.Int,
  environment_id: EnvironmentId,
  from_at: Timestamp.Timestamp,
  to_at: Schema.NullOr(Timestamp.Timestamp),
  rows: Schema.Int
})

const Marked = Schema.Struct({ environment_id: EnvironmentId })

/** The condition that a waiver is in a state at an instant. */
const isIn = (sql: SqlClient.SqlClient, state: WaiverState, now: Timestamp.Timestamp): Fragment => {
  const open = sql`rejected is null and revoked is null`
  const lapses = sql`least(requested_at + ${LAPSES_AFTER}::int8, expires_at)`
  switch (state) {
    case "rejected":
      return sql`rejected is not null`
    case "revoked":
      return sql`(rejected is null and revoked is not null)`
    case "requested":
      return sql`(${open} and activated_at is null and ${now}::int8 < ${lapses})`
    case "lapsed":
      return sql`(${open} and activated_at is null and ${now}::int8 >= ${lapses})`
    case "scheduled":
      return sql`(${open} and activated_at is not null and ${now}::int8 < starts_at)`
    case "active":
      return sql`(${open} and activated_at is not null and starts_at <= ${now}::int8
        and ${now}::int8 < expires_at)`
    case "expired":
      return sql`(${open} and activated_at is not null and ${now}::int8 >= expires_at)`
  }
}

const conditions = (sql: SqlClient.SqlClient, org: string, query: WaiverQuery): Fragment =>
  sql.and([
    sql`org_id = ${org}`,
    ...(query.states === undefined
      ? []
      : [
          sql`(${sql.or([sql`false`, ...query.states.map((state) => isIn(sql, state, query.now))])})`
        ]),
    ...(query.policy_name === undefined ? [] : [sql`policy_name = ${query.policy_name}`]),
    ...(query.environment === undefined
      ? []
      : [sql`environment_id is not distinct from ${query.environment}::text`]),
    ...(query.owner === undefined ? [] : [sql`owner = ${query.owner}`]),
    ...(query.expires_before === undefined
      ? []
      : [sql`expires_at < ${query.expires_before}::int8`]),
    ...(query.within === undefined
      ? []
      : [
          sql`(environment_id = any (${[...query.within.environments]}::text[])
            or (environment_id is null
              and policy_name = any (${[...query.within.policies]}::text[])))`
        ])
  ])

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

/** Adds a waiver under the next number; the caller holds the lock of the numbers. */
const insert = (sql: SqlClient.SqlClient, draft: WaiverDraft, columns: Fragment) =>
  sql`insert into waiver (${columns})
    select ${draft.org_id}, coalesce(max(number), 0) + 1, ${draft.policy_name}, ${json(draft.rule)}::jsonb,
      ${draft.environment_id}, ${draft.condition}, ${draft.reason}, ${draft.owner}, ${draft.owner_id},
      ${draft.ticket_url}, ${draft.starts_at}::int8, ${draft.expires_at}::int8, ${draft.extends}::int4,
      ${draft.approvals_required}::int4, ${draft.approver_role}, ${draft.self_approval}::boolean,
      ${draft.requested_by}, ${draft.requester_id}, ${draft.requested_at}::int8,
      ${json(draft.approvals)}::jsonb, ${json(draft.rejected)}::jsonb, ${json(draft.revoked)}::jsonb,
      ${draft.activated_at}::int8, ${draft.settled}
    from waiver where org_id = ${draft.org_id}
    returning ${columns}`

/** `WaiverStore` on PostgreSQL. */
export const layer: Layer.Layer<WaiverStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    WaiverStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make
      const markedMax = yield* MarkedConsumersMax
      const columns = sql.literal(COLUMNS)

      const isFor = (environment: EnvironmentId | undefined) =>
        environment === undefined
          ? sql.literal("")
          : sql`and (environment_id is null or environment_id = ${environment})`

      return WaiverStore.of({
        append: (draft) => {
          const operation = "WaiverStore.append"
          const { org_id: org } = draft
          return Effect.zipRight(
            // WHY a statement of its own: the next one must see the waivers that it has waited for.
            rows.run({
              operation,
              org,
              statement: sql`select pg_advisory_xact_lock(hashtextextended(${org} || ' waiver', 0))`
            }),
            Effect.flatMap(
              rows.first(Waiver, { operation, org, statement: insert(sql, draft, columns) }),
              Option.match({
                onNone: () => new StoreError({ operation, cause: new Error("no row came back") }),
                onSome: Effect.succeed
              })
            )
          )
        },
        find: ({ number, org }, locking) =>
          rows.first(Waiver, {
            operation: "WaiverStore.find",
            org,
            statement: sql`select ${columns} from waiver
              where org_id = ${org} and number = ${number}::int4 ${forUpdate(sql, locking)}`
          }),
        decide: (waiver) =>
          rows.run({
            operation: "WaiverStore.decide",
            org: waiver.org_id,
            statement: sql`update waiver set approvals = ${json(waiver.approvals)}::jsonb,
                rejected = ${json(waiver.rejected)}::jsonb, revoked = ${json(waiver.revoked)}::jsonb,
                activated_at = ${waiver.activated_at}::int8, settled = ${waiver.settled}
              where org_id = ${waiver.org_id} and number = ${waiver.number}::int4`
          }),
        list: (org, query, page) => {
          const all = sql`waiver where ${conditions(sql, org, query)}`
          const total = SqlPage.total(sql, all)
          return SqlPage.read(rows, Waiver, {
            operation: "WaiverStore.list",
            org,
            page,
            items: sql`select ${columns}, ${total} from ${all}
              order by number desc ${SqlPage.clause(sql, page)}`,
            count: sql`select ${total}`
          })
        },
        listInForce: (org, now, environment) =>
          rows.all(Waiver, {
            operation: "WaiverStore.listInForce",
            org,
            statement: sql`select ${columns} from waiver
              where org_id = ${org} and activated_at is not null and expires_at > ${now}::int8
                and (revoked is null or (revoked ->> 'at')::int8 > ${now}::int8)
                ${isFor(environment)}
              order by number`
          }),
        listApproved: (org, { environment, since }) =>
          rows.all(Waiver, {
            operation: "WaiverStore.listApproved",
            org,
            statement: sql`select ${columns} from waiver
              where org_id = ${org} and activated_at is not null ${isFor(environment)}
                ${since === undefined ? sql.literal("") : sql`and expires_at > ${since}::int8`}
              order by number`
          }),
        listUnsettled: (org, now) =>
          rows.all(Waiver, {
            operation: "WaiverStore.listUnsettled",
            org,
            statement: sql`select ${columns} from waiver
              where org_id = ${org} and settled is null
                and (${isIn(sql, "expired", now)} or ${isIn(sql, "lapsed", now)})
              order by number`
          }),
        markConsumers: (org, policy, environment) =>
          Effect.map(
            rows.all(Marked, {
              operation: "WaiverStore.markConsumers",
              org,
              statement: sql`select environment_id from mark_consumers(
                ${org}, ${policy}, ${environment}::text, ${markedMax}::int4) as marked (environment_id)`
            }),
            (found) => found.map(({ environment_id }) => environment_id)
          ),
        findSettings: (org) =>
          rows.first(WaiverSettings, {
            operation: "WaiverStore.findSettings",
            org,
            statement: sql`select max_days, approvals_required, approver_role, self_approval
              from waiver_settings where org_id = ${org}`
          }),
        putSettings: (org, settings) =>
          rows.run({
            operation: "WaiverStore.putSettings",
            org,
            statement: sql`insert into waiver_settings
                (org_id, max_days, approvals_required, approver_role, self_approval)
              values (${org}, ${settings.max_days}, ${settings.approvals_required},
                ${settings.approver_role}, ${settings.self_approval})
              on conflict (org_id) do update set max_days = excluded.max_days,
                approvals_required = excluded.approvals_required, approver_role = excluded.approver_role,
                self_approval = excluded.self_approval`
          }),
        putUse: ({ environment, org }, { at, rows: waived }) => {
          const given = JSON.stringify(Array.from(waived, ([number, count]) => ({ number, count })))
          const counted = sql`jsonb_to_recordset(${given}::jsonb) as n (number int4, count int4)`
          return rows.run({
            operation: "WaiverStore.putUse",
            org,
            // WHY `greatest`: a clock that was set back must not end a time before it began.
            statement: sql`with ended as (
                update waiver_use u set to_at = greatest(u.from_at + 1, ${at}::int8)
                where u.org_id = ${org} and u.environment_id = ${environment} and u.to_at is null
                  and not exists (select from ${counted} where n.number = u.number and n.count = u.rows)
                returning u.number, u.to_at
              )
              insert into waiver_use (org_id, environment_id, number, from_at, rows)
              select ${org}, ${environment}, n.number, coalesce(
                  (select e.to_at from ended e where e.number = n.number), ${at}::int8), n.count
              from ${counted}
              where not exists (select from waiver_use u where u.org_id = ${org}
                and u.environment_id = ${environment} and u.number = n.number and u.to_at is null
                and u.rows = n.count)`
          })
        },
        listUse: (org, since) =>
          rows.all(Use, {
            operation: "WaiverStore.listUse",
            org,
            statement: sql`select number, environment_id, from_at, to_at, rows from waiver_use
              where org_id = ${org} and (to_at is null or to_at > ${since}::int8)
              order by number, environment_id, from_at`
          })
      })
    })
  )
