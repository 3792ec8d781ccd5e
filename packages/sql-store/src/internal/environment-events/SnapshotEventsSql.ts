/** The event log on PostgreSQL, and the rows that ran in a place before. */
import type { EnvironmentRef } from "@attestry/core/Environment"
import { Fingerprint } from "@attestry/core/Fingerprint"
import { FlowView, type Predecessor } from "@attestry/core/FlowView"
import * as Slices from "@attestry/core/Slices"
import { AnnotationType } from "@attestry/core/SnapshotAnnotation"
import type { EventQuery, SnapshotStore, StoredEvent } from "@attestry/core/SnapshotStore"
import { Timestamp } from "@attestry/core/Timestamp"
import { Verdict } from "@attestry/core/Verdict"
import type * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { TenantQueries } from "../shared/TenantQueries.js"
import { FLOWS, ROW, RowRow, toRow } from "../snapshot/StoredRow.js"

type Store = Context.Tag.Service<SnapshotStore>

/** An event with its row, as it is stored. */
export const EventRow = Schema.Struct({
  ...RowRow.fields,
  index: Schema.Int,
  position: Schema.Int,
  timestamp: Timestamp,
  snapshot_verdict: Verdict,
  type: AnnotationType,
  was: Schema.Int,
  now: Schema.Int,
  arrived: Schema.Boolean
})

/** The event that a stored one is. */
export const toEvent = (row: typeof EventRow.Type): StoredEvent => ({
  index: row.index,
  position: row.position,
  timestamp: row.timestamp,
  snapshotVerdict: row.snapshot_verdict,
  annotation: { type: row.type, was: row.was, now: row.now },
  arrived: row.arrived,
  row: toRow(row)
})

/** The columns of an event. */
export const EVENT = `${ROW}, e.index, e.position, s.timestamp, s.verdict as snapshot_verdict, e.type,
  e.was, e.now, e.arrived`

/**
 * Where the parts of an event come from; the row of a logical environment's event is that of a member.
 *
 * WHY lateral and `offset`: each part is looked up by its key; otherwise PostgreSQL may read all snapshots or all
 * rows of the environment first.
 */
export const EVENT_PARTS = `cross join lateral (select * from snapshot s where s.org_id = e.org_id
    and s.environment_id = e.environment_id and s.index = e.index offset 0) s
  cross join lateral (select * from snapshot_row r where r.org_id = e.org_id
    and r.environment_id = coalesce(e.member_id, e.environment_id)
    and r.bucket = e.bucket and r.row_no = e.row_no offset 0) r
  ${FLOWS}`

/** The number of events of the log up to the end of a snapshot. */
const totalIn =
  (sql: SqlClient.SqlClient, { org, environment }: EnvironmentRef) =>
  (index: number): Fragment =>
    sql`coalesce((select s.events_total from snapshot s
    where s.org_id = ${org} and s.environment_id = ${environment} and s.index = ${index}), 0)`

/**
 * The place of the event that is the first after those that are left out; none when all are.
 *
 * Each snapshot knows how many events the log has up to its end, so the place follows from counting. WHY
 * `offset`: merged into the condition, the sum could tell of rows that row-level security hides, and would not be
 * looked up in the index. WHY a collation: no index but `snapshot_by_event` has it.
 */
const placeAfter = (
  sql: SqlClient.SqlClient,
  ref: EnvironmentRef,
  { span, skip, newestFirst }: EventQuery
): Fragment => {
  const { org, environment } = ref
  const totalAt = totalIn(sql, ref)
  const wanted = newestFirst
    ? sql`${totalAt(span.last)} - ${skip}`
    : sql`${totalAt(span.first - 1)} + 1 + ${skip}`
  return sql`select s.index, (n.wanted - coalesce((select b.events_total from snapshot b
        where b.org_id = ${org} and b.environment_id = ${environment} and b.index < s.index
        order by b.index desc limit 1), 0))::int4 as position
      from (select ${wanted} as wanted offset 0) n cross join lateral (select s.index from snapshot s
          where s.org_id = ${org} and s.environment_id = ${environment} collate "POSIX"
            and s.events_total >= n.wanted and n.wanted > 0
          order by s.events_total, s.index limit 1) s offset 0`
}

/**
 * Where reading begins: with which snapshot, and at which place of the log.
 *
 * WHY the snapshot besides the place: an index is entered at the bounds of its single columns, and would be
 * read from the end of the log up to the place otherwise.
 */
const beginning = (
  sql: SqlClient.SqlClient,
  { span, after, newestFirst }: EventQuery,
  isPlaced: boolean
) => {
  const nearer = sql.literal(newestFirst ? "least" : "greatest")
  const within = sql.literal(newestFirst ? "<" : ">")
  const upTo = sql.literal(newestFirst ? "<=" : ">=")
  const edge = newestFirst ? span.last : span.first
  const index = Option.match(after, {
    onNone: () => edge,
    onSome: (last) => (newestFirst ? Math.min(edge, last.index) : Math.max(edge, last.index))
  })
  return {
    index: isPlaced ? sql`${nearer}(${index}, b.index)` : sql`${index}`,
    place: sql.and([
      isPlaced ? sql`(e.index, e.position) ${upTo} (b.index, b.position)` : sql.literal("true"),
      Option.match(after, {
        onNone: () => sql.literal("true"),
        onSome: (last) =>
          sql`(e.index, e.position) ${within} (${last.index}::int4, ${last.position}::int4)`
      })
    ])
  }
}

/** A part of the event log; the key of the table is the order of the log. */
export const events =
  (sql: SqlClient.SqlClient, rows: TenantQueries): Store["events"] =>
  (ref, query) => {
    const { org, environment } = ref
    const { span, skip, limit, newestFirst } = query
    const isPlaced = skip > 0
    const begin = beginning(sql, query, isPlaced)
    const [low, high] = newestFirst ? [span.first, begin.index] : [begin.index, span.last]
    const placed = isPlaced
      ? sql`(${placeAfter(sql, ref, query)}) b cross join lateral`
      : sql.literal("")
    const order = sql.literal(newestFirst ? "e.index desc, e.position desc" : "e.index, e.position")
    return Effect.flatMap(
      rows.list(EventRow, {
        operation: "SnapshotStore.events",
        from: "page",
        org,
        // WHY the inner select: the page is cut before anything is joined to it.
        statement: sql`select ${sql.literal(EVENT)}
          from ${placed} (select * from snapshot_event e
            where e.org_id = ${org} and e.environment_id = ${environment}
              and e.index between ${low} and ${high} and ${begin.place}
            order by ${order} limit ${limit}) e
          ${sql.literal(EVENT_PARTS)}
          order by ${order}`
      }),
      (found) => Slices.map(found, toEvent)
    )
  }

const Count = Schema.Struct({ count: Schema.Int })

/** The number of events of a span. */
export const countEvents =
  (sql: SqlClient.SqlClient, rows: TenantQueries): Store["countEvents"] =>
  (ref, { first, last }) => {
    const totalAt = totalIn(sql, ref)
    return Effect.map(
      rows.first(Count, {
        operation: "SnapshotStore.countEvents",
        org: ref.org,
        statement: sql`select (${totalAt(last)} - ${totalAt(first - 1)})::int8 as count`
      }),
      Option.match({ onNone: () => 0, onSome: ({ count }) => count })
    )
  }

const Before = Schema.Struct({
  name: Schema.NullOr(Schema.String),
  fingerprint: Schema.NullOr(Fingerprint),
  view: Schema.NullOr(
    FlowView.pipe(Schema.pick("git_commit", "commit_url", "trail_name", "slot", "status"))
  )
})

const toPredecessor = ({
  name,
  fingerprint,
  view
}: typeof Before.Type): Option.Option<Predecessor> =>
  name === null || fingerprint === null || view === null
    ? Option.none()
    : Option.some({ name, fingerprint, ...view })

/**
 * Who ran in each place before.
 *
 * WHY the index first and by itself: with the name in one order, all that ever ran in the place may be sorted.
 */
export const predecessors =
  (sql: SqlClient.SqlClient, rows: TenantQueries): Store["predecessors"] =>
  ({ org, environment }, keys) => {
    const earlier = (alias: "b" | "n") => {
      const of = sql.literal(alias)
      return sql`${of}.org_id = ${org} and ${of}.environment_id = ${environment}
        and ${of}.flow_id = k.place ->> 'flow' and ${of}.slot = k.place ->> 'slot'
        and ${of}.index < (k.place ->> 'before')::int4
        and ${of}.fingerprint <> k.place ->> 'fingerprint'`
    }
    return Effect.map(
      rows.all(Before, {
        operation: "SnapshotStore.predecessors",
        org,
        statement: sql`select p.name, p.fingerprint, p.view
          from jsonb_array_elements(${JSON.stringify(keys)}::jsonb)
            with ordinality as k (place, position)
          left join lateral (select b.name, b.fingerprint, b.view from snapshot_start b
            where ${earlier("b")} and b.index = (select n.index from snapshot_start n
              where ${earlier("n")} order by n.index desc limit 1)
            order by b.name, b.fingerprint limit 1) p on true
          order by k.position`
      }),
      (found) => found.map(toPredecessor)
    )
  }
