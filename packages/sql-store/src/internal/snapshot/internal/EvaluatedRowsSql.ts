/** How many running rows of environments have which decisions. */
import { EnvironmentId } from "@attestry/core/Identifier"
import type { ReadModels } from "@attestry/core/ReadModels"
import { RowDecision } from "@attestry/core/RowDecision"
import { Verdict } from "@attestry/core/Verdict"
import type * as SqlClient from "@effect/sql/SqlClient"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { OPEN_INDEX } from "../../../schema/internal/SchemaNames.js"
import type { TenantQueries } from "../../shared/TenantQueries.js"

const CountRow = Schema.Struct({
  environment: EnvironmentId,
  verdict: Verdict,
  decisions: Schema.NullOr(Schema.Array(RowDecision)),
  rows: Schema.Int
})

/** WHY lateral: the rows of each environment are found by key, whatever the planner expects. */
export const count =
  (
    sql: SqlClient.SqlClient,
    rows: TenantQueries
  ): Context.Tag.Service<typeof ReadModels>["evaluatedRows"] =>
  (org, environments) =>
    environments.length === 0
      ? Effect.succeed([])
      : Effect.map(
          rows.all(CountRow, {
            operation: "ReadModels.evaluatedRows",
            org,
            statement: sql`select e.id as environment, g.verdict, d.decisions, g.rows
              from (select distinct unnest(${[...environments]}::text[]) as id) e
              cross join lateral (select s.bucket from snapshot s where s.org_id = ${org}
                and s.environment_id = e.id order by s.index desc limit 1) s
              cross join lateral (select r.decisions_digest, r.verdict, count(*)::int4 as rows
                from snapshot_row r where r.org_id = ${org} and r.environment_id = e.id
                  and r.bucket = s.bucket and r.last_index = ${OPEN_INDEX}
                group by r.decisions_digest, r.verdict) g
              left join snapshot_decisions d on d.org_id = ${org}
                and d.digest = g.decisions_digest`
          }),
          (found) => found.map((row) => ({ ...row, decisions: row.decisions ?? [] }))
        )
