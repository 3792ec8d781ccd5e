/** The current names of environments by their ids. */
import type { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { EnvironmentId, EnvironmentName, type OrgId } from "@attestry/core/Identifier"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { TenantQueries } from "../shared/TenantQueries.js"

const NameRow = Schema.Struct({ id: EnvironmentId, name: EnvironmentName })

/** The reads of names of the port. */
export const make = (
  sql: SqlClient,
  rows: TenantQueries
): Pick<Context.Tag.Service<EnvironmentStore>, "names" | "activeNames"> => {
  const named = (operation: string, org: OrgId, condition: Fragment) =>
    Effect.map(
      rows.all(NameRow, {
        operation,
        org,
        statement: sql`select environment_id as id, name from environment
          where org_id = ${org} and ${condition}`
      }),
      (found) => new Map(found.map(({ id, name }) => [id, name]))
    )
  return {
    names: (org, ids) =>
      named("EnvironmentStore.names", org, sql`environment_id = any(${[...ids]})`),
    activeNames: (org, ids) =>
      named(
        "EnvironmentStore.activeNames",
        org,
        sql`environment_id = any(${[...ids]}) and archived_at is null`
      )
  }
}
