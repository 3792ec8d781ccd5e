/**
 * The history of memberships on PostgreSQL: filtered, counted, sorted and cut in one statement, to the
 * very answer that `MembershipEvent.select` gives.
 */
import type { OrgId } from "@attestry/core/Identifier"
import * as MembershipEvent from "@attestry/core/MembershipEvent"
import type { MembershipHistory, Slice } from "@attestry/core/MembershipStore"
import type { StoreError } from "@attestry/core/StoreError"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlFailure from "../shared/SqlFailure.js"
import * as TenantQueries from "../shared/TenantQueries.js"

const Answer = Schema.Struct({
  total: Schema.Int,
  events: Schema.Array(Schema.Unknown)
})

const OPERATION = "MembershipStore.listEvents"
const readEvents = TenantQueries.listOf(MembershipEvent.MembershipEvent, OPERATION, "page")

const COLUMNS: { readonly [Sort in MembershipEvent.MembershipSort]: string } = {
  when: "created_at",
  user: '"user"',
  role: "coalesce(role, '')",
  changed_by: "changed_by",
  source: "source"
}

const DIRECTIONS = { asc: "asc", desc: "desc" } as const

const conditions = (
  sql: SqlClient.SqlClient,
  query: MembershipEvent.MembershipEventQuery
): ReadonlyArray<Fragment> => {
  const needle = query.search === undefined ? undefined : MembershipEvent.fold(query.search)
  const type = {
    added: sql`previous_role is null`,
    changed: sql`role <> previous_role`,
    suspended: sql`role = previous_role and suspended`,
    restored: sql`role = previous_role and not suspended`,
    removed: sql`previous_role is not null and role is null`
  }
  return [
    ...(needle === undefined
      ? []
      : [sql`(strpos(user_folded, ${needle}) > 0 or strpos(changed_by_folded, ${needle}) > 0)`]),
    ...(query.eventType === undefined ? [] : [type[query.eventType]]),
    ...(query.roles === undefined
      ? []
      : [sql`role in (select jsonb_array_elements_text(${JSON.stringify(query.roles)}::jsonb))`]),
    ...(query.sources === undefined
      ? []
      : [
          sql`source in (select jsonb_array_elements_text(${JSON.stringify(query.sources)}::jsonb))`
        ]),
    ...(query.from === undefined ? [] : [sql`created_at >= ${query.from}`]),
    ...(query.to === undefined ? [] : [sql`created_at <= ${query.to}`])
  ]
}

/** Reads the history. */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* TenantQueries.make

  return (
    org: OrgId,
    query: MembershipEvent.MembershipEventQuery,
    { offset, limit }: Slice
  ): Effect.Effect<MembershipHistory, StoreError> => {
    const direction = sql.literal(DIRECTIONS[query.direction])
    const order = sql`${sql.literal(COLUMNS[query.sort])} ${direction}, id ${direction}`
    const where = sql.and([sql`org_id = ${org}`, ...conditions(sql, query)])
    return Effect.flatMap(
      rows.first(Answer, {
        operation: OPERATION,
        org,
        statement: sql`with found as (
            select org_id, event_id as id, user_id, user_name as "user", changed_by, role,
              previous_role, suspended, source, created_at
            from membership_event where ${where}
          ), page as (select * from found order by ${order} limit ${limit} offset ${offset})
          select (select count(*) from found) as total,
            (select coalesce(jsonb_agg(to_jsonb(page) order by ${order}), '[]'::jsonb) from page)
              as events`
      }),
      Option.match({
        onNone: () => Effect.succeed({ total: 0, events: [] }),
        onSome: ({ total, events }) =>
          SqlFailure.toStoreError(OPERATION)(
            Effect.map(readEvents(events), (read) => ({ total, events: read }))
          )
      })
    )
  }
})
