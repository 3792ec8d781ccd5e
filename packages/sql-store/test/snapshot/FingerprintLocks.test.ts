/** A report takes few locks, however many fingerprints arrive, and writers of evidence wait for it. */
import { Fingerprint } from "@attestry/core/Fingerprint"
import { ProvenanceStore } from "@attestry/core/ProvenanceStore"
import { Transaction } from "@attestry/core/Transaction"
import * as Fixture from "@attestry/core/testing/Fixture"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Either, Fiber } from "effect"

/** Above this number `flow_records` locks the org instead of each fingerprint. */
const FINGERPRINT_LOCKS_MAX = 256

import * as PgLayer from "../shared/PgLayer.js"

const fingerprint = (number: number) => Fingerprint.make(number.toString(16).padStart(64, "0"))

const fingerprints = (count: number) =>
  Array.from({ length: count }, (_, number) => fingerprint(number))

const OTHER = fingerprint(1_000_000)

const locksHeld = Effect.flatMap(SqlClient, (sql) =>
  Effect.map(
    sql<{ count: number }>`select count(*)::int4 as count from pg_locks
      where locktype = 'advisory' and pid = pg_backend_pid()`,
    (rows) => rows[0]?.count
  )
)

/** The locks that a report with so many arriving fingerprints holds. */
const whileArriving = (count: number) =>
  Effect.gen(function* () {
    const [org, { run }, provenance] = yield* Effect.all([
      Fixture.org,
      Transaction,
      ProvenanceStore
    ])
    const { query } = yield* PgLayer.TestDatabase
    const waits = (one: string) =>
      Effect.map(
        Effect.either(
          query("select invalidate_running($1, $2::jsonb)", [org.id, JSON.stringify([one])])
        ),
        Either.isLeft
      )
    yield* query("set lock_timeout to '100ms'")
    return yield* run(org.id, () =>
      Effect.gen(function* () {
        const arriving = fingerprints(count)
        yield* provenance.records(org.id, [], arriving)
        return {
          locks: yield* locksHeld,
          waits: yield* waits(fingerprint(0)),
          waitsForOther: yield* waits(OTHER)
        }
      })
    )
  })

layer(PgLayer.layer, { excludeTestServices: true })("locks on fingerprints (PostgreSQL)", (it) => {
  it.effect("are one for each, and one for the org, while there are few", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* whileArriving(FINGERPRINT_LOCKS_MAX), {
        locks: FINGERPRINT_LOCKS_MAX + 1,
        waits: true,
        waitsForOther: false
      })
    })
  )

  it.effect("are one for the org when there are many", () =>
    Effect.gen(function* () {
      const one = { locks: 1, waits: true, waitsForOther: true }
      assert.deepStrictEqual(yield* whileArriving(FINGERPRINT_LOCKS_MAX + 1), one)
      assert.deepStrictEqual(yield* whileArriving(50_000), one)
    })
  )

  it.effect("are none when no fingerprint arrives", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* whileArriving(0), {
        locks: 0,
        waits: false,
        waitsForOther: false
      })
    })
  )

  it.effect("are free while evidence waits for an environment", () =>
    Effect.gen(function* () {
      const [org, { run }, provenance, sql] = yield* Effect.all([
        Fixture.org,
        Transaction,
        ProvenanceStore,
        SqlClient
      ])
      const { query, url } = yield* PgLayer.TestDatabase
      const { id: environment } = yield* Fixture.environment(org)
      const [runs, arrives] = [fingerprint(1), fingerprint(2)]
      yield* query(
        `insert into exposure (org_id, fingerprint, environment_id, first_index, from_at,
            started_verdict, verdict, non_compliant, name)
          values ($1, $2, $3, 1, 0, 'Compliant', 'Compliant', 0, 'shop')`,
        [org.id, runs, environment]
      )
      const marking = yield* PgLayer.connect(url)
      const marked = yield* run(org.id, () =>
        Effect.gen(function* () {
          yield* sql`select set_config('lock_timeout', '500ms', true)`
          yield* sql`select from environment where org_id = ${org.id}
            and environment_id = ${environment} for update`
          const waiting = yield* Effect.fork(
            Effect.promise(() =>
              marking.query("select invalidate_running($1, $2::jsonb)", [
                org.id,
                JSON.stringify([runs, arrives])
              ])
            )
          )
          yield* Effect.repeat(
            query(
              "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%invalidate_running($1%'"
            ),
            { until: (found) => found.length > 0 }
          )
          yield* provenance.records(org.id, [], [arrives])
          return waiting
        })
      )
      yield* Fiber.join(marked)
      const [left] = yield* query("select rows_digest from environment where environment_id = $1", [
        environment
      ])
      assert.isNull(left?.rows_digest)
    }).pipe(Effect.scoped)
  )
})
