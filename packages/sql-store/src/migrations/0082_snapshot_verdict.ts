/**
 * Snapshots by verdict: since when an environment has the verdict of its newest snapshot is found by looking up the
 * last snapshot of each other verdict, however long ago that was. DECISION B-251
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** The collation has the same order and another name, as in `0068_no_statistics`: no other lookup takes this index. */
export const snapshotVerdict = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create index snapshot_by_verdict
    on snapshot (org_id, environment_id collate "POSIX", verdict, index)`
})
