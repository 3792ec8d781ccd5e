/** `ArtifactStore` on PostgreSQL. The report is one JSON value; what lookups need is in columns. */
import { Artifact, ArtifactFact, commitOf } from "@attestry/core/Artifact"
import { ArtifactStore } from "@attestry/core/ArtifactStore"
import { Fingerprint } from "@attestry/core/Fingerprint"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { SqlOrg } from "../shared/SqlOrg.js"
import * as SqlRows from "../shared/SqlRows.js"

const Content = Schema.Struct({ fingerprint: Fingerprint })

/** `ArtifactStore` on PostgreSQL. */
export const layer: Layer.Layer<ArtifactStore, never, SqlClient.SqlClient | SqlOrg> = Layer.effect(
  ArtifactStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* SqlRows.make
    const columns = sql.literal(`org_id, artifact_id as id, flow_id, trail_id, sequence, slot,
      fingerprint, report, created_by, created_at`)
    return ArtifactStore.of({
      findNewest: ({ org, trail, slot }) =>
        rows.first(Artifact, {
          operation: "ArtifactStore.findNewest",
          org,
          statement: sql`select ${columns} from artifact
            where org_id = ${org} and trail_id = ${trail} and slot = ${slot}
            order by sequence desc limit 1`
        }),
      listFacts: (org, trail) =>
        rows.all(ArtifactFact, {
          operation: "ArtifactStore.listFacts",
          org,
          statement: sql`select sequence, artifact_id as id, slot, fingerprint, git_commit as commit
            from artifact where org_id = ${org} and trail_id = ${trail} order by sequence`
        }),
      matchFingerprints: ({ org, flow, prefix, limit }) =>
        Effect.map(
          rows.all(Content, {
            operation: "ArtifactStore.matchFingerprints",
            org,
            statement: sql`select distinct fingerprint from artifact
              where org_id = ${org} and fingerprint >= ${prefix} and fingerprint < ${`${prefix}g`}
                ${flow === undefined ? sql.literal("") : sql`and flow_id = ${flow}`}
              order by fingerprint limit ${limit}`
          }),
          Arr.map(({ fingerprint }) => fingerprint)
        ),
      listByContent: ({ org, flow, fingerprint, trail }) =>
        rows.all(Artifact, {
          operation: "ArtifactStore.listByContent",
          org,
          statement: sql`select ${columns} from artifact
            where org_id = ${org} and fingerprint = ${fingerprint} and flow_id = ${flow}
              ${trail === undefined ? sql.literal("") : sql`and trail_id = ${trail}`}
            order by sequence desc`
        }),
      append: (artifact) =>
        Effect.asVoid(
          rows.count({
            operation: "ArtifactStore.append",
            org: artifact.org_id,
            statement: sql`insert into artifact (org_id, artifact_id, flow_id, trail_id, sequence, slot,
                fingerprint, git_commit, report, created_by, created_at)
              values (${artifact.org_id}, ${artifact.id}, ${artifact.flow_id}, ${artifact.trail_id},
                ${artifact.sequence}, ${artifact.slot}, ${artifact.fingerprint}, ${commitOf(artifact.report)},
                ${JSON.stringify(artifact.report)}::jsonb, ${artifact.created_by},
                ${artifact.created_at})`
          })
        )
    })
  })
)
