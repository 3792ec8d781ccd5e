/** The current names of environments by their ids. */
import type { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { EnvironmentId, EnvironmentName } from "@attestry/core/Identifier"
import type { SqlClient } from "@effect/sql/SqlClient"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { TenantQueries } from "../shared/TenantQueries.js"

const NameRow = Schema.Struct({ id: EnvironmentId, name: EnvironmentName })

/** The reads of names of the port. */
export const make = (
  sql: SqlClient,
  rows: TenantQueries
): Pick<Context.Tag.Service<EnvironmentStore>, "names"> => {
  return {
    names: (org, ids, { active } = { active: false }) =>
      Effect.map(
        rows.all(NameRow, {
          operation: "EnvironmentStore.names",
          org,
          statement: sql`select environment_id as id, name from environment
            where org_id = ${org} and environment_id = any(${[...ids]})
            ${active ? sql`and archived_at is null` : sql``}`
        }),
        (found) => new Map(found.map(({ id, name }) => [id, name]))
      )
  }
}
