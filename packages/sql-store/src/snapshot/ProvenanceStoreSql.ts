/** `ProvenanceStore` on PostgreSQL. */
import { Artifact } from "@attestry/core/Artifact"
import { RecordStatus } from "@attestry/core/ComplianceStatus"
import { FlowId, FlowName, TrailName } from "@attestry/core/Identifier"
import { type FlowRecord, ProvenanceStore } from "@attestry/core/ProvenanceStore"
import { Timestamp } from "@attestry/core/Timestamp"
import { TrailDetails } from "@attestry/core/Trail"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { SqlOrg } from "../shared/SqlOrg.js"
import * as SqlRows from "../shared/SqlRows.js"

const RecordRow = Schema.Struct({
  ...Artifact.fields,
  flow_name: FlowName,
  standing: RecordStatus,
  trail_name: TrailName,
  details: TrailDetails,
  first_sequence: Schema.Int,
  first_reported_at: Timestamp
})

const toRecord = ({
  flow_name,
  standing,
  trail_name,
  details,
  first_sequence,
  first_reported_at,
  ...artifact
}: typeof RecordRow.Type): FlowRecord => ({
  artifact,
  flowName: flow_name,
  standing,
  trailName: trail_name,
  trailCommit: details.git_commit_info,
  trailRepo: details.repo_info,
  firstSequence: first_sequence,
  firstReportedAt: first_reported_at
})

const NameRow = Schema.Struct({ id: FlowId, name: FlowName })

/** Writers of evidence and readers for a snapshot meet at this lock, one for each fingerprint. */
export const FINGERPRINT_LOCK = `pg_advisory_xact_lock(hashtextextended(wanted.org || wanted.value, 0))`

/** `ProvenanceStore` on PostgreSQL. */
export const layer: Layer.Layer<ProvenanceStore, never, SqlClient.SqlClient | SqlOrg> =
  Layer.effect(
    ProvenanceStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* SqlRows.make
      const texts = (values: ReadonlyArray<string>) =>
        sql`jsonb_array_elements_text(${JSON.stringify(values)}::jsonb)`

      return ProvenanceStore.of({
        records: (org, fingerprints) =>
          Effect.map(
            rows.all(RecordRow, {
              operation: "ProvenanceStore.records",
              org,
              statement: sql`select a.org_id, a.artifact_id as id, a.flow_id, a.trail_id, a.sequence,
                  a.slot, a.fingerprint, a.report, a.repo_id, a.created_by, a.created_at,
                  w.name as flow_name, standing.document as standing, t.name as trail_name,
                  t.details, g.first as first_sequence, o.created_at as first_reported_at
                from (select a.fingerprint, a.flow_id, min(a.sequence) as first,
                    max(a.sequence) as last
                  from artifact a
                  where a.org_id = ${org} and a.fingerprint in (select ${texts(fingerprints)})
                  group by a.fingerprint, a.flow_id) g
                join artifact a on a.org_id = ${org} and a.fingerprint = g.fingerprint
                  and a.flow_id = g.flow_id and a.sequence = g.last
                join artifact o on o.org_id = ${org} and o.fingerprint = g.fingerprint
                  and o.flow_id = g.flow_id and o.sequence = g.first
                join trail t on t.org_id = ${org} and t.trail_id = a.trail_id
                join flow w on w.org_id = ${org} and w.flow_id = a.flow_id
                join trail_evaluation v on v.org_id = ${org} and v.trail_id = a.trail_id
                join lateral (select s.document
                  from json_array_elements(v.record_statuses) as s (document)
                  where s.document ->> 'artifact_id' = a.artifact_id) standing on true`
            }),
            (found) => found.map(toRecord)
          ),
        settle: (org, fingerprints) =>
          Effect.asVoid(
            rows.count({
              operation: "ProvenanceStore.settle",
              org,
              // WHY ordered: two that lock the same fingerprints never wait for each other.
              statement: sql`select ${sql.literal(FINGERPRINT_LOCK)}
                from (select ${org}::text as org, value from ${texts(fingerprints)} as value
                  order by value) wanted`
            })
          ),
        flowNames: (org, flows) =>
          flows.length === 0
            ? Effect.succeed(new Map())
            : Effect.map(
                rows.all(NameRow, {
                  operation: "ProvenanceStore.flowNames",
                  org,
                  statement: sql`select flow_id as id, name from flow
                    where org_id = ${org} and flow_id in (select ${texts(flows)})`
                }),
                (found) => new Map(found.map(({ id, name }) => [id, name]))
              )
      })
    })
  )
