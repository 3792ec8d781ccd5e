/**
 * Records by what exposures are asked about: repository, author and builder; commit, flow and fingerprint have their
 * indexes. DECISION B-369
 *
 * WHY other collations and expressions: only a statement that names them takes these indexes; no other plan changes.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { withoutStatistics } from "./internal/TenantTable.js"

/** The most characters of a text that is indexed: an entry of an index must fit on a third of a page. */
const TRAIT_LENGTH = 256

/** The author of the commit of a record, as it is indexed. */
export const AUTHOR = `left(report #>> '{git_commit_info,author}', ${TRAIT_LENGTH}) collate "C"`

/** `builderOf` of core, of which the beginning is indexed. */
export const BUILDER_TEXT = `substring((report ->> 'build_url') collate "C"
  from '^[A-Za-z][A-Za-z0-9+.-]*://[^/?#]+')`

/** The builder of a record, as it is indexed. */
export const BUILDER = `left(${BUILDER_TEXT}, ${TRAIT_LENGTH})`

/** Indexes on records. */
export const exposureSubject = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create index artifact_by_repo
    on artifact (org_id, repo_id collate "POSIX", fingerprint) where repo_id is not null`
  yield* sql`create index artifact_by_author
    on artifact (org_id, (${sql.literal(AUTHOR)}), fingerprint)
    where (${sql.literal(AUTHOR)}) is not null`
  yield* sql`create index artifact_by_builder
    on artifact (org_id, (${sql.literal(BUILDER)}), fingerprint)
    where (${sql.literal(BUILDER)}) is not null`
  yield* withoutStatistics(sql)
})
