/** `ApprovalStore` on PostgreSQL. The request is one JSON value next to the keys. */
import { Approval } from "@attestry/core/Approval"
import { ApprovalStore } from "@attestry/core/ApprovalStore"
import { StoreError } from "@attestry/core/StoreError"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlPage from "../shared/SqlPage.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

const COLUMNS = `org_id, flow_id, approval_id as id, number, state, request, created_by, created_at`

/** `ApprovalStore` on PostgreSQL. */
export const layer: Layer.Layer<ApprovalStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    ApprovalStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make
      const columns = sql.literal(COLUMNS)
      return ApprovalStore.of({
        append: (draft) => {
          const operation = "ApprovalStore.append"
          const { org_id: org, flow_id: flow } = draft
          return Effect.flatMap(
            rows.first(Approval, {
              operation,
              org,
              statement: sql`insert into approval (org_id, flow_id, approval_id, number, state, request,
                created_by, created_at)
              select ${org}, ${flow}, ${draft.id}, coalesce(max(number), 0) + 1, ${draft.state},
                ${JSON.stringify(draft.request)}::jsonb, ${draft.created_by},
                ${draft.created_at}::int8
              from approval where org_id = ${org} and flow_id = ${flow}
              returning ${columns}`
            }),
            Option.match({
              onNone: () => new StoreError({ operation, cause: new Error("no row came back") }),
              onSome: Effect.succeed
            })
          )
        },
        find: ({ org, flow, number }) =>
          rows.first(Approval, {
            operation: "ApprovalStore.find",
            org,
            statement: sql`select ${columns} from approval
            where org_id = ${org} and flow_id = ${flow} and number = ${number}`
          }),
        list: ({ org, flow }, page) =>
          rows.list(Approval, {
            operation: "ApprovalStore.list",
            from: "page",
            org,
            statement: sql`select ${columns} from approval
            where org_id = ${org} and flow_id = ${flow}
            order by number desc ${SqlPage.clause(sql, page)}`
          })
      })
    })
  )
