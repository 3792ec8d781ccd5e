/** Streams out of PostgreSQL: how long a connection is held, and what a failure leaves. */
import { OrgId } from "@attestry/core/Identifier"
import { SqlError } from "@effect/sql/SqlError"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Redacted, Stream } from "effect"
import * as CopyOut from "../../src/pg/internal/CopyOut.js"
import * as PgConnection from "../../src/pg/internal/PgConnection.js"
import { TYPES } from "../../src/pg/internal/PgDriver.js"
import * as ServerWatch from "../../src/pg/internal/ServerWatch.js"
import * as SessionSettings from "../../src/pg/internal/SessionSettings.js"
import { WatchedPool } from "../../src/pg/internal/WatchedPool.js"
import * as PgLayer from "../shared/PgLayer.js"

const LONG = "select repeat('x', 1000) from generate_series(1, 1000000)"
const SHORT = "select repeat('x', 1000) from generate_series(1, 3)"

const watch = ServerWatch.make(() => Promise.resolve(undefined))

/** A pool of its own, whose connections are counted. */
const pool = Effect.gen(function* () {
  const { url } = yield* PgLayer.TestDatabase
  return yield* Effect.acquireRelease(
    Effect.sync(
      () =>
        new WatchedPool({
          connectionString: Redacted.value(url),
          max: 4,
          types: TYPES,
          setup: SessionSettings.SESSION,
          watch
        })
    ),
    (made) => Effect.promise(() => made.end())
  )
})

const request = (text: string) => ({
  operation: "test",
  org: OrgId.make("org-1"),
  arguments: { text: 'it\'s "asked"' },
  settings: {},
  text
})

const opened = (limits: Partial<CopyOut.CopyLimits> = {}) =>
  Effect.map(pool, (made) => {
    const options = {
      nameOf: PgConnection.makeNames(),
      types: TYPES,
      watch,
      cancel: () => Effect.void
    }
    const copyOut = CopyOut.make({
      connectionsMax: 4,
      watch,
      limits: { ...CopyOut.LIMITS, ...limits },
      reserve: () =>
        Effect.map(
          Effect.mapError(made.reserve, (cause) => new SqlError({ cause })),
          (client) => ({ client, connection: PgConnection.make(client, options) })
        )
    })
    return { pool: made, texts: (text: string) => copyOut(request(text)) }
  })

const count = Stream.runFold(0, (sum, bytes: Uint8Array) => sum + bytes.byteLength)

/** What backends that copy are waiting for. */
const copying = Effect.gen(function* () {
  const { query } = yield* PgLayer.TestDatabase
  // WHY: a failed query fails the test.
  const rows = yield* Effect.orDie(
    query(`select wait_event from pg_stat_activity where query like 'copy (%'
      and state = 'active' and datname = current_database()`)
  )
  return rows.map(({ wait_event }) => wait_event)
})

const until = <E, R>(condition: Effect.Effect<boolean, E, R>) =>
  Effect.repeat(Effect.delay(condition, "50 millis"), { until: (holds) => holds })

layer(PgLayer.layerDatabase, { excludeTestServices: true })("CopyOut", (it) => {
  it.scoped("gives every text, passes the arguments to the query, and keeps the connection", () =>
    Effect.gen(function* () {
      const { pool: made, texts } = yield* opened()
      const many = "select repeat('x', 1000) from generate_series(1, 20000)"
      assert.strictEqual(yield* count(texts(many)), 20_000_000)
      const asked = "select current_setting('attestry.arguments')::jsonb ->> 'text'"
      assert.strictEqual(yield* Stream.mkString(Stream.decodeText(texts(asked))), 'it\'s "asked"')
      assert.deepStrictEqual([made.totalCount, made.idleCount], [1, 1])
    })
  )

  it.scoped("releases the connection at once when its reader is interrupted", () =>
    Effect.gen(function* () {
      const { pool: made, texts } = yield* opened()
      yield* Stream.runDrain(Stream.take(texts(LONG), 1))
      assert.strictEqual(made.totalCount, 0)
      const reading = yield* Effect.fork(Stream.runForEach(texts(LONG), () => Effect.never))
      yield* until(Effect.map(copying, (found) => found.length === 1))
      yield* Fiber.interrupt(reading)
      assert.strictEqual(made.totalCount, 0)
      yield* until(Effect.map(copying, (found) => found.length === 0))
    })
  )

  it.scoped(
    "lets PostgreSQL wait while the stream is not read, and then closes the connection",
    () =>
      Effect.gen(function* () {
        const { pool: made, texts } = yield* opened({ chunkTime: "1500 millis" })
        const reading = yield* Effect.fork(
          Stream.runForEach(texts(LONG), () => until(Effect.sync(() => made.totalCount === 0)))
        )
        yield* until(Effect.map(copying, (found) => found[0] === "ClientWrite"))
        const failed = yield* Effect.flip(Fiber.join(reading))
        assert.strictEqual(String(failed.cause), "Error: the reader took nothing for too long")
        yield* until(Effect.map(copying, (found) => found.length === 0))
      })
  )

  it.scoped("ends a slow reader after the whole time", () =>
    Effect.gen(function* () {
      const { pool: made, texts } = yield* opened({ wholeTime: "700 millis" })
      const reading = Stream.runForEach(texts(LONG), () => Effect.sleep("20 millis"))
      const failed = yield* Effect.flip(reading)
      assert.match(String(failed.cause), /the reader took too long|statement timeout/)
      assert.strictEqual(made.totalCount, 0)
    })
  )

  it.scoped("fails in the middle where the query does, and other streams go on", () =>
    Effect.gen(function* () {
      const { texts } = yield* opened()
      let seen = 0
      const broken = "select repeat('x', 1000 / (5000 - i)) || i from generate_series(1, 9999) i"
      const failed = yield* Effect.flip(
        Stream.runForEach(texts(broken), ({ byteLength }) =>
          Effect.sync(() => {
            seen += byteLength
          })
        )
      )
      assert.match(String(failed.cause), /division by zero/)
      assert.isAbove(seen, 0)
      assert.strictEqual(yield* count(texts(SHORT)), 3_000)
    })
  )

  it.scoped("fails when the database ends the connection", () =>
    Effect.gen(function* () {
      const { texts } = yield* opened()
      const { query } = yield* PgLayer.TestDatabase
      const reading = yield* Effect.fork(count(texts(LONG)))
      yield* until(Effect.map(copying, (found) => found.length === 1))
      yield* query(`select pg_terminate_backend(pid) from pg_stat_activity
        where query like 'copy (%' and datname = current_database()`)
      assert.strictEqual((yield* Effect.flip(Fiber.join(reading)))._tag, "StoreError")
      assert.strictEqual(yield* count(texts(SHORT)), 3_000)
    })
  )

  it.scoped("uses at most a quarter of the connections, and at least one", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual([1, 4, 10].map(CopyOut.streamsMax), [1, 1, 2])
      const { pool: made, texts } = yield* opened()
      const first = yield* Effect.fork(Stream.runForEach(texts(LONG), () => Effect.never))
      yield* until(Effect.map(copying, (found) => found.length === 1))
      const second = yield* Effect.fork(count(texts(SHORT)))
      yield* Effect.sleep("200 millis")
      assert.strictEqual(made.totalCount, 1)
      yield* Fiber.interrupt(first)
      assert.strictEqual(yield* Fiber.join(second), 3_000)
    })
  )
})
