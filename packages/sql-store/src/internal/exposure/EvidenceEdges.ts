/** The edges of graphs that records, trails and attestations tell of. Each is one branch of a statement. */
import type { OrgId } from "@attestry/core/Identifier"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { EdgeBranch } from "./EdgeBranch.js"

/** Same name, type and target, on the same trail. */
const SAME = `y.org_id = x.org_id and y.trail_id = x.trail_id and y.name = x.name and y.type = x.type
  and y.fingerprint is not distinct from x.fingerprint and y.slots @> x.slots and y.slots <@ x.slots`

const COMMIT = "t.details #>> '{git_commit_info,sha1}'"

/** WHY `offset 0`: what is read by its key must not be read by its age, whatever the planner expects. */
const records = (sql: SqlClient, org: OrgId, reach: number): ReadonlyArray<EdgeBranch> => [
  {
    type: "recorded_in",
    node: "artifact",
    side: "from",
    other: "trail",
    rows: sql`select a.trail_id as other, max(a.created_at) as at from artifact a
      where a.org_id = ${org} and a.fingerprint = s.key group by a.trail_id`
  },
  {
    type: "recorded_in",
    node: "trail",
    side: "to",
    other: "artifact",
    rows: sql`select a.fingerprint as other, max(a.created_at) as at from artifact a
      where a.org_id = ${org} and a.trail_id = s.key group by a.fingerprint`
  },
  {
    type: "of",
    node: "trail",
    side: "from",
    other: "flow",
    rows: sql`select t.flow_id as other, t.created_at as at from trail t
      where t.org_id = ${org} and t.trail_id = s.key`
  },
  {
    type: "of",
    node: "flow",
    side: "to",
    other: "trail",
    rows: sql`select t.trail_id as other, t.created_at as at from trail t
      where t.org_id = ${org} and t.flow_id = s.key order by t.ordinal desc limit ${reach}`
  },
  {
    type: "builds",
    node: "trail",
    side: "from",
    other: "commit",
    rows: sql`select b.other, max(b.at) as at from (
        select a.git_commit as other, a.created_at as at from artifact a
          where a.org_id = ${org} and a.trail_id = s.key
        union all select ${sql.literal(COMMIT)}, t.created_at from trail t
          where t.org_id = ${org} and t.trail_id = s.key) b
      where b.other is not null group by b.other`
  },
  {
    type: "builds",
    node: "commit",
    side: "to",
    other: "trail",
    rows: sql`select b.other, max(b.at) as at from (
        select a.trail_id as other, a.created_at as at from artifact a
          where a.org_id = ${org} and a.git_commit = s.key
        union all select t.trail_id, t.created_at from trail_commit c
          cross join lateral (select t.trail_id, t.created_at, t.details from trail t
            where t.org_id = c.org_id and t.trail_id = c.trail_id offset 0) t
          where c.org_id = ${org} and c.sha = s.key and ${sql.literal(COMMIT)} = s.key) b
      group by b.other`
  }
]

const attestations = (sql: SqlClient, org: OrgId): ReadonlyArray<EdgeBranch> => [
  {
    type: "about",
    node: "artifact",
    side: "to",
    other: "attestation",
    rows: sql`select a.attestation_id as other, a.created_at as at from attestation a
      where a.org_id = ${org} and a.fingerprint collate "POSIX" = s.key`
  },
  {
    type: "about",
    node: "trail",
    side: "to",
    other: "attestation",
    rows: sql`select a.attestation_id as other, a.created_at as at from attestation a
      where a.org_id = ${org} and a.trail_id = s.key and a.fingerprint is null`
  },
  {
    type: "about",
    node: "attestation",
    side: "from",
    other: "artifact",
    rows: sql`select a.fingerprint as other, a.created_at as at from attestation a
      where a.org_id = ${org} and a.attestation_id = s.key and a.fingerprint is not null`
  },
  {
    type: "about",
    node: "attestation",
    side: "from",
    other: "trail",
    rows: sql`select a.trail_id as other, a.created_at as at from attestation a
      where a.org_id = ${org} and a.attestation_id = s.key and a.fingerprint is null`
  },
  {
    type: "overrides",
    node: "attestation",
    side: "from",
    other: "attestation",
    rows: sql`select o.attestation_id as other, x.created_at as at from attestation x
      cross join lateral (select b.attestation_id from (select y.attestation_id, y.sequence
          from attestation y
          where ${sql.literal(SAME)} and y.sequence < x.sequence offset 0) b
        order by b.sequence desc limit 1) o
      where x.org_id = ${org} and x.attestation_id = s.key and x.is_override`
  },
  {
    type: "overrides",
    node: "attestation",
    side: "to",
    other: "attestation",
    rows: sql`select o.attestation_id as other, o.created_at as at from attestation x
      cross join lateral (select b.* from (select y.attestation_id, y.created_at, y.is_override,
            y.sequence from attestation y
          where ${sql.literal(SAME)} and y.sequence > x.sequence offset 0) b
        order by b.sequence limit 1) o
      where x.org_id = ${org} and x.attestation_id = s.key and o.is_override`
  }
]

const decisions = (sql: SqlClient, org: OrgId, reach: number): ReadonlyArray<EdgeBranch> => [
  {
    type: "decides",
    node: "attestation",
    side: "from",
    other: "control",
    rows: sql`select c.identifier as other, a.created_at as at from attestation a
      cross join lateral (select c.identifier from control c
        where c.org_id = a.org_id and c.identifier = a.body ->> 'control' offset 0) c
      where a.org_id = ${org} and a.attestation_id = s.key and a.type = 'decision'`
  },
  {
    type: "decides",
    node: "control",
    side: "to",
    other: "attestation",
    rows: sql`select a.attestation_id as other, a.created_at as at from attestation a
      where a.org_id = ${org} and a.type = 'decision' and a.body ->> 'control' = s.key
        and exists (select from control c where c.org_id = ${org} and c.identifier = s.key)
      order by a.sequence desc limit ${reach}`
  }
]

/** The branches of the statement about evidence. */
export const of = (sql: SqlClient, org: OrgId, reach: number): ReadonlyArray<EdgeBranch> => [
  ...records(sql, org, reach),
  ...attestations(sql, org),
  ...decisions(sql, org, reach)
]
