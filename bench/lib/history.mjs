/**
 * A long history of an environment: 500 rows, of which 5 are replaced in each snapshot. Changes are skewed:
 * a fifth of the rows takes four of the five changes, and a tenth never changes.
 *
 * It is written by statements that say what appending would have said, because making it by reports takes
 * hours; the same history can be reported, and `agree` compares the two where they overlap.
 */

import { createHash } from "node:crypto"

const sha256 = (text) => createHash("sha256").update(text).digest("hex")

/** How many rows run. */
export const ROWS = 500
/** How many are replaced in each snapshot. */
export const REPLACED = 5

const BUSY = 100
const CALM = 350
const OPEN = 2_147_483_647

/** Snapshots between two replacements of a row, and the place of the first one; none for rows that stay. */
const rhythmOf = (row) => {
  if (row < BUSY) return { period: BUSY / 4, phase: Math.floor(row / 4) }
  return row < BUSY + CALM ? { period: CALM, phase: row - BUSY } : undefined
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

/** What such an environment reports; `restarted` says how often the pods of a row have been restarted. */
export const podsReport = (version, restarted = () => 0) => ({
  artifacts: Array.from({ length: ROWS }, (_, row) => ({
    digests: { [nameOf(row)]: fingerprintOf(row, version(row)) },
    creationTimestamp: 1_790_000_000 + row + restarted(row) * 60,
    podName: `service-${row}-${sha256(`${row}`).slice(0, 10)}-x2x9${restarted(row)}`,
    namespace: "production",
    owners: [ownerOf(row)]
  }))
})

// The same in SQL, for row r.
const NAME = "'registry.example.org/team/service-' || r || ':1.' || r"
const sha = (text) => `encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`
const PRINT = sha("r || '/' || v")
const DOC = `jsonb_build_object('creationTimestamp', jsonb_build_array(1790000000 + r),
  'pods', jsonb_build_object('service-' || r || '-' || left(${sha("r::text")}, 10) || '-x2x90',
    jsonb_build_object(
    'namespace', 'production', 'creationTimestamp', 1790000000 + r,
    'owners', jsonb_build_array(jsonb_build_object('apiVersion', 'apps/v1', 'kind', 'ReplicaSet',
      'name', 'service-' || r || '-' || left(${sha("r::text")}, 10),
      'uid', left(${sha("'uid ' || r")}, 36), 'controller', true,
      'blockOwnerDeletion', true)))))`
const PERIOD = `case when r < ${BUSY} then ${BUSY / 4} when r < ${BUSY + CALM} then ${CALM} end`
const PHASE = `case when r < ${BUSY} then r / 4 else r - ${BUSY} end`

// The first snapshot fills a bucket by itself; each later one takes 101 snapshots of 5 changes.
const BUCKET = ROWS / REPLACED + 1
const bucketOf = (index) =>
  `(case when ${index} = 1 then 0 else 1 + (${index} - 2) / ${BUCKET} end)`

/** Fills an environment without snapshots, as `count` reports would have left it. */
export const fill = async (database, environment, count) => {
  const { rows } = await database.query(
    "select org_id, environment_id from environment where name = $1",
    [environment]
  )
  const [{ org_id: org, environment_id: env }] = rows
  await database.query("select set_config('attestry.org_id', $1, false)", [org])
  await database.query(`insert into snapshot (org_id, environment_id, index, timestamp, verdict,
      count_true, count_false, count_null, bucket, changes, events_total, members, policies)
    select '${org}', '${env}', i, 1700000000000000 + i::int8 * 1000000, 'Unknown', 0, 0, ${ROWS},
      ${bucketOf("i")}, case when i = 1 then ${ROWS} else ((i - 2) % ${BUCKET}) * ${REPLACED} end,
      ${ROWS} + (i - 1)::int8 * ${REPLACED * 2}, null, '[]'
    from generate_series(1, ${count}) i`)
  await database.query(`insert into snapshot_row (org_id, environment_id, bucket, first_index,
      last_index, started_index, name, fingerprint, verdict, doc)
    select '${org}', '${env}', b, greatest(born, begins),
      case when dies is null or dies > ends + 1 or dies > ${count} then ${OPEN} else dies - 1 end,
      born, ${NAME}, ${PRINT}, 'Unknown', ${DOC}
    from generate_series(0, ${bucketOf(count)}) b,
      lateral (select case when b = 0 then 1 else 2 + (b - 1) * ${BUCKET} end as begins,
        least(${count}, case when b = 0 then 1 else 1 + b * ${BUCKET} end) as ends) bucket,
      generate_series(0, ${ROWS - 1}) r,
      lateral (select ${PERIOD} as period, ${PHASE} as phase) rhythm,
      lateral generate_series(
        case when period is null or begins < phase + 2 then 0
          else (begins - 2 - phase) / period + 1 end,
        case when period is null or ends < phase + 2 then 0
          else (ends - 2 - phase) / period + 1 end) v,
      lateral (select case when v = 0 then 1 else 2 + phase + (v - 1) * period end as born,
        2 + phase + v * period as dies) life
    order by b, r, v`)
  await database.query(`insert into snapshot_event (org_id, environment_id, index, position, bucket,
      row_no, type, was, now, arrived)
    select r.org_id, r.environment_id, r.first_index,
        row_number() over (partition by r.first_index order by r.name collate "C") +
          case when r.first_index = 1 then 0 else ${REPLACED} end,
        r.bucket, r.row_no, 'started-unknown', 0, 1, true
      from snapshot_row r where r.environment_id = '${env}' and r.first_index = r.started_index
    union all
    select r.org_id, r.environment_id, r.last_index + 1,
        row_number() over (partition by r.last_index order by r.name collate "C"), r.bucket, r.row_no,
        'exited', 1, 0, false
      from snapshot_row r where r.environment_id = '${env}' and r.last_index < ${OPEN}
    order by 3, 4`)
  await database.query(`insert into running_fingerprint (org_id, fingerprint, environment_id, rows)
    select r.org_id, r.fingerprint, r.environment_id, 1 from snapshot_row r
    where r.environment_id = '${env}' and r.last_index = ${OPEN} and r.bucket = ${bucketOf(count)}`)
  for (const table of ["snapshot", "snapshot_row", "snapshot_event", "running_fingerprint"]) {
    await database.query(`analyze ${table}`)
  }
}

const contentOf = ({ artifacts }) =>
  artifacts
    .map(({ name, fingerprint, annotation }) => `${name} ${fingerprint} ${annotation.type}`)
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
