/** Migrating histories that are older than exposures: each is as its snapshots would have written it. */
import { ref } from "@attestry/core/Environment"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as Generated from "@attestry/core/testing/Snapshot"
import * as SqlClient from "@effect/sql/SqlClient"
import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import { exposure } from "../src/migrations/0095_exposure.js"
import * as PgLayer from "./shared/PgLayer.js"

/** Histories of two orgs, long enough for several buckets. */
const fill = Effect.gen(function* () {
  const store = yield* SnapshotStore
  const histories = FastCheck.sample(Generated.restlessHistory(80), { numRuns: 3, seed: 5 })
  const [first, second] = [yield* Fixture.org, yield* Fixture.org]
  for (const [at, history] of histories.entries()) {
    const environment = ref(yield* Fixture.environment(at < 2 ? first : second, `env-${at}`))
    for (const { draft } of history) yield* store.append(environment, draft)
  }
})

const told = Effect.gen(function* () {
  const { query } = yield* PgLayer.TestDatabase
  yield* query("alter table attestry.exposure no force row level security")
  const rows = yield* query("select * from attestry.exposure order by 1, 2, 3, 4, 11")
  yield* query("alter table attestry.exposure force row level security")
  return rows
})

/** The tables that exposures replace, as far as the migration looks at them. */
const undo = `
  drop view attestry.fingerprint_run, attestry.running_fingerprint;
  drop table attestry.exposure;
  create table attestry.running_fingerprint (org_id text);
  create table attestry.fingerprint_run (org_id text);
  create function attestry.fingerprint_run_open() returns int4 language sql as 'select 1';
  create function attestry.fingerprint_run_close() returns int4 language sql as 'select 1'`

const migrateAgain = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`set search_path to attestry, pg_temp`
  yield* sql.withTransaction(exposure)
})

const roundTrip = Effect.gen(function* () {
  const { query, url } = yield* PgLayer.TestDatabase
  yield* Effect.provide(fill, PgLayer.layerOn({ url }))
  const before = yield* told
  assert.isAbove(before.length, 100)
  assert.isTrue(before.some(({ last_index }) => last_index === null))
  assert.isTrue(before.some(({ started_verdict, verdict }) => started_verdict !== verdict))
  assert.isTrue(before.some(({ non_compliant }) => Number(non_compliant) > 0))
  assert.isTrue(before.some(({ non_compliant }) => Number(non_compliant) < 0))
  yield* query(undo)
  yield* Effect.provide(migrateAgain, PgClient.layer({ url, maxConnections: 1 }))
  assert.deepStrictEqual(yield* told, before)
})

it.live("derives from older histories the exposures that each snapshot would have written", () =>
  roundTrip.pipe(Effect.provide(PgLayer.layerDatabase), Effect.scoped)
)

it.live("does so also as an owner that is no superuser", () =>
  roundTrip.pipe(Effect.provide(PgLayer.layerPlainOwner), Effect.scoped)
)
