/** The second word of its kind that an environment was created with; null for the neutral word. */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { withoutStatistics } from "./internal/TenantTable.js"

/** Second words of kinds. */
export const kindAlias = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table environment add column type_alias text`
  yield* withoutStatistics(sql)
})
