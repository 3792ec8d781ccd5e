/** What journals have that are older than their log, and the digests of rows of snapshots that no entry tells. */
import type { OrgId } from "@attestry/core/Identifier"
import type { LogBacklog, RowsAnchor } from "@attestry/core/Log"
import type { StoreError } from "@attestry/core/StoreError"
import type { SqlClient } from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { TenantQueries } from "../shared/TenantQueries.js"

const Counted = Schema.Struct({ entries: Schema.Int })

const Latest = Schema.Struct({ environment_id: Schema.String, snapshots: Schema.Int })

const Digest = Schema.Struct({ digest: Schema.String })

/** Anchors of an org. */
interface Anchors {
  readonly org: OrgId
  readonly anchors: ReadonlyArray<Omit<RowsAnchor, "digest">>
}

/**
 * The digest of the rows of the snapshots of an environment up to one. A row that goes on counts as one that ends
 * there, and copies of later buckets do not count, so the digest stays the same whatever comes later.
 */
const digestOf = (sql: SqlClient, org: OrgId, anchor: Omit<RowsAnchor, "digest">) =>
  sql`select encode(sha256(coalesce(string_agg(sha256(convert_to(jsonb_build_array(r.bucket,
      r.first_index, least(r.last_index, ${anchor.snapshots}::int4), r.started_index, r.name,
      r.fingerprint, r.verdict, encode(r.flows_digest, 'hex'), encode(r.decisions_digest, 'hex'),
      r.doc)::text, 'UTF8')), ''::bytea order by r.bucket, r.row_no), ''::bytea)), 'hex') as digest
    from snapshot_row r
    where r.org_id = ${org} and r.environment_id = ${anchor.environment_id}
      and r.first_index <= ${anchor.snapshots} and r.bucket <= (select s.bucket from snapshot s
        where s.org_id = ${org} and s.environment_id = ${anchor.environment_id}
          and s.index = ${anchor.snapshots})`

/** The digests of rows as they are stored now. */
export const digestRows = (
  sql: SqlClient,
  rows: TenantQueries,
  { org, anchors }: Anchors
): Effect.Effect<ReadonlyArray<RowsAnchor>, StoreError> =>
  Effect.forEach(anchors, (anchor) =>
    Effect.map(
      rows.first(Digest, {
        operation: "LogStore.digestRows",
        org,
        statement: digestOf(sql, org, anchor)
      }),
      (found): RowsAnchor => ({
        environment_id: anchor.environment_id,
        snapshots: anchor.snapshots,
        digest: Option.match(found, { onNone: () => "", onSome: ({ digest }) => digest })
      })
    )
  )

/** What the journal of a marked org has. */
export const find = (
  sql: SqlClient,
  rows: TenantQueries,
  org: OrgId
): Effect.Effect<Option.Option<LogBacklog>, StoreError> =>
  Effect.gen(function* () {
    const operation = "LogStore.findBacklog"
    const counted = yield* rows.first(Counted, {
      operation,
      org,
      statement: sql`select (select count(*) from journal where org_id = ${org})::int4 as entries
        from log_backlog where org_id = ${org}`
    })
    if (Option.isNone(counted)) return Option.none()
    const anchors = yield* rows.all(Latest, {
      operation,
      org,
      statement: sql`select environment_id, max(index) as snapshots from snapshot
        where org_id = ${org} group by environment_id order by environment_id`
    })
    return Option.some({
      entries: counted.value.entries,
      environments: yield* digestRows(sql, rows, { org, anchors })
    })
  })
