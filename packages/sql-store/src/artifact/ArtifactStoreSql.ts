/** `ArtifactStore` on PostgreSQL. The report is one JSON value; what lookups need is in columns. */
import { Artifact } from "@attestry/core/Artifact"
import { ArtifactStore } from "@attestry/core/ArtifactStore"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlOrg } from "../shared/SqlOrg.js"
import * as SqlRows from "../shared/SqlRows.js"

/** `ArtifactStore` on PostgreSQL. */
export const layer: Layer.Layer<ArtifactStore, never, SqlClient.SqlClient | SqlOrg> = Layer.effect(
  ArtifactStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* SqlRows.make
    return ArtifactStore.of({
      findNewest: ({ org, trail, slot }) =>
        rows.first(Artifact, {
          operation: "ArtifactStore.findNewest",
          org,
          statement: sql`select org_id, artifact_id as id, flow_id, trail_id, sequence, slot,
              fingerprint, report, created_by, created_at
            from artifact where org_id = ${org} and trail_id = ${trail} and slot = ${slot}
            order by sequence desc limit 1`
        }),
      append: (artifact) =>
        Effect.asVoid(
          rows.count({
            operation: "ArtifactStore.append",
            org: artifact.org_id,
            statement: sql`insert into artifact (org_id, artifact_id, flow_id, trail_id, sequence, slot,
                fingerprint, report, created_by, created_at)
              values (${artifact.org_id}, ${artifact.id}, ${artifact.flow_id}, ${artifact.trail_id},
                ${artifact.sequence}, ${artifact.slot}, ${artifact.fingerprint},
                ${JSON.stringify(artifact.report)}::jsonb, ${artifact.created_by},
                ${artifact.created_at})`
          })
        )
    })
  })
)
