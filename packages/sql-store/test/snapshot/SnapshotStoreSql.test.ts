/** How snapshots are stored on PostgreSQL: a snapshot costs what changed, and rows are stored in buckets. */

import { ref } from "@attestry/core/Environment"
import { SEMANTICS } from "@attestry/core/PolicySemantics"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as LargeSnapshot from "@attestry/core/testing/LargeSnapshot"
import * as Generated from "@attestry/core/testing/Snapshot"
import { assert, layer } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import { PART_ROWS } from "../../src/internal/snapshot/internal/SnapshotParts.js"
import * as PgLayer from "../shared/PgLayer.js"

/** `snapshot_append` begins a bucket when the changes of one exceed this multiple of the rows that run. */
const BUCKET_TURNOVER = 4

/** Enough for several buckets. */
const SNAPSHOTS = 120

/** An environment with a history that is the same in every run. */
const prepare = Effect.gen(function* () {
  const store = yield* SnapshotStore
  const environment = ref(yield* Fixture.environment(yield* Fixture.org))
  const [history = []] = FastCheck.sample(Generated.snapshotHistory(SNAPSHOTS), {
    numRuns: 1,
    seed: 7
  })
  for (const { draft } of history) yield* store.append(environment, draft)
  return { store, environment, history }
})

const count = (table: string, environment: string) =>
  Effect.gen(function* () {
    const { query } = yield* PgLayer.TestDatabase
    const text = `select count(*)::int4 as n from ${table} where environment_id = $1`
    const [row] = yield* query(text, [environment])
    return Number(row?.n)
  })

layer(PgLayer.layer, { excludeTestServices: true })("SnapshotStoreSql", (it) => {
  it.effect("stores the same rows and events in one part and in several", () =>
    Effect.gen(function* () {
      const store = yield* SnapshotStore
      const { query } = yield* PgLayer.TestDatabase
      for (const rows of [PART_ROWS / 2, PART_ROWS / 2 + 1, PART_ROWS, PART_ROWS + 1]) {
        const { org, environment } = ref(yield* Fixture.environment(yield* Fixture.org))
        for (const draft of LargeSnapshot.replaced(rows)) {
          yield* store.append({ org, environment }, draft)
          const running = yield* store.running({ org, environment })
          assert.deepStrictEqual(
            running.map(({ name, fingerprint }) => `${name} ${fingerprint}`).sort(),
            draft.begun.map(({ name, fingerprint }) => `${name} ${fingerprint}`).sort()
          )
          const told = yield* query(
            `select r.name, r.fingerprint, e.type from snapshot_event e
              join snapshot_row r on r.org_id = e.org_id and r.environment_id = e.environment_id
                and r.bucket = e.bucket and r.row_no = e.row_no
              where e.environment_id = $1 and e.index = $2 order by e.position`,
            [environment, draft.index]
          )
          assert.deepStrictEqual(
            told,
            draft.events.map(({ annotation: { type }, fingerprint, name }) => ({
              name,
              fingerprint,
              type
            }))
          )
          const [deployed] = yield* query(
            `select count(*)::int4 as n, min(total)::int4 as least, max(total)::int4 as most
              from deployment where environment_id = $1 and index = $2`,
            [environment, draft.index]
          )
          const most = draft.index * rows
          assert.deepStrictEqual(deployed, { n: rows, least: most, most })
        }
      }
      const left = yield* query("select count(*)::int4 as n from snapshot_part")
      assert.deepStrictEqual(left, [{ n: 0 }])
    })
  )

  it.effect("writes one row for a snapshot in which only the verdict differs", () =>
    Effect.gen(function* () {
      const { store, environment, history } = yield* prepare
      const id = environment.environment
      const before = [yield* count("snapshot_row", id), yield* count("snapshot_event", id)]
      const last = history.at(-1)?.draft
      const timestamp = Timestamp.plusSeconds(last?.timestamp ?? Fixture.AT, 1)
      const same = {
        policies: [],
        ended: [],
        begun: [],
        events: [],
        index: SNAPSHOTS + 1,
        timestamp,
        evaluated_all: false,
        semantics: SEMANTICS
      }
      const counts = last?.counts ?? { true: 0, false: 0, null: 0 }
      yield* store.append(environment, { ...same, verdict: "Compliant", counts })
      assert.strictEqual(yield* count("snapshot", id), SNAPSHOTS + 1)
      assert.deepStrictEqual(
        [yield* count("snapshot_row", id), yield* count("snapshot_event", id)],
        before
      )
    })
  )

  it.effect("begins a new bucket after several times as many changes as running rows", () =>
    Effect.gen(function* () {
      const { environment, history } = yield* prepare
      const { query } = yield* PgLayer.TestDatabase
      const buckets = yield* query(
        `select s.bucket, min(s.index) as first, max(s.index) as last, max(s.changes) as changes,
            max(s.count_true + s.count_false + s.count_null) as running,
            (select count(*)::int4 from snapshot_row r where r.environment_id = s.environment_id
              and r.bucket = s.bucket) as rows
          from snapshot s where environment_id = $1 group by environment_id, bucket order by 1`,
        [environment.environment]
      )
      assert.strictEqual(buckets.length >= 2, true)
      for (const { changes, running, rows } of buckets) {
        assert.strictEqual(Number(changes) <= Math.max(32, BUCKET_TURNOVER * Number(running)), true)
        assert.strictEqual(Number(rows) <= Number(changes) + Number(running) + 7, true)
      }
      const written = history.reduce((sum, { draft }) => sum + draft.begun.length, 0)
      const carried = (yield* count("snapshot_row", environment.environment)) - written
      const changed = history.reduce((sum, { draft }) => sum + draft.ended.length, written)
      assert.strictEqual(carried * BUCKET_TURNOVER <= changed + 40, true)
    })
  )
})
