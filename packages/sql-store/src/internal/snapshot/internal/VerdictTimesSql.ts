/** Verdicts over time on PostgreSQL: what a board and a timeline read. */
import type { EnvironmentRef } from "@attestry/core/Environment"
import { EnvironmentId, type OrgId } from "@attestry/core/Identifier"
import type { RecentVerdicts } from "@attestry/core/SnapshotStore"
import type { StoreError } from "@attestry/core/StoreError"
import type { TimelineSnapshot } from "@attestry/core/TimelineColumns"
import { Timestamp } from "@attestry/core/Timestamp"
import { Verdict } from "@attestry/core/Verdict"
import type { Period } from "@attestry/core/VerdictRuns"
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

/** `ReadModels.recentVerdicts`. */
export const recent =
  (sql: SqlClient, rows: TenantQueries) =>
  (
    org: OrgId,
    environments: ReadonlyArray<EnvironmentId>,
    since: Timestamp
  ): Effect.Effect<ReadonlyMap<EnvironmentId, RecentVerdicts>, StoreError> =>
    Effect.map(
      rows.list(RecentRow, {
        operation: "ReadModels.recentVerdicts",
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

const VERDICTS: { readonly [letter: string]: Verdict } = {
  C: "Compliant",
  N: "NonCompliant",
  U: "Unknown"
}

const Letter = Schema.Literal("C", "N", "U")

/** WHY a list and a text: a hundred thousand rows cost several times as much. */
const HistoryRow = Schema.Struct({
  before: Schema.NullOr(Schema.Tuple(Schema.Int, Timestamp, Letter)),
  first_index: Schema.NullOr(Schema.Int),
  instants: Schema.NullOr(Schema.Array(Timestamp)),
  letters: Schema.NullOr(Schema.String.pipe(Schema.pattern(/^[CNU]*$/)))
})

/** INVARIANT: indexes have no gaps, and instants rise with them. */
const toSnapshots = (row: typeof HistoryRow.Type): ReadonlyArray<TimelineSnapshot> => {
  const verdictOf = (letter: string) => VERDICTS[letter] ?? "Unknown"
  const [index, timestamp, letter] = row.before ?? []
  const inside = (row.instants ?? []).map((instant, at) => ({
    index: (row.first_index ?? 0) + at,
    timestamp: instant,
    verdict: verdictOf(row.letters?.charAt(at) ?? "")
  }))
  return index === undefined || timestamp === undefined || letter === undefined
    ? inside
    : [{ index, timestamp, verdict: verdictOf(letter) }, ...inside]
}

/** `ReadModels.timelineSnapshots`. */
export const verdicts =
  (sql: SqlClient, rows: TenantQueries) =>
  (
    { org, environment }: EnvironmentRef,
    { from, to }: Period
  ): Effect.Effect<ReadonlyArray<TimelineSnapshot>, StoreError> =>
    Effect.map(
      rows.first(HistoryRow, {
        operation: "ReadModels.timelineSnapshots",
        org,
        statement: sql`select (select json_build_array(b.index, b.timestamp, left(b.verdict, 1))
            from snapshot b where b.org_id = ${org} and b.environment_id = ${environment}
              and b.timestamp <= ${from} order by b.timestamp desc limit 1) as before,
            min(k.index) as first_index, json_agg(k.timestamp) as instants,
            string_agg(left(k.verdict, 1), '') as letters
          from (select s.index, s.timestamp, s.verdict from snapshot s
            where s.org_id = ${org} and s.environment_id = ${environment}
              and s.timestamp > ${from} and s.timestamp < ${to}
            order by s.timestamp) k`
      }),
      Option.match({ onNone: () => [], onSome: toSnapshots })
    )
