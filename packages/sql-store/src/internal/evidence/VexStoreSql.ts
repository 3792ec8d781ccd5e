/** `VexStore` on PostgreSQL. */
import { KeptStatement } from "@attestry/core/KeptStatement"
import { VexStore } from "@attestry/core/VexStore"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

/** `VexStore` on PostgreSQL. */
export const layer: Layer.Layer<VexStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    VexStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make
      /** A list of texts as rows with a column `value`. */
      const texts = (all: ReadonlyArray<string>) =>
        sql`(select value from jsonb_array_elements_text(${JSON.stringify(all)}::jsonb) as value)`
      return VexStore.of({
        append: (org, statements) =>
          rows.run({
            operation: "VexStore.append",
            org,
            statement: sql`insert into vex_statement
              select * from json_populate_recordset(null::vex_statement,
                ${JSON.stringify(statements)}::json)`
          }),
        listDeciding: (org, { components, flow, products, vulnerabilities }) =>
          rows.all(KeptStatement, {
            operation: "VexStore.listDeciding",
            org,
            // The last column is 0 for a statement that takes nothing away, as `VexDecision.isMitigating` has it.
            statement: sql`select distinct on (v.vulnerability, v.product, v.component) v.*
              from vex_statement v
              where v.org_id = ${org} and v.trusted
                and v.vulnerability in ${texts(vulnerabilities)}
                and v.product in ${texts(products)}
                and (v.component is null or v.component in ${texts(components)})
                and (v.flows is null or jsonb_exists(v.flows, ${flow}::text))
              order by v.vulnerability, v.product, v.component, v.at desc nulls last, v.sequence desc,
                case when v.status = 'fixed'
                  or v.status = 'not_affected' and v.justification is not null then 1 else 0 end,
                v.ordinal`
          })
      })
    })
  )
