/**
 * What snapshots say about contents and about logical environments, so that it is found without reading
 * histories: where a content runs and ran, and what happened in members.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as FingerprintRuns from "./internal/FingerprintRuns.js"
import * as MemberEvents from "./internal/MemberEvents.js"

/** The tables that are read or written for every org at once. */
const TABLES = ["snapshot", "snapshot_row", "snapshot_event", "fingerprint_run"]

/** Fills the tables from existing snapshots. */
export const snapshotHistory = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* FingerprintRuns.create(sql)
  yield* MemberEvents.create(sql)
  // WHY: row-level security is forced, and would hide every org from an owner that is no superuser.
  for (const table of TABLES) yield* sql`alter table ${sql(table)} no force row level security`
  yield* FingerprintRuns.fill(sql)
  yield* MemberEvents.fill(sql)
  for (const table of TABLES) yield* sql`alter table ${sql(table)} force row level security`
})
