/** `EvaluationStore` on PostgreSQL: one row for each trail, replaced by each event on it. */
import { EvaluationStore } from "@attestry/core/EvaluationStore"
import { StoredEvaluation } from "@attestry/core/StoredEvaluation"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
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

/** `EvaluationStore` on PostgreSQL. */
export const layer: Layer.Layer<EvaluationStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    EvaluationStore,
    Effect.gen(function* () {
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
      return EvaluationStore.of({
        put: (evaluation) =>
          rows.add({
            operation: "EvaluationStore.put",
            org: evaluation.org_id,
            row: `trail_evaluation ${evaluation.trail_id}`,
            kind: evaluations,
            value: rowOf(evaluation)
          }),
        find: (org, trail) =>
          rows.first(StoredEvaluation, {
            operation: "EvaluationStore.find",
            org,
            statement: sql`${select} where org_id = ${org} and trail_id = ${trail}`
          }),
        list: (org, trails) =>
          rows.list(StoredEvaluation, {
            operation: "EvaluationStore.list",
            from: "list",
            org,
            statement: sql`${select} where org_id = ${org} and trail_id = any(${[...trails]})`
          })
      })
    })
  )
