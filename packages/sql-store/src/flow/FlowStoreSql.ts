/** `FlowStore` on PostgreSQL. */
import { Flow, type FlowKey } from "@attestry/core/Flow"
import { FlowStore } from "@attestry/core/FlowStore"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlOrg } from "../shared/SqlOrg.js"
import * as SqlRows from "../shared/SqlRows.js"

/** `FlowStore` on PostgreSQL. */
export const layer: Layer.Layer<FlowStore, never, SqlClient.SqlClient | SqlOrg> = Layer.effect(
  FlowStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* SqlRows.make

    const columns = sql.literal(`org_id, flow_id as id, name, description, visibility, template,
      template_id, created_at, last_modified_at`)

    const find = (operation: string, { org, name }: FlowKey, lock: "" | "for update") =>
      rows.first(Flow, {
        operation,
        org,
        statement: sql`select ${columns} from flow 
          where org_id = ${org} and name = ${name} ${sql.literal(lock)}`
      })

    return FlowStore.of({
      findByName: (key) => find("FlowStore.findByName", key, ""),
      listByIds: (org, ids) =>
        rows.all(Flow, {
          operation: "FlowStore.listByIds",
          org,
          statement: sql`select ${columns} from flow
            where org_id = ${org} and flow_id = any(${[...ids]})`
        }),
      lockByName: (key) => find("FlowStore.lockByName", key, "for update"),
      insert: (flow) =>
        Effect.map(
          rows.count({
            operation: "FlowStore.insert",
            org: flow.org_id,
            statement: sql`insert into flow (org_id, flow_id, name, description, visibility, template,
                template_id, created_at, last_modified_at)
              values (${flow.org_id}, ${flow.id}, ${flow.name}, ${flow.description},
                ${flow.visibility}, ${flow.template}, ${flow.template_id}, ${flow.created_at},
                ${flow.last_modified_at})
              on conflict (org_id, name) do nothing returning flow_id`
          }),
          (count) => count > 0
        ),
      update: (flow) =>
        Effect.asVoid(
          rows.count({
            operation: "FlowStore.update",
            org: flow.org_id,
            statement: sql`update flow set description = ${flow.description},
                visibility = ${flow.visibility}, template = ${flow.template},
                template_id = ${flow.template_id},
                last_modified_at = ${flow.last_modified_at}
              where org_id = ${flow.org_id} and flow_id = ${flow.id}`
          })
        )
    })
  })
)
