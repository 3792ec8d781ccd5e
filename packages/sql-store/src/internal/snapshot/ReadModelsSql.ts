/** `ReadModels` on PostgreSQL, from the parts of the features. */
import { ReadModels } from "@attestry/core/ReadModels"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PlacementReadsSql from "../artifact/PlacementReadsSql.js"
import * as BuildReadsSql from "../build/BuildReadsSql.js"
import * as DeploymentReadsSql from "../deployment/DeploymentReadsSql.js"
import * as ExposureReadsSql from "../exposure/ExposureReadsSql.js"
import * as GraphReadsSql from "../exposure/GraphReadsSql.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import { TenantTransaction } from "../transaction/TenantTransaction.js"
import * as EvaluatedRowsSql from "./internal/EvaluatedRowsSql.js"
import * as GroupedRowsSql from "./internal/GroupedRowsSql.js"
import * as VerdictTimesSql from "./internal/VerdictTimesSql.js"

/** `ReadModels` on PostgreSQL. */
export const layer: Layer.Layer<ReadModels, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    ReadModels,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make
      return ReadModels.of({
        recentVerdicts: VerdictTimesSql.recent(sql, rows),
        timelineSnapshots: VerdictTimesSql.verdicts(sql, rows),
        evaluatedRows: EvaluatedRowsSql.count(sql, rows),
        groupedRows: GroupedRowsSql.make(sql, rows, yield* TenantTransaction),
        ...(yield* ExposureReadsSql.make),
        ...(yield* GraphReadsSql.make),
        ...(yield* DeploymentReadsSql.make),
        ...(yield* BuildReadsSql.make),
        ...(yield* PlacementReadsSql.make)
      })
    })
  )
