/** `ProvenanceStore` on PostgreSQL. */
import { Artifact } from "@attestry/core/Artifact"
import { AttestationFacts } from "@attestry/core/AttestationFacts"
import { RecordStatus } from "@attestry/core/ComplianceStatus"
import { FlowId, FlowName, TrailName } from "@attestry/core/Identifier"
import { type FlowRecord, ProvenanceStore } from "@attestry/core/ProvenanceStore"
import { Tags } from "@attestry/core/Tags"
import { Timestamp } from "@attestry/core/Timestamp"
import { TrailDetails } from "@attestry/core/Trail"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

const RecordRow = Schema.Struct({
  ...Artifact.fields,
  flow_name: FlowName,
  tags: Tags,
  standing: RecordStatus,
  trail_name: TrailName,
  details: TrailDetails,
  first_sequence: Schema.Int,
  first_reported_at: Timestamp
})

const RecordDocument = Schema.Struct({ document: RecordRow })

/** The columns of an attestation that policies depend on. */
export const ATTESTATION = `trail_id, sequence, attestation_id as id, name, type,
  is_compliant as "isCompliant", is_override as "isOverride", fingerprint, slots,
  git_commit as commit, created_at as at,
  case when type = 'decision' and not is_override then body ->> 'control' end as control`

/** What policies ask about an attestation. */
export const ASKED = `, policy_facts`

const WITH_FACTS = `${ATTESTATION}, policy_facts #- '{facts,purls}' as policy_facts`
const WITH_PURLS = `${ATTESTATION}${ASKED}`

/** An attestation, as far as policies depend on it. */
export const AttestationRow = Schema.Struct({
  trail_id: Schema.String,
  sequence: Schema.Int,
  id: Schema.String,
  name: Schema.String,
  type: Schema.String,
  isCompliant: Schema.Boolean,
  isOverride: Schema.Boolean,
  fingerprint: Schema.NullOr(Schema.String),
  slots: Schema.Array(Schema.String),
  commit: Schema.NullOr(Schema.String),
  at: Timestamp,
  control: Schema.NullOr(Schema.String),
  policy_facts: Schema.optionalWith(Schema.NullOr(AttestationFacts), { exact: true })
})

const toRecord = ({
  flow_name,
  tags,
  standing,
  trail_name,
  details,
  first_sequence,
  first_reported_at,
  ...artifact
}: typeof RecordRow.Type): FlowRecord => ({
  artifact,
  flowName: flow_name,
  flowTags: tags,
  standing,
  trailName: trail_name,
  trailCommit: details.git_commit_info,
  trailRepo: details.repo_info,
  firstSequence: first_sequence,
  firstReportedAt: first_reported_at
})

const NameRow = Schema.Struct({ id: FlowId, name: FlowName })

/** `ProvenanceStore` on PostgreSQL. */
export const layer: Layer.Layer<ProvenanceStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    ProvenanceStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make
      /** WHY, with `offset` beside it: each id is looked up by its key, however many there are. */
      const listed = (ids: ReadonlyArray<string>) =>
        sql`(select distinct unnest(${[...ids]}::text[]) as id) l`

      return ProvenanceStore.of({
        records: (org, fingerprints, arriving) =>
          Effect.map(
            rows.all(RecordDocument, {
              operation: "ProvenanceStore.records",
              org,
              statement: sql`select document from flow_records(${org},
                ${JSON.stringify(arriving)}::jsonb, ${JSON.stringify(fingerprints)}::jsonb)
                as found (document)`
            }),
            (found) => found.map(({ document }) => toRecord(document))
          ),
        attestations: (org, trails, { withFacts, withPurls }) =>
          rows.all(AttestationRow, {
            operation: "ProvenanceStore.attestations",
            org,
            statement: sql`select a.* from ${listed(trails)} cross join lateral
              (select ${sql.literal(withPurls ? WITH_PURLS : withFacts ? WITH_FACTS : ATTESTATION)} from attestation
                where org_id = ${org} and trail_id = l.id offset 0) a`
          }),
        flowNames: (org, flows) =>
          flows.length === 0
            ? Effect.succeed(new Map())
            : Effect.map(
                rows.all(NameRow, {
                  operation: "ProvenanceStore.flowNames",
                  org,
                  statement: sql`select f.* from ${listed(flows)} cross join lateral
                    (select flow_id as id, name from flow
                      where org_id = ${org} and flow_id = l.id offset 0) f`
                }),
                (found) => new Map(found.map(({ id, name }) => [id, name]))
              )
      })
    })
  )
