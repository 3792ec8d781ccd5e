/** What flows know about what arrives is read together with the lock, and only when that is certain. */
import { ref } from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { Fingerprint, isKnown } from "@attestry/core/Fingerprint"
import { ProvenanceStore } from "@attestry/core/ProvenanceStore"
import type { RowIdentity } from "@attestry/core/RunningRow"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import { Transaction } from "@attestry/core/Transaction"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as Generated from "@attestry/core/testing/Snapshot"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import * as LockedRecords from "../../src/snapshot/LockedRecords.js"
import * as PgLayer from "../shared/PgLayer.js"

const [history = []] = FastCheck.sample(Generated.snapshotHistory(12), { numRuns: 1, seed: 5 })
const arriving = ["1", "2"].map((digit) => Fingerprint.make(digit.repeat(64)))
const [first = "", second = ""] = arriving

/** An environment whose latest snapshot this process remembers, and what runs there. */
const remembered = Effect.gen(function* () {
  const { run } = yield* Transaction
  const environments = yield* EnvironmentStore
  const store = yield* SnapshotStore
  const made = yield* Fixture.environment(yield* Fixture.org)
  const environment = ref(made)
  const { org } = environment
  const lock = (reported?: ReadonlyArray<RowIdentity>) =>
    environments.lockByName({ org, name: made.name }, reported)
  const [begin, next] = history.filter(({ running }) => running.length > 0)
  if (begin === undefined || next === undefined) return yield* Effect.dieMessage("no snapshots")
  const append = (draft: typeof begin.draft) =>
    run(org, () =>
      Effect.zipRight(
        Effect.zipRight(lock(), store.running(environment)),
        store.append(environment, draft)
      )
    )
  const { running } = begin
  yield* append({ ...begin.draft, index: 1, ended: [], begun: running, events: [], running })
  yield* run(org, () => lock())
  const reported = [
    ...begin.running,
    ...arriving.map((fingerprint) => ({ name: "x", fingerprint }))
  ]
  return { run, org, environment, lock, running: begin.running, reported, next, store }
})

/** How many fingerprints the transaction under way keeps from writers of evidence. */
const locksHeld = Effect.flatMap(SqlClient, (sql) =>
  Effect.map(
    sql<{ count: number }>`select count(*)::int4 as count from pg_locks
      where locktype = 'advisory' and pid = pg_backend_pid()`,
    (rows) => rows[0]?.count
  )
)

layer(PgLayer.layer, { excludeTestServices: true })("LockedRecords (PostgreSQL)", (it) => {
  it.effect("waits for writers about what arrives, and reads, together with the lock", () =>
    Effect.gen(function* () {
      const { run, org, lock, reported, running } = yield* remembered
      const provenance = yield* ProvenanceStore
      yield* run(org, () =>
        Effect.gen(function* () {
          yield* lock(reported)
          // The two, and the org that they are of.
          assert.strictEqual(yield* locksHeld, 3)
          assert.deepStrictEqual(yield* LockedRecords.take(arriving), [])
          assert.strictEqual(yield* LockedRecords.take(arriving), undefined)
          yield* lock(running)
          assert.strictEqual(yield* LockedRecords.take([]), undefined)
          yield* lock(reported)
          assert.deepStrictEqual(yield* provenance.records(org, arriving, arriving), [])
          assert.strictEqual(yield* LockedRecords.take(arriving), undefined)
        })
      )
    })
  )

  it.effect("answers about exactly those that were read", () =>
    Effect.gen(function* () {
      const { run, org, lock, reported } = yield* remembered
      const others = [[first], [second, first, "3".repeat(64)], [first, "3".repeat(64)], []]
      yield* run(org, () =>
        Effect.forEach(others, (asked) =>
          Effect.gen(function* () {
            yield* lock(reported)
            assert.strictEqual(yield* LockedRecords.take(asked), undefined)
          })
        )
      )
      assert.strictEqual(yield* LockedRecords.take(arriving), undefined)
    })
  )

  it.effect("leaves it to those who ask when others have appended since, or nobody said", () =>
    Effect.gen(function* () {
      const { run, org, environment, lock, reported, running, next, store } = yield* remembered
      yield* run(org, () => Effect.zipRight(lock(), LockedRecords.take([])))
      const { draft } = next
      // WHY: without the lock nothing is remembered, as when another process appends.
      yield* store.append(environment, { ...draft, index: 2, ended: [], begun: [], events: [] })
      yield* run(org, () =>
        Effect.gen(function* () {
          yield* lock(reported)
          assert.strictEqual(yield* locksHeld, 0)
          assert.strictEqual(yield* LockedRecords.take(arriving), undefined)
          assert.strictEqual((yield* store.running(environment)).length, running.length)
        })
      )
      yield* run(org, () =>
        Effect.gen(function* () {
          yield* lock()
          assert.strictEqual(yield* locksHeld, 0)
        })
      )
      assert.isTrue(reported.some(({ fingerprint }) => isKnown(fingerprint)))
    })
  )
})
