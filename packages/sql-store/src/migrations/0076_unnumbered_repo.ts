/**
 * Repositories whose provider's id no report gives: their provider and name are their identity. And the spelling of the
 * provider under which a repository was created.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { withoutStatistics } from "./internal/TenantTable.js"

/** Repositories without an id, and other spellings of providers. */
export const unnumberedRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table repo alter column repo_id drop not null`
  yield* sql`alter table repo add column provider_alias text`
  yield* sql`create unique index repo_unnumbered on repo (org_id, provider, name) where repo_id is null`
  yield* withoutStatistics(sql)
})
