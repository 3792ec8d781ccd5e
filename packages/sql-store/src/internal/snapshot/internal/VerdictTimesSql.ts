/** Verdicts over time on PostgreSQL: what a board and a timeline read. */
import type { EnvironmentRef } from "@attestry/core/Environment"
import { EnvironmentId, type OrgId } from "@attestry/core/Identifier"
import type { RecentVerdicts } from "@attestry/core/SnapshotStore"
import type { StoreError } from "@attestry/core/StoreError"
import {
  BANDS_MAX,
  endOf,
  type TimelineParts,
  type TimelineWindow
} from "@attestry/core/TimelineColumns"
import { Timestamp } from "@attestry/core/Timestamp"
import { Verdict } from "@attestry/core/Verdict"
import type { SqlClient } from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { TenantQueries } from "../../shared/TenantQueries.js"

const RecentRow = Schema.Struct({
  environment_id: EnvironmentId,
  index: Schema.Int,
  timestamp: Timestamp,
  verdict: Verdict,
  count_true: Schema.Int,
  count_false: Schema.Int,
  count_null: Schema.Int,
  verdict_since: Timestamp,
  runs: Schema.Array(Schema.Tuple(Timestamp, Verdict))
})

const toRecent = (row: typeof RecentRow.Type): RecentVerdicts => ({
  latest: {
    index: row.index,
    timestamp: row.timestamp,
    verdict: row.verdict,
    counts: { true: row.count_true, false: row.count_false, null: row.count_null }
  },
  verdictSince: row.verdict_since,
  runs: row.runs.map(([from, verdict]) => ({ from, verdict }))
})

/**
 * The instant since which the verdict of the snapshot `s` is in force. WHY the words of verdicts: the index finds the
 * last snapshot of each other verdict at once, however long the verdict has been in force.
 */
const SINCE = `select n.timestamp from snapshot n where n.org_id = s.org_id
    and n.environment_id = s.environment_id and n.index > coalesce((select max(o.index)
      from unnest(array['Compliant', 'NonCompliant', 'Unknown']) as other (verdict)
      cross join lateral (select b.index from snapshot b where b.org_id = s.org_id
        and b.environment_id = s.environment_id collate "POSIX" and b.verdict = other.verdict
        order by b.index desc limit 1) o
      where other.verdict <> s.verdict), 0)
    order by n.index limit 1`

/** `SnapshotStore.recent`. */
export const recent =
  (sql: SqlClient, rows: TenantQueries) =>
  (
    org: OrgId,
    environments: ReadonlyArray<EnvironmentId>,
    since: Timestamp
  ): Effect.Effect<ReadonlyMap<EnvironmentId, RecentVerdicts>, StoreError> =>
    Effect.map(
      rows.list(RecentRow, {
        operation: "SnapshotStore.recent",
        org,
        from: "list",
        statement: sql`select s.environment_id, s.index, s.timestamp, s.verdict, s.count_true, s.count_false,
            s.count_null, (${sql.literal(SINCE)}) as verdict_since, (select json_agg(json_build_array(
                r.timestamp, r.verdict) order by r.timestamp)
              from (select d.timestamp, d.verdict, lag(d.verdict) over (order by d.timestamp) as before
                from snapshot d where d.org_id = s.org_id and d.environment_id = s.environment_id
                  and d.timestamp >= coalesce((select b.timestamp from snapshot b
                    where b.org_id = s.org_id and b.environment_id = s.environment_id
                      and b.timestamp <= ${since} order by b.timestamp desc limit 1), ${since})) r
              where r.verdict is distinct from r.before) as runs
          from unnest(${[...environments]}::text[]) as asked (id)
          cross join lateral (select * from snapshot l where l.org_id = ${org}
            and l.environment_id = asked.id order by l.index desc limit 1) s`
      }),
      (found) => new Map(found.map((row) => [row.environment_id, toRecent(row)]))
    )

/** WHY lists: two thousand objects would repeat their names two thousand times. */
const PartsRow = Schema.Struct({
  before: Schema.NullOr(Schema.Tuple(Schema.Int, Verdict)),
  started: Schema.NullOr(
    Schema.Array(
      Schema.Tuple(
        Schema.Int,
        Schema.Int,
        Schema.Int,
        Timestamp,
        Schema.Int,
        Verdict,
        Schema.Int,
        Schema.Int,
        Schema.Int
      )
    )
  ),
  changes: Schema.NullOr(Schema.Array(Schema.Tuple(Schema.Int, Timestamp, Verdict)))
})

const toParts = ({ before, started, changes }: typeof PartsRow.Type): TimelineParts => ({
  before: before === null ? null : { index: before[0], verdict: before[1] },
  started: (started ?? []).map(
    ([column, snapshots, first, timestamp, last, verdict, Compliant, NonCompliant, Unknown]) => ({
      column,
      snapshots,
      first: { index: first, timestamp },
      last: { index: last, verdict },
      times: { Compliant, NonCompliant, Unknown }
    })
  ),
  changes: (changes ?? []).map(([index, timestamp, verdict]) => ({ index, timestamp, verdict }))
})

const time = (verdict: Verdict) =>
  `coalesce(sum(greatest(0, least(k.next, k.column_end) - k.timestamp))
    filter (where k.verdict = '${verdict}'), 0)`

/** One column in which snapshots begin; its last snapshot is the one that nothing follows in it. */
const COLUMN = `select k.place, json_build_array(k.place, count(*), min(k.index), min(k.timestamp), max(k.index),
    min(k.verdict) filter (where k.next is null or k.next >= k.whole_end),
    ${time("Compliant")}, ${time("NonCompliant")}, ${time("Unknown")}) as entry
  from k group by k.place`

/** `SnapshotStore.timeline`. */
export const timeline =
  (sql: SqlClient, rows: TenantQueries) =>
  (
    { org, environment }: EnvironmentRef,
    window: TimelineWindow
  ): Effect.Effect<TimelineParts, StoreError> => {
    const { from, step, until } = window
    const end = endOf(window)
    return Effect.map(
      rows.first(PartsRow, {
        operation: "SnapshotStore.timeline",
        org,
        statement: sql`with earlier as materialized (
          select b.index, b.verdict from snapshot b where b.org_id = ${org}
            and b.environment_id = ${environment} and b.timestamp < ${from}
          order by b.timestamp desc limit 1
        ), k as materialized (
          select s.index, s.timestamp, s.verdict, lead(s.timestamp) over w as next,
            coalesce(lag(s.verdict) over w, (select verdict from earlier)) as previous,
            (s.timestamp - ${from}::int8) / ${step}::int8 as place,
            ${from}::int8 + ((s.timestamp - ${from}::int8) / ${step}::int8 + 1) * ${step}::int8 as whole_end,
            least(${until}::int8, ${end}::int8, ${from}::int8
              + ((s.timestamp - ${from}::int8) / ${step}::int8 + 1) * ${step}::int8) as column_end
          from snapshot s where s.org_id = ${org} and s.environment_id = ${environment}
            and s.timestamp >= ${from} and s.timestamp < ${end}
          window w as (order by s.timestamp)
        )
        select (select json_build_array(b.index, b.verdict) from earlier b) as before,
          (select json_agg(c.entry order by c.place) from (${sql.literal(COLUMN)}) c) as started,
          (select json_agg(json_build_array(c.index, c.timestamp, c.verdict) order by c.index)
            from (select * from k where k.verdict is distinct from k.previous
              order by k.index limit ${BANDS_MAX + 1}) c) as changes`
      }),
      Option.match({
        onNone: (): TimelineParts => ({ before: null, started: [], changes: [] }),
        onSome: toParts
      })
    )
  }
