/** The edges of graphs that policies tell of: what they are attached to, and the controls that they ask about. */
import type { OrgId } from "@attestry/core/Identifier"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { EdgeBranch } from "./EdgeBranch.js"

/** Since when a policy `p.id` is attached to an environment `e`. */
const SINCE = `(select max(a.from_at) from policy_attachment a where a.org_id = e.org_id
  and a.environment_id = e.environment_id and a.policy_id = p.id and a.to_position is null)`

/** The controls of the rules of a version `v`, each once. */
const ASKED = `(select distinct r.rule ->> 'for_control' as identifier
  from json_array_elements(v.dump #> '{artifacts,attestations}') as r (rule))`

/** The branches of the statement about rules. */
export const of = (sql: SqlClient, org: OrgId): ReadonlyArray<EdgeBranch> => {
  const attached = sql`cross join lateral jsonb_array_elements_text(e.policies) as p (id)
    cross join lateral (select ${sql.literal(SINCE)} as since) a`
  const latest = sql`policy p cross join lateral (select v.dump, v.timestamp from policy_version v
      where v.org_id = p.org_id and v.policy_id = p.policy_id and v.version = p.version offset 0) v
    cross join lateral ${sql.literal(ASKED)} q
    cross join lateral (select c.identifier from control c
      where c.org_id = p.org_id and c.identifier = q.identifier offset 0) c`
  return [
    {
      type: "judged_by",
      node: "environment",
      side: "from",
      other: "policy",
      isTimed: true,
      rows: sql`select p.id as other, coalesce(a.since, e.created_at) as at, a.since,
          null::int8 as until
        from (select * from environment e
          where e.org_id = ${org} and e.environment_id = s.key offset 0) e ${attached}
        where e.archived_at is null`
    },
    {
      type: "judged_by",
      node: "policy",
      side: "to",
      other: "environment",
      isTimed: true,
      rows: sql`select e.environment_id as other, coalesce(a.since, e.created_at) as at, a.since,
          null::int8 as until
        from environment e ${attached}
        where e.org_id = ${org} and e.archived_at is null and p.id = s.key`
    },
    {
      type: "asks_about",
      node: "policy",
      side: "from",
      other: "control",
      rows: sql`select c.identifier as other, v.timestamp as at from ${latest}
        where p.org_id = ${org} and p.policy_id = s.key`
    },
    {
      type: "asks_about",
      node: "control",
      side: "to",
      other: "policy",
      rows: sql`select p.policy_id as other, v.timestamp as at from ${latest}
        where p.org_id = ${org} and c.identifier = s.key`
    }
  ]
}
