/** Evaluations of `TrailStore` on PostgreSQL: one row for each trail, replaced by each event on it. */

import { StoredEvaluation } from "@attestry/core/StoredEvaluation"
import type { TrailStore } from "@attestry/core/TrailStore"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"
import type * as WriteBuffer from "../transaction/WriteBuffer.js"

/** The row of an evaluation. */
const rowOf = (evaluation: StoredEvaluation) => ({
  org_id: evaluation.org_id,
  trail_id: evaluation.trail_id,
  flow_id: evaluation.flow_id,
  template_id: evaluation.template_id,
  evaluated_at: evaluation.evaluated_at,
  status: evaluation.trail.status,
  trail_status: evaluation.trail,
  record_statuses: evaluation.records
})

/** Evaluations of `TrailStore` on PostgreSQL. */
export const make: Effect.Effect<
  Pick<TrailStore["Type"], "putEvaluation" | "findEvaluation" | "listEvaluations">,
  never,
  SqlClient.SqlClient | TenantTransaction
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* TenantQueries.make
  const select = sql.literal(`select org_id, trail_id, flow_id, template_id, evaluated_at,
        trail_status as trail, record_statuses as records from trail_evaluation`)
  const evaluations: WriteBuffer.Kind = {
    statement: (_, values) => sql`insert into trail_evaluation
          select * from json_populate_recordset(null::trail_evaluation, ${values}::json)
          on conflict (org_id, trail_id) do update set template_id = excluded.template_id,
            evaluated_at = excluded.evaluated_at, status = excluded.status,
            trail_status = excluded.trail_status, record_statuses = excluded.record_statuses`
  }
  return {
    putEvaluation: (evaluation) =>
      rows.add({
        operation: "TrailStore.putEvaluation",
        org: evaluation.org_id,
        row: `trail_evaluation ${evaluation.trail_id}`,
        kind: evaluations,
        value: rowOf(evaluation)
      }),
    findEvaluation: (org, trail) =>
      rows.first(StoredEvaluation, {
        operation: "TrailStore.findEvaluation",
        org,
        statement: sql`${select} where org_id = ${org} and trail_id = ${trail}`
      }),
    listEvaluations: (org, trails) =>
      rows.list(StoredEvaluation, {
        operation: "TrailStore.listEvaluations",
        from: "list",
        org,
        statement: sql`${select} where org_id = ${org} and trail_id = any(${[...trails]})`
      })
  }
})
