/** Deployments of `ReadModels` on PostgreSQL: the rows that `snapshot_append` writes for artifacts that arrive. */

import { ArtifactId, EnvironmentId, EnvironmentName, type OrgId } from "@attestry/core/Identifier"
import * as Page from "@attestry/core/Page"
import type { ReadModels } from "@attestry/core/ReadModels"
import type { DeploymentFilter, StoredDeployment } from "@attestry/core/StoredDeployment"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { EVENT, EVENT_PARTS, EventRow, toEvent } from "../environment-events/SnapshotEventsSql.js"
import * as SqlPage from "../shared/SqlPage.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"
import * as DeploymentFilterSql from "./DeploymentFilterSql.js"
import * as RepoDeploymentsSql from "./RepoDeploymentsSql.js"

const Row = Schema.Struct({
  ...EventRow.fields,
  environment_id: EnvironmentId,
  environment_name: EnvironmentName,
  replaced_index: Schema.NullOr(Schema.Int),
  replaced_artifact: Schema.NullOr(ArtifactId)
})

const toDeployment = ({
  environment_id,
  environment_name,
  replaced_index,
  replaced_artifact,
  ...event
}: typeof Row.Type): StoredDeployment => ({
  environmentId: environment_id,
  environmentName: environment_name,
  event: toEvent(event),
  replaced:
    replaced_index === null || replaced_artifact === null
      ? null
      : { index: replaced_index, artifactId: replaced_artifact }
})

/** The last start of the predecessor that the primary flow view of a row names. */
const REPLACED = `left join lateral (select b.index, b.view ->> 'artifact_id' as artifact_id
    from snapshot_start b
    where b.org_id = e.org_id and b.environment_id = e.environment_id
      and b.flow_id = f.flows #>> '{0,flow_id}' and b.slot = f.flows #>> '{0,slot}'
      and b.index < r.started_index and b.name = f.flows #>> '{0,previous,name}'
      and b.fingerprint = f.flows #>> '{0,previous,fingerprint}'
    order by b.index desc limit 1) p on true`

/**
 * What a deployment is about, by the keys of the event `e`.
 *
 * WHY `archived_at` outside: inside, the index of the names of environments could be taken instead of the key.
 */
const partsOf = (isMeant: string) => `join lateral (
    select n.environment_id, n.name, n.archived_at from environment n
    where n.org_id = e.org_id and n.environment_id = e.environment_id offset 0) n
    on ${isMeant}
  ${EVENT_PARTS}
  ${REPLACED}`

const PARTS = partsOf("n.archived_at is null")

/** The same of any environment: the rows were chosen by when theirs was archived. */
const PARTS_ANYWHERE = partsOf("true")

const COLUMNS = `${EVENT}, n.environment_id, n.name as environment_name, p.index as replaced_index,
  p.artifact_id as replaced_artifact`

const FIRST: Page.Page = { page: 1, perPage: 1 }

/** Deployments of `ReadModels` on PostgreSQL. */
export const make: Effect.Effect<
  Pick<
    ReadModels["Type"],
    "deployments" | "newestDeployment" | "deployment" | "deploymentSeries" | "liveRows"
  >,
  never,
  SqlClient.SqlClient | TenantTransaction
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* TenantQueries.make
  const columns = sql.literal(COLUMNS)
  const parts = sql.literal(PARTS)
  const order = sql.literal(DeploymentFilterSql.ORDER)

  /** One page with further columns. WHY the inner select: it is cut before anything is looked up for it. */
  const pageOf = (
    org: OrgId,
    asked: { readonly filter: DeploymentFilter; readonly page: Page.Page },
    further: Fragment
  ) =>
    sql`select ${columns} ${further}
          from (${DeploymentFilterSql.page(sql, org, asked)}) a
          cross join lateral (select * from snapshot_event e where e.org_id = a.org_id
            and e.environment_id = a.environment_id and e.index = a.index
            and e.position = a.position offset 0) e
          ${asked.filter.archivedBy === undefined ? parts : sql.literal(PARTS_ANYWHERE)}
          order by ${order}`

  return {
    deployments: (org, filter, page) => {
      const total = DeploymentFilterSql.total(sql, org, filter)
      const found = SqlPage.read(rows, Row, {
        operation: "ReadModels.deployments",
        org,
        page,
        items: pageOf(org, { filter, page }, sql`, ${total}`),
        count: sql`select ${total}`
      })
      return Effect.map(found, (paged) => Page.map(paged, toDeployment))
    },
    newestDeployment: (org, filter) =>
      Effect.map(
        rows.list(Row, {
          operation: "ReadModels.newestDeployment",
          from: "list",
          org,
          statement: pageOf(org, { filter, page: FIRST }, sql.literal(""))
        }),
        ([newest]) => Option.map(Option.fromNullable(newest), toDeployment)
      ),
    deployment: (org, { environment, index, position }) =>
      Effect.map(
        rows.first(Row, {
          operation: "ReadModels.deployment",
          org,
          statement: sql`select ${columns} from snapshot_event e ${parts}
                where e.org_id = ${org} and e.environment_id = ${environment}
                  and e.index = ${index} and e.position = ${position} and e.arrived`
        }),
        Option.map(toDeployment)
      ),
    deploymentSeries: RepoDeploymentsSql.series(sql, rows),
    liveRows: RepoDeploymentsSql.live(sql, rows)
  }
})
