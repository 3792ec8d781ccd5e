/**
 * Attestations by the artifact that they name, for graphs. DECISION B-407
 *
 * WHY another collation: only a statement that names it takes this index; no other plan changes.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { withoutStatistics } from "./internal/TenantTable.js"

/** An index on attestations. */
export const graph = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create index attestation_by_content
    on attestation (org_id, fingerprint collate "POSIX", sequence) where fingerprint is not null`
  yield* withoutStatistics(sql)
})
