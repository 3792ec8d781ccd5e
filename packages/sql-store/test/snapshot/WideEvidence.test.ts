/**
 * Evidence about a fingerprint that runs in very many environments: it locks none of them, and each evaluates its next
 * report as if it had been locked.
 */
import { ref } from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { TemplateId, TrailId } from "@attestry/core/Identifier"
import { Invalidation } from "@attestry/core/Invalidation"
import type { Org } from "@attestry/core/Org"
import { Transaction } from "@attestry/core/Transaction"
import * as Fixture from "@attestry/core/testing/Fixture"
import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import * as PgLayer from "../shared/PgLayer.js"

/** Above this number no environment is locked. */
const NARROW_MAX = 256

const fingerprint = (number: number) => number.toString(16).padStart(64, "0")

/** An org with so many environments that run a fingerprint, each with digests of a report, and one that does not. */
const running = (count: number) =>
  Effect.gen(function* () {
    const { query } = yield* PgLayer.TestDatabase
    const org = yield* Fixture.org
    const other = yield* Fixture.environment(org, "other")
    yield* query(
      `insert into attestry.environment select (jsonb_populate_record(e, jsonb_build_object(
          'environment_id', 'e-' || i, 'name', 'e-' || i))).*
        from attestry.environment e, generate_series(1, $2::int4) i where e.org_id = $1`,
      [org.id, count]
    )
    yield* query(
      `update attestry.environment set body_digest = 'b', rows_digest = 'r' where org_id = $1`,
      [org.id]
    )
    // Twice in the first: under two names.
    yield* query(
      `insert into attestry.exposure (org_id, fingerprint, environment_id, first_index, from_at, started_verdict,
          verdict, non_compliant, name)
        select $1, $3, 'e-' || greatest(i, 1), 1, 0, 'Compliant', 'Compliant', 0, 'name-' || i
        from generate_series(0, $2::int4) i`,
      [org.id, count, fingerprint(1)]
    )
    return { org, other: ref(other) }
  })

/** Evidence about some fingerprints, as a writer records it. */
const evidence = (org: Org, sequence: number, fingerprints: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const [{ run }, { invalidateRunning }] = [yield* Transaction, yield* Invalidation]
    const trail = yield* Fixture.trail(yield* Fixture.flow(org, `flow-${sequence}`))
    yield* run(org.id, () =>
      invalidateRunning(org.id, fingerprints, {
        trail_id: TrailId.make(trail.id),
        sequence,
        template_id: TemplateId.make("t"),
        status: "COMPLIANT",
        at: Fixture.AT
      })
    )
  })

/** How many environments have digests, and how many fingerprints are marked. */
const stored = (org: Org) =>
  Effect.gen(function* () {
    const { query } = yield* PgLayer.TestDatabase
    const [row] = yield* query(
      `select (select count(*)::int4 from attestry.environment
          where org_id = $1 and body_digest is not null) as digests,
        (select count(*)::int4 from attestry.fingerprint_change where org_id = $1) as changes`,
      [org.id]
    )
    return [row?.digests, row?.changes]
  })

/** Whether the next report of an environment is evaluated also if it is the same. */
const isStale = (org: Org, id: string) =>
  Effect.gen(function* () {
    const [store, { run }] = [yield* EnvironmentStore, yield* Transaction]
    const all = yield* store.list(org.id)
    const found = all.find((each) => each.id === id)
    assert.isDefined(found)
    const listed = (yield* store.listStale(org.id)).has(found.id)
    const locked = yield* run(org.id, () => store.lock(ref(found)))
    assert.strictEqual(listed, Option.isNone(Option.getOrThrow(locked).reportDigests))
    return listed
  })

layer(PgLayer.layer, { excludeTestServices: true })("wide evidence (PostgreSQL)", (it) => {
  it.effect("clears the digests of 256 environments, and of more it clears none", () =>
    Effect.gen(function* () {
      const narrow = yield* running(NARROW_MAX)
      yield* evidence(narrow.org, 1, [fingerprint(1), fingerprint(2)])
      assert.deepStrictEqual(yield* stored(narrow.org), [1, 0])
      const wide = yield* running(NARROW_MAX + 1)
      yield* evidence(wide.org, 1, [fingerprint(1), fingerprint(2)])
      assert.deepStrictEqual(yield* stored(wide.org), [NARROW_MAX + 2, 1])
    })
  )

  it.effect("G-15: evaluates the next report of each that runs it, once, and of no other", () =>
    Effect.gen(function* () {
      const { org, other } = yield* running(NARROW_MAX + 1)
      const { query } = yield* PgLayer.TestDatabase
      assert.isFalse(yield* isStale(org, "e-1"))
      yield* evidence(org, 1, [fingerprint(1)])
      assert.isTrue(yield* isStale(org, "e-1"))
      assert.isTrue(yield* isStale(org, "e-257"))
      assert.isFalse(yield* isStale(org, other.environment))
      // A report gives it digests again.
      yield* query(
        `update attestry.environment set body_digest = 'b', rows_digest = 'r' where org_id = $1`,
        [org.id]
      )
      assert.isFalse(yield* isStale(org, "e-1"))
      yield* evidence(org, 2, [fingerprint(1)])
      assert.isTrue(yield* isStale(org, "e-1"))
      yield* query(`update attestry.exposure set last_index = 1 where environment_id = 'e-2'`)
      assert.isFalse(yield* isStale(org, "e-2"))
    })
  )

  it.effect("waits for evaluations, and evaluations wait for it", () =>
    Effect.gen(function* () {
      const { org } = yield* running(NARROW_MAX + 1)
      const { query, url } = yield* PgLayer.TestDatabase
      const evaluating = yield* PgLayer.connect(url)
      yield* Effect.promise(() => evaluating.query("begin"))
      yield* Effect.promise(() =>
        evaluating.query("select from lock_environment($1, 'e-9', null, null, null)", [org.id])
      )
      yield* query("set lock_timeout to '400ms'")
      const mark = query("select invalidate_running($1, $2::jsonb)", [
        org.id,
        JSON.stringify([fingerprint(1)])
      ])
      yield* Effect.flip(mark)
      yield* Effect.promise(() => evaluating.query("commit"))
      yield* query("begin")
      yield* mark
      yield* Effect.promise(() => evaluating.query("set lock_timeout to '100ms'"))
      const refused = yield* Effect.flip(
        Effect.tryPromise(() =>
          evaluating.query("select from lock_environment($1, 'e-9', null, null, null)", [org.id])
        )
      )
      assert.include(String(refused.error), "lock timeout")
      yield* query("commit")
    }).pipe(Effect.scoped)
  )
})
