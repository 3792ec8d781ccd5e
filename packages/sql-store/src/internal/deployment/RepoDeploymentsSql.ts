/** The deployments of one repository as numbers, and what of it runs now. */

import { EnvironmentId, EnvironmentName } from "@attestry/core/Identifier"
import type { ReadModels } from "@attestry/core/ReadModels"
import { Timestamp } from "@attestry/core/Timestamp"
import type * as SqlClient from "@effect/sql/SqlClient"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { OPEN_INDEX } from "../../schema/internal/SchemaNames.js"
import type { TenantQueries } from "../shared/TenantQueries.js"
import { FLOWS, ROW, RowRow, toRow } from "../snapshot/StoredRow.js"
import { inFlows } from "./DeploymentFilterSql.js"

type Store = Context.Tag.Service<ReadModels>

const SeriesRow = Schema.Struct({
  environment_id: EnvironmentId,
  name: EnvironmentName,
  deployments: Schema.Array(Schema.Tuple(Timestamp, Timestamp))
})

/** The series of each environment, each read by the index of its repository and environment. */
export const series =
  (sql: SqlClient.SqlClient, rows: TenantQueries): Store["deploymentSeries"] =>
  (org, repo, { flows, from, to }) =>
    Effect.map(
      rows.all(SeriesRow, {
        operation: "ReadModels.deploymentSeries",
        org,
        statement: sql`select n.environment_id, n.name, coalesce((
            select json_agg(json_build_array(d.timestamp, d.first_reported_at)
              order by d.timestamp, d.position)
            from (select * from deployment_repo d where d.org_id = ${org} and d.repo_id = ${repo}
              and d.environment_id = n.environment_id and d.timestamp >= ${from}
              and d.timestamp <= ${to} ${inFlows(sql, "d", flows)} offset 0) d), '[]') as deployments
          from environment n
          where n.org_id = ${org} and n.archived_at is null
            and (select true from deployment_repo d where d.org_id = ${org} and d.repo_id = ${repo}
              and d.environment_id = n.environment_id ${inFlows(sql, "d", flows)} limit 1)
          order by n.name`
      }),
      (found) =>
        found.map(({ environment_id, name, deployments }) => ({
          environmentId: environment_id,
          environmentName: name,
          deployments: deployments.map(([deployedAt, firstReportedAt]) => ({
            deployedAt,
            firstReportedAt
          }))
        }))
    )

const LiveRowRow = Schema.Struct({
  ...RowRow.fields,
  environment_id: EnvironmentId,
  index: Schema.Int
})

/**
 * The rows that run, and of which a record names the repository.
 *
 * WHY lateral and `offset`: each part is looked up by its key.
 */
export const live =
  (sql: SqlClient.SqlClient, rows: TenantQueries): Store["liveRows"] =>
  (org, repo) =>
    Effect.map(
      rows.all(LiveRowRow, {
        operation: "ReadModels.liveRows",
        org,
        statement: sql`select ${sql.literal(ROW)}, n.environment_id, s.index
          from environment n
          cross join lateral (select s.index, s.bucket from snapshot s where s.org_id = ${org}
            and s.environment_id = n.environment_id order by s.index desc limit 1) s
          cross join lateral (select * from snapshot_row r where r.org_id = ${org}
            and r.environment_id = n.environment_id and r.bucket = s.bucket
            and r.last_index = ${OPEN_INDEX} offset 0) r
          ${sql.literal(FLOWS)}
          where n.org_id = ${org} and n.archived_at is null
            and exists (select from jsonb_array_elements(f.flows) as v (view)
              cross join lateral (select a.repo_id from artifact a where a.org_id = ${org}
                and a.artifact_id = v.view ->> 'artifact_id' offset 0) a
              where a.repo_id = ${repo})`
      }),
      (found) =>
        found.map(({ environment_id, index, ...row }) => ({
          environmentId: environment_id,
          snapshotIndex: index,
          row: toRow(row)
        }))
    )
