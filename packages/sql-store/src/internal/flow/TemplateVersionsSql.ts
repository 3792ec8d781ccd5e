/** Versions of templates of `FlowStore` on PostgreSQL. */
import type { FlowStore } from "@attestry/core/FlowStore"
import { TemplateVersion } from "@attestry/core/TemplateVersion"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

/** Versions of templates of `FlowStore` on PostgreSQL. */
export const make: Effect.Effect<
  Pick<FlowStore["Type"], "appendTemplate" | "findTemplate">,
  never,
  SqlClient.SqlClient | TenantTransaction
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* TenantQueries.make
  return {
    appendTemplate: (version) =>
      rows.run({
        operation: "FlowStore.appendTemplate",
        org: version.org_id,
        statement: sql`insert into template_version (org_id, template_id, content, created_at)
                values (${version.org_id}, ${version.id}, ${version.content},
                  ${version.created_at})`
      }),
    findTemplate: (org, id) =>
      rows.first(TemplateVersion, {
        operation: "FlowStore.findTemplate",
        org,
        statement: sql`select org_id, template_id as id, content, created_at
              from template_version where org_id = ${org} and template_id = ${id}`
      })
  }
})
