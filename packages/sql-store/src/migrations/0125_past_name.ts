/** Finds what had a name before: versions of flows and of environments by name. */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** Indexes of former names. */
export const pastName = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create index flow_version_name on flow_version (org_id, name)`
  yield* sql`create index environment_version_name on environment_version (org_id, name)`
})
