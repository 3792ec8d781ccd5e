/**
 * Records by repository, for exposures; commit, flow and fingerprint have their indexes. DECISION B-369
 *
 * WHY another collation: only a statement that names it takes this index; no other plan changes.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { withoutStatistics } from "./internal/TenantTable.js"

/** An index on records. */
export const exposureSubject = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create index artifact_by_repo
    on artifact (org_id, repo_id collate "POSIX", fingerprint) where repo_id is not null`
  yield* withoutStatistics(sql)
})
