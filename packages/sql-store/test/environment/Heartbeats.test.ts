/** The time of the last report: shown at once, written in batches, and not lost while the process lives. */
import { type Environment, ref } from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import * as Fixture from "@attestry/core/testing/Fixture"
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Scope, TestClock } from "effect"
import { FLUSHED_EVERY } from "../../src/internal/environment/Heartbeats.js"
import * as PgLayer from "../shared/PgLayer.js"

const keyOf = ({ org_id, name }: Environment) => ({ org: org_id, name })

const shown = (environment: Environment) =>
  Effect.gen(function* () {
    const store = yield* EnvironmentStore
    const { environment: found } = yield* yield* store.findByName(keyOf(environment))
    return found.last_reported_at
  })

/** What the database itself has. */
const written = ({ id }: Environment) =>
  Effect.gen(function* () {
    const { query } = yield* PgLayer.TestDatabase
    const [row] = yield* query(
      "select last_reported_at::float8 as at from environment where environment_id = $1",
      [id]
    )
    return row?.at
  })

const eventuallyWritten = (environment: Environment, at: number) =>
  Effect.repeat(written(environment), { until: (found) => found === at })

/** Runs a statement in a transaction of its own, which lasts until it is released. */
const holding = (statement: string) =>
  Effect.gen(function* () {
    const { url } = yield* PgLayer.TestDatabase
    const scope = yield* Scope.make()
    const client = yield* Scope.extend(PgLayer.connect(url), scope)
    const run = (text: string) => Effect.promise(() => client.query(text))
    yield* run("begin")
    yield* run(statement)
    return Effect.zipRight(run("commit"), Scope.close(scope, Exit.void))
  })

const prepare = Effect.gen(function* () {
  const store = yield* EnvironmentStore
  const org = yield* Fixture.org
  const environment = yield* Fixture.environment(org)
  return {
    store,
    org,
    environment,
    beat: (at = Fixture.LATER) => store.heartbeat(ref(environment), at)
  }
})

it.layer(PgLayer.layer)("Heartbeats", (it) => {
  it.effect("writes what was collected within five seconds", () =>
    Effect.gen(function* () {
      const { environment, beat } = yield* prepare
      yield* beat()
      assert.strictEqual(yield* written(environment), null)
      yield* TestClock.adjust(FLUSHED_EVERY)
      yield* eventuallyWritten(environment, Fixture.LATER)
      assert.strictEqual(yield* shown(environment), Fixture.LATER)
    })
  )

  it.effect("does not write an earlier time over a later one", () =>
    Effect.gen(function* () {
      const { environment, beat } = yield* prepare
      const { query } = yield* PgLayer.TestDatabase
      const later = Fixture.LATER + 1
      const sql = "update environment set last_reported_at = $2 where environment_id = $1"
      yield* query(sql, [environment.id, later])
      const other = yield* Fixture.environment(yield* Fixture.org)
      yield* beat()
      yield* (yield* EnvironmentStore).heartbeat(ref(other), Fixture.LATER)
      yield* TestClock.adjust(FLUSHED_EVERY)
      yield* eventuallyWritten(other, Fixture.LATER)
      assert.strictEqual(yield* written(environment), later)
      assert.strictEqual(yield* shown(environment), later)
    })
  )

  it.effect("shows values that are being written", () =>
    Effect.gen(function* () {
      const { environment, beat } = yield* prepare
      const { query } = yield* PgLayer.TestDatabase
      yield* Effect.acquireUseRelease(
        holding("lock table environment in share mode"),
        () =>
          Effect.gen(function* () {
            yield* beat()
            yield* TestClock.adjust(FLUSHED_EVERY)
            const waiting = query(`select from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock'`)
            yield* Effect.repeat(waiting, { until: (rows) => rows.length > 0 })
            assert.strictEqual(yield* shown(environment), Fixture.LATER)
          }),
        (release) => release
      )
      yield* eventuallyWritten(environment, Fixture.LATER)
    })
  )

  it.effect("does not wait for a locked environment, and writes the others meanwhile", () =>
    Effect.gen(function* () {
      const { store, org, environment, beat } = yield* prepare
      const sibling = yield* Fixture.environment(org, "sibling")
      const hold = holding(
        `select from environment where environment_id = '${environment.id}' for update`
      )
      yield* Effect.acquireUseRelease(
        hold,
        () =>
          Effect.gen(function* () {
            yield* beat()
            yield* store.heartbeat(ref(sibling), Fixture.LATER)
            yield* TestClock.adjust(FLUSHED_EVERY)
            yield* eventuallyWritten(sibling, Fixture.LATER)
            assert.strictEqual(yield* written(environment), null)
            assert.strictEqual(yield* shown(environment), Fixture.LATER)
          }),
        (release) => release
      )
      yield* Effect.repeat(Effect.zipRight(TestClock.adjust(FLUSHED_EVERY), written(environment)), {
        until: (at) => at === Fixture.LATER
      })
    })
  )

  it.effect("keeps values that could not be written, and retries", () =>
    Effect.gen(function* () {
      const { environment, beat } = yield* prepare
      const { query } = yield* PgLayer.TestDatabase
      yield* query("revoke update on environment from attestry_app")
      yield* beat()
      yield* TestClock.adjust(FLUSHED_EVERY)
      assert.strictEqual(yield* shown(environment), Fixture.LATER)
      yield* query("grant update on environment to attestry_app")
      yield* Effect.repeat(Effect.zipRight(TestClock.adjust(FLUSHED_EVERY), written(environment)), {
        until: (at) => at === Fixture.LATER
      })
      assert.strictEqual(yield* shown(environment), Fixture.LATER)
    })
  )
})

it.effect("writes what is left when the store closes", () =>
  Effect.gen(function* () {
    const { url } = yield* PgLayer.TestDatabase
    const environment = yield* Effect.gen(function* () {
      const prepared = yield* prepare
      yield* prepared.beat()
      return prepared.environment
    }).pipe(Effect.provide(PgLayer.layerOn({ url })))
    assert.strictEqual(yield* written(environment), Fixture.LATER)
  }).pipe(Effect.provide(PgLayer.layerDatabase))
)
