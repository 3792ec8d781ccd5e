/**
 * How a snapshot is appended: rows that ended are closed, rows that began are opened, and now and then a
 * new bucket is started with a copy of what runs. DECISION S3
 *
 * A bucket ends when the changes since its start reach the number of running rows. So each change pays
 * for at most about one carried row besides its own, and a read touches at most about twice what runs.
 */
import type { EnvironmentRef } from "@attestry/core/Environment"
import type { SnapshotRow } from "@attestry/core/Snapshot"
import type { SnapshotDraft } from "@attestry/core/SnapshotStore"
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"

/** The last index of a row that is still running. */
export const OPEN = 2_147_483_647

/** Small environments would otherwise start a bucket at almost every change. */
const BUCKET_CHANGES_MIN = 32

interface Bucket {
  readonly bucket: number
  readonly changes: number
}

const documentOf = ({ name, fingerprint, verdict, ...doc }: SnapshotRow) => ({
  name,
  fingerprint,
  verdict,
  doc
})

/** Where the next snapshot goes: into the latest one's bucket, or into a new one. */
const place = (latest: Bucket, draft: SnapshotDraft): Bucket & { readonly rolls: boolean } => {
  const changes = draft.ended.length + draft.begun.length
  const running = draft.counts.true + draft.counts.false + draft.counts.null
  const rolls = latest.changes + changes > Math.max(running, BUCKET_CHANGES_MIN)
  return rolls
    ? { bucket: latest.bucket + 1, changes: 0, rolls }
    : { bucket: latest.bucket, changes: latest.changes + changes, rolls }
}

/** The statements that append a snapshot; the caller holds the environment's lock. */
export const append = (
  sql: SqlClient.SqlClient,
  { org, environment }: EnvironmentRef,
  draft: SnapshotDraft
): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    const [latest = { bucket: 0, changes: 0 }] =
      yield* sql<Bucket>`select bucket, changes from snapshot
      where org_id = ${org} and environment_id = ${environment} order by index desc limit 1`
    const { bucket, changes, rolls } = place(latest, draft)
    const before = draft.index - 1

    yield* sql`insert into snapshot (org_id, environment_id, index, timestamp, verdict, count_true,
        count_false, count_null, bucket, changes)
      values (${org}, ${environment}, ${draft.index}, ${draft.timestamp}, ${draft.verdict},
        ${draft.counts.true}, ${draft.counts.false}, ${draft.counts.null}, ${bucket}, ${changes})`
    if (draft.ended.length > 0) {
      yield* sql`update snapshot_row r set last_index = ${before}
        from jsonb_to_recordset(${JSON.stringify(draft.ended)}::jsonb)
          as ended (name text, fingerprint text)
        where r.org_id = ${org} and r.environment_id = ${environment} and r.bucket = ${latest.bucket}
          and r.last_index = ${OPEN} and r.name = ended.name and r.fingerprint = ended.fingerprint`
    }
    if (rolls) {
      yield* sql`insert into snapshot_row (org_id, environment_id, bucket, first_index, last_index, name,
          fingerprint, verdict, doc)
        select org_id, environment_id, ${bucket}, ${draft.index}, ${OPEN}, name, fingerprint, verdict, doc
        from snapshot_row
        where org_id = ${org} and environment_id = ${environment} and bucket = ${latest.bucket}
          and last_index = ${OPEN}
        order by row_no`
    }
    if (draft.begun.length > 0) {
      yield* sql`insert into snapshot_row (org_id, environment_id, bucket, first_index, last_index, name,
          fingerprint, verdict, doc)
        select ${org}, ${environment}, ${bucket}, ${draft.index}, ${OPEN}, name, fingerprint, verdict, doc
        from jsonb_to_recordset(${JSON.stringify(draft.begun.map(documentOf))}::jsonb)
          as begun (name text, fingerprint text, verdict text, doc jsonb)`
    }
    yield* appendEvents(
      sql,
      { org, environment, buckets: { now: bucket, before: latest.bucket } },
      draft
    )
  })

/** Where the rows of this snapshot are, and where those of the one before. */
interface Buckets {
  readonly now: number
  readonly before: number
}

/** Events point at the row that they are about: the one that runs, or the one that has just ended. */
const appendEvents = (
  sql: SqlClient.SqlClient,
  { org, environment, buckets }: EnvironmentRef & { readonly buckets: Buckets },
  draft: SnapshotDraft
): Effect.Effect<unknown, SqlError> => {
  const events = draft.events.map(({ name, fingerprint, annotation }) => ({
    name,
    fingerprint,
    ...annotation
  }))
  return events.length === 0
    ? Effect.void
    : sql`insert into snapshot_event (org_id, environment_id, index, bucket, row_no, type, was, now)
      select r.org_id, r.environment_id, ${draft.index}, r.bucket, r.row_no, event.type, event.was,
        event.now
      from jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
        as event (name text, fingerprint text, type text, was int4, now int4)
      join snapshot_row r on r.org_id = ${org} and r.environment_id = ${environment}
        and r.name = event.name and r.fingerprint = event.fingerprint
        and r.bucket = case when event.type = 'exited' then ${buckets.before}::int4
          else ${buckets.now}::int4 end
        and r.last_index = case when event.type = 'exited' then ${draft.index - 1}::int4
          else ${OPEN}::int4 end`
}
