/**
 * Benchmarks 12, 13 and 14: reading one snapshot of a long history, and what that history weighs.
 *
 * Five policies are attached and pods restart. Short histories are made by real reports; a loaded one must
 * be stored as they are, and the long one must answer alike where they overlap.
 * Latencies are wall-clock medians, interleaved; pages touched and bytes are counted. An answer is mostly
 * decisions of policies; the rows alone are also read by the store, against full copies (`lib/row-reads`).
 */
import pg from "pg"
import { startDeployment } from "./lib/deployment.mjs"
import {
  agree,
  fill,
  podsReport,
  REPLACED,
  RESTARTED,
  ROWS,
  restartsAt,
  storedAlike,
  versionAt
} from "./lib/history.mjs"
import { get, line, median, timed } from "./lib/http.mjs"
import { compareReads, copyWhole, pagesOf, refOf, wholeSnapshots } from "./lib/row-reads.mjs"

const SHORT = 100
/** Enough reports for the rows to be carried into a new bucket. */
const SAMPLED = 230
const LONG = Number(process.env.BENCH_SNAPSHOTS ?? 100_000)
const SAMPLES = Number(process.env.BENCH_SAMPLES ?? 25)
/** How often the rows of each snapshot are read in each way; a third of it is for warming up. */
const ROUNDS = 9
const COPIES = 200
const MINIMAL = 2_000

const POLICY = `
_schema: https://attestry.example/schemas/policy/v1
artifacts:
  provenance:
    required: true
  trail-compliance:
    required: true
  attestations:
    - name: "*"
      type: pull_request
    - name: unit
      type: junit
`

/** The long one comes last: in the midst of others its leaves of indexes would be about half full. */
const ENVIRONMENTS = ["short", "reported", "loaded", "brief", "long"]

const moment = (index) =>
  `@{${new Date(1_700_000_000_000 + index * 1000).toISOString().slice(0, 19)}}`

/** Where snapshots are read: at both ends and in the middle. */
const PLACES = { start: 30, middle: LONG / 2 + 30, end: LONG - 10 }

/** 12 and 13: by number and by moment. */
const readPlaces = async (read) => {
  for (const [place, index] of Object.entries(PLACES)) {
    const [short, long, at] = [[], [], []]
    for (let sample = 0; sample < SAMPLES; sample++) {
      short.push(await timed(() => read("short", `${(sample % 40) + 30}`)))
      long.push(await timed(() => read("long", `${index - (sample % 20)}`)))
      at.push(await timed(() => read("long", moment(index - (sample % 20)))))
    }
    const [ours, base, then] = [median(long), median(short), median(at)]
    line(
      `12 snapshot by number, ${place} of ${LONG} [ms]`,
      `${ours.toFixed(1)}; of ${SHORT}: ${base.toFixed(1)}; ratio ${(ours / base).toFixed(2)}`,
      { goal: 1.2, isReached: ours / base <= 1.2 }
    )
    line(
      `13 snapshot at a moment, ${place} of ${LONG} [ms]`,
      `${then.toFixed(1)}; by number: ${ours.toFixed(1)}; ratio ${(then / ours).toFixed(2)}`,
      { goal: 1.2, isReached: then / ours <= 1.2 }
    )
  }
}

const TABLES = [
  "snapshot",
  "snapshot_row",
  "snapshot_event",
  "snapshot_flows",
  "snapshot_decisions",
  "snapshot_policies"
]

const bytesOf = async (database) => {
  const sizes = TABLES.map((table) => `pg_total_relation_size('${table}')`).join(" + ")
  return Number((await database.query(`select ${sizes} as bytes`)).rows[0].bytes)
}

/** When and where a row runs, under the names that answers have. */
const NAMED = `jsonb_build_object('name', r.name, 'fingerprint', r.fingerprint, 'verdict', r.verdict,
  'creationTimestamp', d.doc -> 0, 'pods', (select jsonb_object_agg(p ->> 0, jsonb_build_object(
    'namespace', p -> 1, 'creationTimestamp', p -> 2, 'owners', (select jsonb_agg(jsonb_build_object(
      'apiVersion', o -> 0, 'kind', o -> 1, 'name', o -> 2, 'uid', o -> 3, 'controller', o -> 4,
      'blockOwnerDeletion', o -> 5)) from jsonb_array_elements(p -> 3) o)))
    from jsonb_array_elements(d.doc -> 1) p))`

const DECIDED = `${NAMED} || jsonb_build_object('decisions', c.decisions)`

/** The snapshots that are read at a place, and as many that lie as far into a short history. */
const READS = 20
const around = (index) => Array.from({ length: READS }, (_, sample) => index - sample)

/** How full the bucket of a snapshot is, in rows: reading a snapshot looks at all of them. */
const bucketRows = async (database, { environment }, indexes) => {
  const { rows } = await database.query(
    `select avg((select count(*) from snapshot_row r where r.environment_id = s.environment_id
        and r.bucket = s.bucket))::float8 as rows
      from snapshot s where s.environment_id = $1 and s.index = any($2)`,
    [environment, indexes]
  )
  return rows[0].rows
}

/** 12: pages that reading the rows touches, and how long it takes against full copies. */
const readRows = async (access) => {
  const { database } = access
  const [brief, long] = [await refOf(database, "brief"), await refOf(database, "long")]
  const base = await pagesOf(access, brief, { indexes: around(SHORT - 10), tables: TABLES })
  const baseRows = await bucketRows(database, brief, around(SHORT - 10))
  for (const [place, index] of Object.entries(PLACES)) {
    const indexes = around(index)
    const pages = await pagesOf(access, long, { indexes, tables: TABLES })
    const rows = await bucketRows(database, long, indexes)
    line(
      `12 pages touched by reading the rows, ${place} of ${LONG}`,
      `${pages.toFixed(0)} (a bucket of ${rows.toFixed(0)} rows); of ${SHORT}: ${base.toFixed(0)} ` +
        `(${baseRows.toFixed(0)} rows); ratio ${(pages / base).toFixed(2)}`,
      { goal: 1.1, isReached: pages / base <= 1.1 }
    )
    for (const [name, print] of Object.entries({ "": DECIDED, " without decisions": NAMED })) {
      await copyWhole(database, { environment: long.environment, indexes, print })
      const { ours, copies } = await compareReads(access, long, { indexes, rounds: ROUNDS })
      line(
        `12 rows of a snapshot read by the store, ${place} of ${LONG} [ms]`,
        `${ours.toFixed(1)}; a full copy${name}: ${copies.toFixed(1)}; ` +
          `ratio ${(ours / copies).toFixed(2)}`,
        { goal: 1.6, isReached: ours / copies <= 1.6 }
      )
    }
  }
}

const OF_LONG = "(select environment_id from environment where name = 'long')"

/** The rows of the first snapshots as one document each, with what policies decided. */
const fullCopies = (database) =>
  database.query(
    `create temp table full_copy as
      ${wholeSnapshots(DECIDED, `s.environment_id = ${OF_LONG} and s.index <= ${COPIES}`)}`
  )

/** One row for each interval in which a row stays as it is, with numbers for ids; nothing is carried. */
const minimalRows = async (database) => {
  await database.query(`create temp table minimal as
    select 1::int4 as environment_no, min(r.first_index) as first_index,
      max(r.last_index) as last_index, ${NAMED} as doc, r.decisions_digest
    from snapshot_row r, lateral (select r.doc::jsonb as doc) d
    where r.environment_id = ${OF_LONG} and r.first_index <= ${MINIMAL + 1}
    group by r.name, r.fingerprint, r.verdict, r.decisions_digest, d.doc
    having min(r.first_index) > 1`)
  await database.query("create index on minimal (environment_no, first_index)")
  await database.query("create index on minimal (environment_no, last_index)")
}

/** 14: bytes per snapshot. */
const weigh = async (database, ours) => {
  await fullCopies(database)
  await minimalRows(database)
  const { rows } = await database.query(`select
    pg_total_relation_size('full_copy')::float8 / ${COPIES} as full,
    pg_total_relation_size('minimal')::float8 / ${MINIMAL} as minimal`)
  const { full, minimal } = rows[0]
  const name = `14 bytes per snapshot, ${LONG} × ${ROWS}, ${REPLACED} replaced, ${RESTARTED} restarted`
  line(
    name,
    `${ours.toFixed(0)}; full copies ${full.toFixed(0)}; ratio ${(ours / full).toFixed(3)}`,
    {
      goal: 0.1,
      isReached: ours / full <= 0.1
    }
  )
  line(
    name,
    `${ours.toFixed(0)}; minimal ${minimal.toFixed(0)}; ratio ${(ours / minimal).toFixed(2)}`,
    {
      goal: 2.5,
      isReached: ours / minimal <= 2.5
    }
  )
}

/** Five policies, attached before anything is reported. */
const attachPolicies = async ({ put, send }) => {
  const names = Array.from({ length: 5 }, (_, number) => `policy-${number}`)
  for (const name of names) {
    await send(put(`/policies/bench/${name}`, { policy_yaml: POLICY }))
  }
  for (const environment of ENVIRONMENTS) {
    const attaching = put(`/environments/bench/${environment}/policies`, { policy_names: names })
    await send({ ...attaching, method: "POST" })
  }
}

const report = async ({ put, send }, environment, count) => {
  for (let index = 1; index <= count; index++) {
    const body = podsReport(versionAt(index), restartsAt(index))
    await send(put(`/environments/bench/${environment}/report/K8S`, body))
  }
}

/** Runs the benchmarks. */
export const run = async () => {
  const deployment = await startDeployment()
  const { port, headers, put, send } = deployment
  const database = new pg.Client({ connectionString: deployment.databaseUrl })
  try {
    await database.connect()
    await database.query("set search_path to attestry, pg_temp")
    for (const name of ENVIRONMENTS) {
      await send(put("/environments/bench", { name, type: "K8S" }))
    }
    await attachPolicies(deployment)
    await report(deployment, "short", SHORT)
    await report(deployment, "reported", SAMPLED)
    await fill(database, "loaded", SAMPLED, { restarting: true, like: "short" })
    await storedAlike(database, ["loaded", "reported"])
    await fill(database, "brief", SHORT, { restarting: true, like: "short" })
    await database.query("vacuum full snapshot, snapshot_row, snapshot_event")
    const before = await bytesOf(database)
    await fill(database, "long", LONG, { restarting: true, like: "short" })
    const bytes = (await bytesOf(database)) - before
    const read = (environment, expression) =>
      get(port, {
        path: `/snapshots/bench/${environment}/${encodeURIComponent(expression)}`,
        headers
      })
    await agree(read, ["short", "long"], [1, 2, 3, 37, SHORT - 1, SHORT])
    await readPlaces(read)
    await readRows({ database, databaseUrl: deployment.databaseUrl })
    await weigh(database, bytes / LONG)
  } finally {
    await database.end()
    await deployment.stop()
  }
}
