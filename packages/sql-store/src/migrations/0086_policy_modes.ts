/** The attached policies of an environment that only warn, by id; empty where every one counts. */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { APPLICATION_ROLE, withoutStatistics } from "./internal/TenantTable.js"

/** Modes of attached policies. */
export const policyModes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table environment add column policy_modes jsonb not null default '{}'`
  yield* sql`grant update (policy_modes) on environment to ${sql(APPLICATION_ROLE)}`
  yield* withoutStatistics(sql)
})
