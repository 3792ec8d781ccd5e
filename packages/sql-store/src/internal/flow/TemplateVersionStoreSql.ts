/** `TemplateVersionStore` on PostgreSQL. */
import { TemplateVersion } from "@attestry/core/TemplateVersion"
import { TemplateVersionStore } from "@attestry/core/TemplateVersionStore"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

/** `TemplateVersionStore` on PostgreSQL. */
export const layer: Layer.Layer<
  TemplateVersionStore,
  never,
  SqlClient.SqlClient | TenantTransaction
> = Layer.effect(
  TemplateVersionStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* TenantQueries.make
    return TemplateVersionStore.of({
      append: (version) =>
        rows.run({
          operation: "TemplateVersionStore.append",
          org: version.org_id,
          statement: sql`insert into template_version (org_id, template_id, content, created_at)
                values (${version.org_id}, ${version.id}, ${version.content},
                  ${version.created_at})`
        }),
      find: (org, id) =>
        rows.first(TemplateVersion, {
          operation: "TemplateVersionStore.find",
          org,
          statement: sql`select org_id, template_id as id, content, created_at
              from template_version where org_id = ${org} and template_id = ${id}`
        })
    })
  })
)
