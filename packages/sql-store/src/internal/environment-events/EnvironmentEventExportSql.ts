/**
 * `EnvironmentEventExport` on PostgreSQL, which prints the lines itself. The server passes the bytes on, so that a log
 * of any length streams.
 *
 * INVARIANT: the bytes are those of core's `EnvironmentEvents`; `EnvironmentEventExportSuite` compares the two. Lines
 * come bucket by bucket: the rows of a bucket lie together, and are as many as its changes, so reading them all and
 * joining costs half of looking each up by its key.
 */
import { type AuditLogQuery, EnvironmentEventExport } from "@attestry/core/EnvironmentEventExport"
import { NO_PROVENANCE } from "@attestry/core/EnvironmentEvents"
import { isUnstorable } from "@attestry/core/StorableText"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { COPY_ARGUMENTS, Driver } from "../transaction/Driver.js"

/** As core does: a spreadsheet would run such a cell, and names come from outside. */
const FORMULA = "'^[-=+@\\t\\r]'"
const NEEDS_QUOTES = `'[",\\r\\n]'`
const NEEDS_CARE = `'^[-=+@\\t\\r]|[",\\r\\n]'`

/** A cell, as `printCell` prints it; most texts need no care. */
const cell = (text: string): string => `(case when ${text} ~ ${NEEDS_CARE} then
    case when ${text} ~ ${NEEDS_QUOTES} then '"' else '' end
    || case when ${text} ~ ${FORMULA} then '''' else '' end || replace(${text}, '"', '""')
    || case when ${text} ~ ${NEEDS_QUOTES} then '"' else '' end
  else ${text} end)`

/** A verdict, as `Verdict.toWord` prints it. */
const word = (verdict: string): string => `(case ${verdict}
  when 'Compliant' then 'true' when 'NonCompliant' then 'false' else 'unknown' end)`

/**
 * Seconds as JavaScript prints them. WHY two ways: PostgreSQL prints the same digits, but takes to exponents
 * below a ten-thousandth.
 */
const seconds = (micros: string): string => `(case when abs(${micros}) < 100
  then trim_scale(${micros} * 0.000001)::text else (${micros}::float8 / 1000000)::text end)`

const iso = (micros: string): string => `to_char(
  timestamp 'epoch' + ${micros} * interval '1 microsecond', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

const instances = (count: string): string =>
  `${count} || case ${count} when '1' then ' instance' else ' instances' end`

/** WHY lists of texts: a filter that is absent is null, and lets everything through. */
const list = (name: string): string =>
  `case when q ? '${name}' then array(select jsonb_array_elements_text(q -> '${name}')) end as ${name}`

const asked = `select current_setting('attestry.org_id') as org, q ->> 'environment' as environment,
    ${cell("q ->> 'name'")} as name, (q ->> 'first')::int4 as first, (q ->> 'last')::int4 as last,
    ${list("classes")}, ${list("flows")}, ${list("repos")},
    (select e.type = 'logical' from environment e
      where e.org_id = current_setting('attestry.org_id')
        and e.environment_id = q ->> 'environment') as is_logical
  from (select ${COPY_ARGUMENTS}) as asked (q)`

/**
 * The names of the org's flows by their ids. WHY at once: an id that is taken out of a document is not looked up in
 * an index of a table with row-level security, so each row would read all flows.
 */
const known = `select coalesce(jsonb_object_agg(w.flow_id, w.name), '{}') as names
  from asked a join flow w on w.org_id = a.org`

/** WHY `offset 0`, here and below: the inner query is run as it stands, by the key of its table. */
const batches = `select s.bucket, min(s.index) as first, max(s.index) as last
  from asked a cross join lateral (select s.bucket, s.index from snapshot s
    where s.org_id = a.org and s.environment_id = a.environment
      and s.index between a.first and a.last offset 0) s
  group by s.bucket order by s.bucket`

const heads = `select s.index, ${cell("t.seconds")} || ',' || ${iso("s.timestamp")} || ',' || a.name
    || ',' || s.index || ',' as head, ',' || ${word("s.verdict")} || ',' as tail
  from snapshot s cross join lateral (select ${seconds("s.timestamp")} as seconds offset 0) t
  where s.org_id = a.org and s.environment_id = a.environment
    and s.index between b.first and b.last offset 0`

const ROW = "r.row_no, r.name, r.fingerprint, r.verdict, r.flows_digest"

/**
 * The rows of a bucket, and those of the one before that exited where this one begins. A logical environment
 * has none: the rows of its events are those of its members, each wanted once.
 */
const rows = `select ${ROW} from snapshot_row r
    where r.org_id = a.org and r.environment_id = a.environment and r.bucket = b.bucket
  union all
  select r.* from snapshot_event e cross join lateral (select ${ROW} from snapshot_row r
      where r.org_id = a.org and r.environment_id = a.environment and r.bucket = b.bucket - 1
        and r.row_no = e.row_no offset 0) r
    where e.org_id = a.org and e.environment_id = a.environment and e.index = b.first
      and e.bucket = b.bucket - 1
  union all
  select r.* from (select distinct e.member_id, e.bucket, e.row_no from snapshot_event e
      where a.is_logical and e.org_id = a.org and e.environment_id = a.environment
        and e.index between b.first and b.last) e
    cross join lateral (select ${ROW} from snapshot_row r
      where r.org_id = a.org and r.environment_id = e.member_id and r.bucket = e.bucket
        and r.row_no = e.row_no offset 0) r`

const events = `select e.index::int8 << 32 | e.position as place, e.class, e.type,
    e.was::text as was, e.now::text as now, s.head, s.tail, r.name, r.fingerprint, r.verdict,
    r.flows_digest
  from (select e.index, e.position, e.type, e.was, e.now, e.row_no, case when e.type = 'exited'
        then 'exited' when e.type like 'started-%' then 'started' else 'changed' end as class
      from snapshot_event e where e.org_id = a.org and e.environment_id = a.environment
        and e.index between b.first and b.last) e
  join (${heads}) s on s.index = e.index
  join (${rows}) r on r.row_no = e.row_no
  where a.classes is null or e.class = any (a.classes)`

/** The flows of the rows of a bucket: each digest is read once. */
const provenance = `select d.flows_digest,
    (a.flows is null or v.names && a.flows) and (a.repos is null or v.repos && a.repos) as wanted,
    ${cell("v.flow_names")} || ',' || ${cell("v.git_commit")} || ',' || ${cell("v.commit_url")}
      || ',' || ${cell("v.repo_names")} || ',' as cells
  from (select distinct e.flows_digest from event e where e.flows_digest is not null) d
  cross join known k
  cross join lateral (select f.flows from snapshot_flows f
    where f.org_id = a.org and f.digest = d.flows_digest offset 0) f
  cross join lateral (select n.names, n.repos, array_to_string(n.names, ';') as flow_names,
      array_to_string(n.repos, ';') as repo_names,
      coalesce(f.flows -> 0 ->> 'git_commit', '') as git_commit,
      coalesce(f.flows -> 0 ->> 'commit_url', '') as commit_url
    from (select
        array(select coalesce(k.names ->> (v.view ->> 'flow_id'), '')
          from jsonb_array_elements(f.flows) with ordinality as v (view, position)
          order by v.position) as names,
        array(select v.view #>> '{repo,name}'
          from jsonb_array_elements(f.flows) with ordinality as v (view, position)
          where v.view #>> '{repo,name}' is not null
          group by v.view #>> '{repo,name}' order by min(v.position)) as repos) n offset 0) v`

const line = `e.head || e.class || ',' || e.type || ',' || ${cell("e.name")} || ',' || e.fingerprint
  || ',' || e.was || ',' || e.now || ',' || ${word("e.verdict")} || e.tail
  || coalesce(p.cells, ',,,,') || case e.class
    when 'started' then ${instances("e.now")} || ' started running (from ' || e.was || ' to ' || e.now
      || E')\\r\\n'
    when 'exited' then ${instances("e.was")} || ' stopped running (from ' || e.was || ' to ' || e.now
      || E')\\r\\n'
    else ${instances("e.now")} || E' changed\\r\\n' end`

/** INVARIANT: a lateral join takes its outer rows in their order, so buckets come oldest first. */
const LINES = `with asked as materialized (${asked}), known as materialized (${known}),
    batch as materialized (${batches})
  select l.lines from asked a cross join batch b cross join lateral (
    with event as materialized (${events}), provenance as materialized (${provenance})
    select string_agg(${line}, '' order by e.place) as lines
    from event e left join provenance p on p.flows_digest = e.flows_digest
    where case when e.flows_digest is null
      then (a.flows is null or '${NO_PROVENANCE}' = any (a.flows)) and a.repos is null
      else p.wanted end
  ) l where l.lines is not null`

/**
 * WHY: within a bucket everything is read anyway, so joining by hash is right whatever statistics say; and an
 * export takes one core and no more.
 */
const SETTINGS = {
  enable_nestloop: "off",
  enable_mergejoin: "off",
  jit: "off",
  max_parallel_workers_per_gather: "0"
}

// WHY the filter: PostgreSQL stores no such text, so nothing has such a name.
const given = (name: string, values: ReadonlySet<string> | undefined) =>
  values === undefined ? {} : { [name]: [...values].filter((value) => !isUnstorable(value)) }

const toArguments = ({ environment, span, filter }: AuditLogQuery) => ({
  name: environment,
  first: span.first,
  last: span.last,
  ...given("classes", filter.eventClasses),
  ...given("flows", filter.flowNames),
  ...given("repos", filter.repoNames)
})

/** `EnvironmentEventExport` on PostgreSQL. */
export const layer: Layer.Layer<EnvironmentEventExport, never, Driver> = Layer.effect(
  EnvironmentEventExport,
  Effect.map(Driver, ({ copyOut }) => ({
    lines: ({ org, environment }, query) =>
      copyOut({
        operation: "EnvironmentEventExport.lines",
        org,
        text: LINES,
        arguments: { environment, ...toArguments(query) },
        settings: SETTINGS
      })
  }))
)
