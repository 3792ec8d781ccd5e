/**
 * A long history of an environment: 500 rows, of which 5 are replaced in each snapshot, or as many more as
 * `BENCH_ROWS` says. Changes are skewed: a fifth of the rows takes four of five changes, and a tenth never
 * changes. Where pods restart, those of 2 other rows have done so since the snapshot before.
 *
 * It is made by playing what appending does and copied into the tables, because making it by reports takes
 * hours; the same history can be reported, and `agree` compares the two where they overlap.
 */

import { createHash } from "node:crypto"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { from as copyFrom } from "pg-copy-streams"

const sha256 = (text) => createHash("sha256").update(text).digest("hex")

/** How many rows run: a multiple of 500. */
export const ROWS = Number(process.env.BENCH_ROWS ?? 500)
const SCALE = ROWS / 500
/** How many are replaced in each snapshot. */
export const REPLACED = 5 * SCALE

const BUSY = 100 * SCALE
const BUSY_REPLACED = 4 * SCALE
const CALM = 350 * SCALE
const OPEN = 2_147_483_647

/** Snapshots between two replacements of a row, and the place of the first one; none for rows that stay. */
const rhythmOf = (row) => {
  if (row < BUSY) return { period: BUSY / BUSY_REPLACED, phase: Math.floor(row / BUSY_REPLACED) }
  return row < BUSY + CALM
    ? { period: CALM / SCALE, phase: Math.floor((row - BUSY) / SCALE) }
    : undefined
}

/** How often a row has been replaced when a snapshot is made. */
export const versionAt = (index) => (row) => {
  const rhythm = rhythmOf(row)
  return rhythm === undefined || index < rhythm.phase + 2
    ? 0
    : Math.floor((index - 2 - rhythm.phase) / rhythm.period) + 1
}

const nameOf = (row) => `registry.example.org/team/service-${row}:1.${row}`

/** The fingerprint of a row at a version. */
export const fingerprintOf = (row, version) => sha256(`${row}/${version}`)

const ownerOf = (row) => ({
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  name: `service-${row}-${sha256(`${row}`).slice(0, 10)}`,
  uid: sha256(`uid ${row}`).slice(0, 36),
  controller: true,
  blockOwnerDeletion: true
})

const everyRow = Array.from({ length: ROWS }, (_, row) => row)

/** What such an environment reports; `restarted` says how often the pods of a row have been restarted. */
export const podsReport = (version, restarted = () => 0, rows = everyRow) => ({
  artifacts: rows.map((row) => ({
    digests: { [nameOf(row)]: fingerprintOf(row, version(row)) },
    creationTimestamp: 1_790_000_000 + row + restarted(row) * 60,
    podName: `service-${row}-${sha256(`${row}`).slice(0, 10)}-x2x9${restarted(row)}`,
    namespace: "production",
    owners: [ownerOf(row)]
  }))
})

/** How many rows have restarted pods in each snapshot. */
export const RESTARTED = 2 * SCALE

const RESTART_PERIOD = ROWS / RESTARTED

/** How often the pods of a row have been restarted when a snapshot is made. */
export const restartsAt = (index) => (row) => {
  const phase = Math.floor(row / RESTARTED)
  return index < phase + 2 ? 0 : Math.floor((index - 2 - phase) / RESTART_PERIOD) + 1
}

// As `snapshot_append` has them.
const BUCKET_TURNOVER = 4

/** The document of a row, as it is stored. */
export const storedDocument = ({ creationTimestamp, podName, namespace, owners }) =>
  JSON.stringify([
    [creationTimestamp],
    [
      [
        podName,
        namespace,
        creationTimestamp,
        owners.map((owner) => [
          owner.apiVersion,
          owner.kind,
          owner.name,
          owner.uid,
          owner.controller,
          owner.blockOwnerDeletion
        ])
      ]
    ]
  ])

const run = (first, length) => Array.from({ length }, (_, more) => first + more)

/** The rows that a snapshot replaces, and those whose pods have restarted. */
const touchedBy = (index, restarting) => {
  if (index === 1) return Array.from({ length: ROWS }, (_, row) => row)
  const busy = (index - 2) % (BUSY / BUSY_REPLACED)
  const calm = (index - 2) % (CALM / SCALE)
  const restarted = (index - 2) % RESTART_PERIOD
  return [
    ...new Set([
      ...run(busy * BUSY_REPLACED, BUSY_REPLACED),
      ...run(BUSY + calm * SCALE, SCALE),
      ...(restarting ? run(restarted * RESTARTED, RESTARTED) : [])
    ])
  ]
}

/** The number of the meaning of rules under which the history was evaluated. */
const SEMANTICS = 1

const byName = (left, right) => (left.name < right.name ? -1 : 1)

const instantOf = (index) => 1_700_000_000_000_000 + index * 1_000_000

/** Generates the reports, and passes the lines of each table to `write`. */
const play = ({ org, env, count, restarting, firstNo, firstPosition, verdict, digests }, write) => {
  const key = `${org}\t${env}`
  const counts = ["Compliant", "NonCompliant", "Unknown"].map((word) =>
    word === verdict ? ROWS : 0
  )
  const started = { Compliant: "compliant", NonCompliant: "non-compliant", Unknown: "unknown" }
  let [bucket, changes, events, next] = [0, 0, 0, firstNo]
  let kept = []
  const running = new Map()
  const open = (row, values) => {
    const opened = { row, no: next++, last: OPEN, ...values }
    kept.push(opened)
    running.set(row, opened)
    return opened
  }
  /** Writes the time in which a row ran, up to the snapshot without it. */
  const exposed = ({ row, version, born }, gone) => {
    const [from, to] = [instantOf(born), gone === undefined ? 0 : instantOf(gone)]
    const end = gone === undefined ? `\\N\t${from}\t\\N` : `${gone - 1}\t${from}\t${to}`
    const red = verdict === "NonCompliant" ? to - from : 0
    write(
      "exposure",
      `${org}\t${fingerprintOf(row, version)}\t${env}\t${born}\t${end}\t${verdict}\t${verdict}\t` +
        `${red}\t${nameOf(row)}\n`
    )
  }
  const close = () => {
    for (const { row, no, first, last, born, version, restarts } of kept) {
      const { artifacts } = podsReport(
        () => version,
        () => restarts,
        [row]
      )
      const [unit] = artifacts
      const [[name, fingerprint]] = Object.entries(unit.digests)
      write(
        "snapshot_row",
        `${key}\t${bucket}\t${no}\t${first}\t${last}\t${born}\t${name}\t` +
          `${fingerprint}\t${verdict}\t\\N\t${digests.decisions}\t${storedDocument(unit)}\n`
      )
    }
    kept = []
  }
  for (let index = 1; index <= count; index++) {
    const [versions, restarts] = [versionAt(index), restarting ? restartsAt(index) : () => 0]
    const touched = touchedBy(index, restarting).map((row) => ({ row, before: running.get(row) }))
    const oldBucket = bucket
    for (const { before } of touched) if (before !== undefined) before.last = index - 1
    const isNew = changes + touched.length > BUCKET_TURNOVER * ROWS
    if (isNew) close()
    bucket += isNew ? 1 : 0
    changes = isNew ? 0 : changes + touched.length
    const carried = isNew
      ? [...running.values()].filter(({ last }) => last === OPEN).sort((a, b) => a.no - b.no)
      : []
    const said = touched.map(({ row, before }) => {
      const version = versions(row)
      const isStart = before?.version !== version
      const after = open(row, {
        first: index,
        born: isStart ? index : before.born,
        version,
        restarts: restarts(row)
      })
      return { name: nameOf(row), isStart, before, after }
    })
    for (const { row, born, version, restarts: times } of carried) {
      open(row, { first: index, born, version, restarts: times })
    }
    const starts = said.filter(({ isStart }) => isStart).sort(byName)
    for (const { before } of starts) if (before !== undefined) exposed(before, index)
    const lines = [
      ...starts
        .filter(({ before }) => before !== undefined)
        .map(({ before }) => `${oldBucket}\t${before.no}\texited\t1\t0\tf`),
      ...starts.map(({ after }) => `${bucket}\t${after.no}\tstarted-${started[verdict]}\t0\t1\tt`)
    ]
    lines.forEach((line, position) => {
      write("snapshot_event", `${key}\t${index}\t${position + 1}\t${line}\n`)
    })
    events += lines.length
    write(
      "snapshot",
      `${key}\t${index}\t${instantOf(index)}\t${verdict}\t` +
        `${counts.join("\t")}\t${bucket}\t${changes}\t${events}\t\\N\t${digests.policies}\t` +
        `${firstPosition + index}\t${SEMANTICS}\n`
    )
  }
  close()
  for (const row of running.values()) exposed(row)
  return next
}

const COLUMNS = {
  snapshot: `org_id, environment_id, index, timestamp, verdict, count_true, count_false, count_null,
    bucket, changes, events_total, members, policies_digest, commit_position, semantics`,
  snapshot_row: `org_id, environment_id, bucket, row_no, first_index, last_index, started_index, name,
    fingerprint, verdict, flows_digest, decisions_digest, doc`,
  snapshot_event: `org_id, environment_id, index, position, bucket, row_no, type, was, now, arrived`,
  exposure: `org_id, fingerprint, environment_id, first_index, last_index, from_at, to_at,
    started_verdict, verdict, non_compliant, name`
}

/** What policies say in an environment that has reported: the same of every row. */
const judgementIn = async (database, env) => {
  const { rows } = await database.query(
    `select distinct r.verdict, r.decisions_digest, s.policies_digest from snapshot_row r
      join snapshot s on s.environment_id = r.environment_id and s.index = r.first_index
      where r.environment_id = $1`,
    [env]
  )
  if (rows.length !== 1)
    throw new Error("the rows of the reported environment have different verdicts")
  const hex = (digest) => (digest === null ? "\\N" : `\\\\x${digest.toString("hex")}`)
  const [{ verdict, decisions_digest, policies_digest }] = rows
  return { verdict, digests: { decisions: hex(decisions_digest), policies: hex(policies_digest) } }
}

/**
 * Fills an environment without snapshots, as `count` reports would have left it. `restarting`: whether pods restart.
 * Rows have the policies of the environment `like`, or none.
 */
export const fill = async (database, environment, count, { restarting = false, like } = {}) => {
  const { rows } = await database.query(
    `select org_id, environment_id, (select environment_id from environment where name = $2) as like
      from environment where name = $1`,
    [environment, like]
  )
  const [{ org_id: org, environment_id: env, like: judged }] = rows
  await database.query("select set_config('attestry.org_id', $1, false)", [org])
  const judgement =
    judged === null
      ? { verdict: "Unknown", digests: { decisions: "\\N", policies: "\\N" } }
      : await judgementIn(database, judged)
  const { rows: sequence } = await database.query(
    "select nextval('snapshot_row_sequence')::int8 as no"
  )
  const { rows: position } = await database.query(
    "select nextval('commit_position_sequence')::int8 as no"
  )
  const firstPosition = Number(position[0].no)
  const texts = Object.fromEntries(Object.keys(COLUMNS).map((table) => [table, []]))
  const last = play(
    {
      org,
      env,
      count,
      restarting,
      firstNo: Number(sequence[0].no),
      firstPosition,
      ...judgement
    },
    (table, text) => texts[table].push(text)
  )
  await database.query("select setval('snapshot_row_sequence', $1)", [last])
  await database.query("select setval('commit_position_sequence', $1)", [firstPosition + count])
  for (const [table, lines] of Object.entries(texts)) {
    await pipeline(
      Readable.from(lines, { objectMode: true }),
      database.query(copyFrom(`copy ${table} (${COLUMNS[table]}) from stdin`))
    )
    await database.query(`analyze ${table}`)
  }
}

const contentOf = (text) =>
  JSON.parse(text)
    .artifacts.map(
      ({ name, fingerprint, annotation, compliant, pods, policy_decisions }) =>
        `${name} ${fingerprint} ${JSON.stringify([annotation, compliant, pods, policy_decisions])}`
    )
    .sort()
    .join()

/** Fails unless two environments answer alike about these snapshots. */
export const agree = async (read, [real, loaded], indexes) => {
  for (const index of indexes) {
    if (contentOf(await read(real, `${index}`)) !== contentOf(await read(loaded, `${index}`))) {
      throw new Error(`snapshot ${index} of the fixture is not what reports make`)
    }
  }
}

const COMPARED = {
  snapshot: `select index, verdict, count_true, count_false, count_null, bucket, changes, events_total,
    policies_digest from snapshot where environment_id = $1`,
  snapshot_row: `select bucket, first_index, last_index, started_index, name, fingerprint, verdict,
    decisions_digest, doc from snapshot_row where environment_id = $1`,
  snapshot_event: `select e.index, e.position, e.bucket, e.type, e.was, e.now, e.arrived, r.name,
    r.fingerprint, r.first_index from snapshot_event e join snapshot_row r on r.org_id = e.org_id
    and r.environment_id = e.environment_id and r.bucket = e.bucket and r.row_no = e.row_no
    where e.environment_id = $1`,
  exposure: `select fingerprint, first_index, last_index, started_verdict, verdict, name
    from exposure where environment_id = $1`
}

/** Fails unless two environments, of which one was reported and one loaded, are stored alike. */
export const storedAlike = async (database, names) => {
  const { rows } = await database.query(
    "select environment_id as id from environment where name = any($1) order by name",
    [names]
  )
  for (const [table, query] of Object.entries(COMPARED)) {
    const [one, other] = rows.map(({ id }) => query.replace("$1", `'${id}'`))
    const { rows: differences } = await database.query(
      `((${one}) except all (${other})) union all ((${other}) except all (${one})) limit 3`
    )
    if (differences.length > 0) {
      throw new Error(`${table} is not what reports make: ${JSON.stringify(differences)}`)
    }
  }
}
