/** What is shown of the nodes of a graph, as one statement. */
import { type NodeDescription, type NodeKey, NodeType } from "@attestry/core/Graph"
import { FlowName, type OrgId, TrailName } from "@attestry/core/Identifier"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as Schema from "effect/Schema"

/** A row of the statement. */
export const Row = Schema.Struct({
  type: NodeType,
  key: Schema.String,
  label: Schema.String,
  flow: Schema.NullOr(FlowName),
  trail: Schema.NullOr(TrailName),
  compliant: Schema.NullOr(Schema.Boolean)
})

/** The description of a row. */
export const toDescription = ({ key, type, ...shown }: typeof Row.Type): NodeDescription => ({
  node: { type, key },
  ...shown
})

const FLOW = "(select w.name from flow w where w.org_id = t.org_id and w.flow_id = t.flow_id)"

/** The newest record of an artifact. WHY `offset 0`: it is found by the artifact, and not by its age. */
const NEWEST = `(select a.* from (select a.sequence, a.artifact_id, a.trail_id,
    a.report ->> 'filename' as filename from artifact a
    where a.org_id = o.id and a.fingerprint = s.key offset 0) a
  order by a.sequence desc limit 1)`

/** The name under which an artifact started last. */
const STARTED = `(select x.name from (select x.name, x.from_at from exposure x
    cross join lateral (select e.archived_at from environment e where e.org_id = x.org_id
      and e.environment_id = x.environment_id offset 0) e
    where x.org_id = o.id and x.fingerprint = s.key and e.archived_at is null offset 0) x
  order by x.from_at desc, x.name limit 1)`

const COMPLIANT = `(select (one.status ->> 'is_compliant')::boolean
  from trail_evaluation v, json_array_elements(v.record_statuses) as one (status)
  where v.org_id = o.id and v.trail_id = r.trail_id
    and one.status ->> 'artifact_id' = r.artifact_id limit 1)`

/** WHY the second condition: nearly always it is false. */
const PENDING = `e.is_pending or (exists (select from policy_change c where c.org_id = o.id)
  and exists (select from environment_behind b where b.org_id = o.id and b.environment_id = s.key))`

/** The columns after the key, which is `s.key`; the org is `o.id`. */
const COLUMNS: { readonly [type in NodeType]: string } = {
  artifact: `coalesce(r.filename, ${STARTED}, left(s.key, 12)), null, null, ${COMPLIANT}`,
  trail: `t.name, ${FLOW}, t.name, (select v.status = 'COMPLIANT' from trail_evaluation v
    where v.org_id = t.org_id and v.trail_id = t.trail_id)`,
  flow: "t.name, t.name, null, null",
  commit: "left(s.key, 7), null, null, null",
  attestation: `a.name, ${FLOW}, t.name, a.is_compliant`,
  environment: `e.name, null, null, case when ${PENDING} then null
    when e.verdict = 'Compliant' then true when e.verdict = 'NonCompliant' then false end`,
  policy: "p.name, null, null, null",
  control: "c.name, null, null, null"
}

/** Where the columns come from. WHY `offset 0`: each is found by its key, and no table is joined whole. */
const JOINED: { readonly [type in NodeType]: string } = {
  artifact: `left join lateral ${NEWEST} r on true`,
  trail: `cross join lateral (select * from trail t
    where t.org_id = o.id and t.trail_id = s.key offset 0) t`,
  flow: `cross join lateral (select * from flow t
    where t.org_id = o.id and t.flow_id = s.key offset 0) t`,
  commit: "",
  attestation: `cross join lateral (select * from attestation a
      where a.org_id = o.id and a.attestation_id = s.key offset 0) a
    cross join lateral (select * from trail t
      where t.org_id = a.org_id and t.trail_id = a.trail_id offset 0) t`,
  environment: `cross join lateral (select * from (select * from environment e
    where e.org_id = o.id and e.environment_id = s.key offset 0) e where e.archived_at is null) e`,
  policy: `cross join lateral (select * from policy p
    where p.org_id = o.id and p.policy_id = s.key offset 0) p`,
  control: `cross join lateral (select * from control c
    where c.org_id = o.id and c.identifier = s.key offset 0) c`
}

/** The statement for these nodes; undefined for none. */
export const statement = (
  sql: SqlClient,
  org: OrgId,
  nodes: ReadonlyArray<NodeKey>
): Fragment | undefined =>
  NodeType.literals
    .map((type) => ({ type, keys: nodes.filter((one) => one.type === type).map(({ key }) => key) }))
    .filter(({ keys }) => keys.length > 0)
    .map(
      ({ keys, type }) => sql`select ${type}::text as type, n.key, n.label::text as label,
          n.flow::text as flow, n.trail::text as trail, n.compliant::boolean as compliant
        from (select s.key, ${sql.literal(COLUMNS[type])}
          from (select ${org}::text as id) o cross join unnest(${[...keys]}::text[]) as s (key)
            ${sql.literal(JOINED[type])}) n (key, label, flow, trail, compliant)`
    )
    .reduce<Fragment | undefined>(
      (all, one) => (all === undefined ? one : sql`${all} union all ${one}`),
      undefined
    )
