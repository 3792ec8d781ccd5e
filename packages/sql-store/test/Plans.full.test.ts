/** The statements of every report look rows up by key, however many rows other orgs have. */
import { ref } from "@attestry/core/Environment"
import { Fingerprint } from "@attestry/core/Fingerprint"
import { ReadModels } from "@attestry/core/ReadModels"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import { NO_DETAILS } from "@attestry/core/Trail"
import { Transaction } from "@attestry/core/Transaction"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as Generated from "@attestry/core/testing/Snapshot"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import * as PgLayer from "./shared/PgLayer.js"

/** How often a table was searched by an index in this transaction, and how many rows were read without one. */
const searched = (table: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ readonly searches: number; readonly read: number }>`
      select idx_scan::int4 as searches, seq_tup_read::int4 as read
      from pg_stat_xact_user_tables where relname = ${table}`
    return { searches: row?.searches ?? 0, read: row?.read ?? 0 }
  })

layer(PgLayer.layer, { excludeTestServices: true })("Plans", (it) => {
  it.effect("appending a snapshot reads nothing of what runs elsewhere", () =>
    Effect.gen(function* () {
      const store = yield* SnapshotStore
      const transaction = yield* Transaction
      const { query } = yield* PgLayer.TestDatabase
      const org = yield* Fixture.org
      yield* query(
        `insert into attestry.exposure
          select $1, lpad(to_hex(i), 64, '0'), 'elsewhere', 1, null, 1, null, 'Unknown', 'Unknown', 0, 'a'
          from generate_series(1, 5000) i`,
        [org.id]
      )
      yield* query("analyze attestry.exposure")
      const environment = ref(yield* Fixture.environment(org))
      const [history = []] = FastCheck.sample(Generated.restlessHistory(20), {
        numRuns: 1,
        seed: 7
      })
      assert.isTrue(history.some(({ draft }) => draft.ended.length > 0))
      const work = Effect.gen(function* () {
        for (const { draft } of history) yield* store.append(environment, draft)
        return yield* searched("exposure")
      })
      const { searches, read } = yield* transaction.run(org.id, () => work)
      assert.isAbove(searches, 0)
      assert.strictEqual(read, 0)
    })
  )

  it.effect("where a content runs is looked up by keys, also without statistics", () =>
    Effect.gen(function* () {
      const { query } = yield* PgLayer.TestDatabase
      const org = yield* Fixture.org
      const environment = ref(yield* Fixture.environment(org))
      yield* query(
        `insert into attestry.snapshot (org_id, environment_id, index, timestamp, verdict, count_true,
            count_false, count_null, bucket, changes, events_total, commit_position, semantics)
          select $1, $2, i, i, 'Unknown', 0, 0, 0, 0, 0, 0, i, 1 from generate_series(1, 5000) i`,
        [org.id, environment.environment]
      )
      yield* query(
        `insert into attestry.exposure
          select $1, lpad(to_hex(i), 64, '0'), $2, i, i, i, i + 1, 'Unknown', 'Unknown', 0, 'a'
          from generate_series(1, 4999) i`,
        [org.id, environment.environment]
      )
      const placements = yield* ReadModels
      const transaction = yield* Transaction
      const wanted = [17, 18, 19].map((i) => Fingerprint.make(i.toString(16).padStart(64, "0")))
      const found = yield* transaction.run(org.id, () =>
        Effect.gen(function* () {
          const before = yield* searched("snapshot")
          const list = yield* placements.placements(org.id, wanted)
          const snapshots = yield* searched("snapshot")
          return {
            indexes: list.map(({ runs: [{ started }] }) => started.index),
            runs: yield* searched("exposure"),
            snapshots: { ...snapshots, searches: snapshots.searches - before.searches }
          }
        })
      )
      assert.deepStrictEqual(found.indexes, [17, 18, 19])
      assert.strictEqual(found.runs.read, 0)
      assert.deepStrictEqual(found.snapshots, { searches: 9, read: 0 })
    })
  )

  it.effect("a trail is looked up in its own flow only", () =>
    Effect.gen(function* () {
      const org = yield* Fixture.org
      const { query } = yield* PgLayer.TestDatabase
      for (let index = 0; index < 30; index++) yield* Fixture.flow(org, `flow-${index}`)
      yield* query(
        `insert into attestry.trail (org_id, trail_id, flow_id, name, details, repo_ids, created_by,
            created_at, last_modified_at)
          select f.org_id, f.name || '/' || i, f.flow_id, 'run-' || i, $2, '{}', 'test', 0, 0
          from attestry.flow f, generate_series(1, 100) i where f.org_id = $1`,
        [org.id, JSON.stringify(NO_DETAILS)]
      )
      yield* query("analyze attestry.trail")
      const transaction = yield* Transaction
      const sql = yield* SqlClient.SqlClient
      const asked = JSON.stringify([{ flow: "flow-17", name: "run-50" }])
      const found = yield* transaction.run(org.id, () =>
        Effect.gen(function* () {
          const rows = yield* sql<{ readonly document: object | null }>`
            select document from lock_trails(${asked}::json, true)`
          return { rows, trails: yield* searched("trail") }
        })
      )
      assert.isNotNull(found.rows[0]?.document ?? null)
      assert.deepStrictEqual(found.trails, { searches: 2, read: 0 })
    })
  )
})
