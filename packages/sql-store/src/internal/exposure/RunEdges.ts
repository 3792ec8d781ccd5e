/** The edges of graphs that snapshots tell of: where artifacts ran, and what they replaced. */
import type { OrgId } from "@attestry/core/Identifier"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { EdgeBranch } from "./EdgeBranch.js"

const TIMES = `max(x.from_at) as at, min(x.from_at) as since,
  case when bool_and(x.to_at is not null) then max(x.to_at) end as until`

/** The places of starts of an artifact `s.key`: the flows and slots of its records, in each environment. */
const STARTS = `(select distinct a.flow_id, a.slot from artifact a
    where a.org_id = x.org_id and a.fingerprint = s.key) p
  cross join lateral (select from snapshot_start b where b.org_id = x.org_id
    and b.environment_id = x.environment_id and b.flow_id = p.flow_id and b.slot = p.slot
    and b.index = x.first_index and b.name = x.name and b.fingerprint = s.key offset 0) b`

/** A start `b` or `n` in the same place. */
const samePlace = (alias: "b" | "n" | "q") => `${alias}.org_id = x.org_id
  and ${alias}.environment_id = x.environment_id and ${alias}.flow_id = p.flow_id
  and ${alias}.slot = p.slot`

/** What ran there before: the index first and by itself, as for deployments. */
const BEFORE = `(select q.fingerprint from snapshot_start q
  where ${samePlace("q")} and q.fingerprint <> s.key
    and q.index = (select n.index from snapshot_start n
      where ${samePlace("n")} and n.index < x.first_index and n.fingerprint <> s.key
      order by n.index desc limit 1)
  order by q.name, q.fingerprint limit 1)`

/**
 * What came there next, where `s.key` is what ran before it. INVARIANT: of starts after one another in a place, the
 * second has its predecessor among those of the first, which are the last before it.
 */
const AFTER = `(select q.fingerprint, q.index from snapshot_start q
  where ${samePlace("q")} and q.fingerprint <> s.key
    and q.index = (select n.index from snapshot_start n
      where ${samePlace("n")} and n.index > x.first_index order by n.index limit 1)
    and s.key = (select b.fingerprint from snapshot_start b
      where ${samePlace("b")} and b.index = x.first_index and b.fingerprint <> q.fingerprint
      order by b.name, b.fingerprint limit 1)
  offset 0)`

/** WHY whole first: an index of active environments by name would be read instead of the key. */
const PLACE = `(select e.archived_at from environment e where e.org_id = x.org_id
  and e.environment_id = x.environment_id offset 0)`

/** The branches of the statement about what ran. */
export const of = (sql: SqlClient, org: OrgId, reach: number): ReadonlyArray<EdgeBranch> => {
  const times = sql.literal(TIMES)
  const own = sql`exposure x cross join lateral ${sql.literal(PLACE)} e`
  const isOwn = sql`x.org_id = ${org} and x.fingerprint = s.key and e.archived_at is null`
  return [
    {
      type: "ran_in",
      node: "artifact",
      side: "from",
      other: "environment",
      isTimed: true,
      rows: sql`select x.environment_id as other, ${times} from ${own}
        where ${isOwn} group by x.environment_id`
    },
    {
      type: "ran_in",
      node: "environment",
      side: "to",
      other: "artifact",
      isTimed: true,
      // WHY deployments: they are in the order of time for each environment, and exposures are not.
      rows: sql`select d.fingerprint as other, t.at, t.since, t.until
        from (select distinct r.fingerprint from (select d.fingerprint from deployment d
            where d.org_id = ${org} and d.environment_id = s.key
            order by d.timestamp desc limit ${reach}) r) d
        cross join lateral (select ${times} from exposure x where x.org_id = ${org}
          and x.fingerprint = d.fingerprint and x.environment_id = s.key offset 0) t
        cross join lateral (select e.archived_at from environment e
          where e.org_id = ${org} and e.environment_id = s.key offset 0) e
        where t.at is not null and e.archived_at is null`
    },
    {
      type: "replaced",
      node: "artifact",
      side: "from",
      other: "artifact",
      isTimed: true,
      rows: sql`select o.fingerprint as other, min(x.from_at) as at, min(x.from_at) as since,
          null::int8 as until
        from ${own} cross join lateral ${sql.literal(STARTS)}
        cross join lateral ${sql.literal(BEFORE)} o
        where ${isOwn} group by o.fingerprint`
    },
    {
      type: "replaced",
      node: "artifact",
      side: "to",
      other: "artifact",
      isTimed: true,
      rows: sql`select o.fingerprint as other, min(h.timestamp) as at, min(h.timestamp) as since,
          null::int8 as until
        from ${own} cross join lateral ${sql.literal(STARTS)}
        cross join lateral ${sql.literal(AFTER)} o
        cross join lateral (select h.timestamp from snapshot h where h.org_id = x.org_id
          and h.environment_id = x.environment_id and h.index = o.index offset 0) h
        where ${isOwn} group by o.fingerprint`
    }
  ]
}
