/** What a server process tells the store, and what it knows of the others. */
import { GONE_AFTER_MILLIS, type ServerProcessDraft } from "@attestry/core/ServerProcess"
import { ServerProcessStore } from "@attestry/core/ServerProcessStore"
import { StoreError } from "@attestry/core/StoreError"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import * as MemoryStore from "@attestry/memory-store/MemoryStore"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Logger, Metric, MetricState, Scope, TestClock } from "effect"
import * as ServerProcesses from "../src/internal/ServerProcesses.js"

const HOUR = 3_600_000

const other: ServerProcessDraft = { id: "other", release: "0.0.9", role: "writer", forms: {} }

const services = ServerProcesses.ServerProcesses.Default.pipe(
  Layer.provideMerge(MemoryStore.layer),
  Layer.provideMerge(SecretsWebCrypto.layerIds),
  Layer.provide(Logger.remove(Logger.defaultLogger))
)

const list = Effect.flatMap(ServerProcessStore, (store) => store.list(GONE_AFTER_MILLIS))

/** How many processes of a release this process has seen, by its metric. */
const seen = (release: string): Effect.Effect<number> =>
  Effect.map(Metric.snapshot, (all) =>
    all
      .filter(
        ({ metricKey: { name, tags } }) =>
          name === "attestry_server_processes" && tags.some(({ value }) => value === release)
      )
      .map(({ metricState }) =>
        MetricState.isGaugeState(metricState) ? Number(metricState.value) : 0
      )
      .reduce((sum, count) => sum + count, 0)
  )

describe("a server process", () => {
  it.effect("is on the store from its start to its end, and no longer", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      yield* Scope.extend(ServerProcesses.start("writer"), scope)
      const [found, ...others] = yield* list
      assert.deepStrictEqual(others, [])
      assert.deepInclude(found, { role: "writer", forms: { decisions: 1 } })
      assert.match(found?.release ?? "", /^\d+\.\d+\.\d+/)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(
        (yield* list).map(({ id, started_at }) => ({ id, started_at })),
        [{ id: found?.id, started_at: found?.started_at }]
      )
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(yield* (yield* ServerProcessStore).list(HOUR), [])
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* (yield* ServerProcessStore).list(HOUR), [])
    }).pipe(Effect.provide(services))
  )

  it.scoped(
    "knows of another within five seconds, and 15 after it was seen last that it is gone",
    () =>
      Effect.gen(function* () {
        const { count } = yield* ServerProcesses.ServerProcesses
        const store = yield* ServerProcessStore
        assert.strictEqual(count("writer"), 1)
        yield* ServerProcesses.start("writer")
        assert.strictEqual(count("writer"), 1)
        yield* TestClock.adjust("1 second")
        yield* store.put(other, HOUR)
        yield* TestClock.adjust("4 seconds")
        assert.deepStrictEqual([count("writer"), yield* seen("0.0.9")], [2, 1])
        yield* TestClock.adjust("10 seconds")
        assert.strictEqual(count("writer"), 2)
        yield* TestClock.adjust("5 seconds")
        assert.deepStrictEqual([count("writer"), yield* seen("0.0.9")], [1, 0])
      }).pipe(Effect.provide(services))
  )

  it.scoped("does not count readers, whose limits are their own", () =>
    Effect.gen(function* () {
      const { count } = yield* ServerProcesses.ServerProcesses
      yield* (yield* ServerProcessStore).put({ ...other, role: "reader" }, HOUR)
      yield* ServerProcesses.start("writer")
      assert.deepStrictEqual([(yield* list).length, count("writer")], [2, 1])
    }).pipe(Effect.provide(services))
  )

  it.scoped(
    "keeps what it knew while the store is away, and forgets those that died long ago",
    () =>
      Effect.gen(function* () {
        const { count } = yield* ServerProcesses.ServerProcesses
        const store = yield* ServerProcessStore
        const state = { isAway: false }
        const unless = <A>(work: Effect.Effect<A, StoreError>) =>
          Effect.suspend(() =>
            state.isAway ? new StoreError({ operation: "test", cause: "on purpose" }) : work
          )
        const failing = ServerProcessStore.of({
          put: (process, millis) => unless(store.put(process, millis)),
          list: (millis) => unless(store.list(millis)),
          remove: (id) => unless(store.remove(id))
        })
        yield* store.put(other, HOUR)
        yield* Effect.provideService(ServerProcesses.start("writer"), ServerProcessStore, failing)
        assert.strictEqual(count("writer"), 2)
        state.isAway = true
        yield* TestClock.adjust("1 hour")
        assert.strictEqual(count("writer"), 2)
        state.isAway = false
        yield* TestClock.adjust("5 seconds")
        assert.strictEqual(count("writer"), 1)
        assert.notInclude(
          (yield* store.list(24 * HOUR)).map(({ id }) => id),
          other.id
        )
      }).pipe(Effect.provide(services))
  )

  it.scoped("has an id of its own at each start", () =>
    Effect.gen(function* () {
      yield* ServerProcesses.start("writer")
      yield* ServerProcesses.start("writer")
      assert.strictEqual(new Set((yield* list).map(({ id }) => id)).size, 2)
      assert.strictEqual((yield* ServerProcesses.ServerProcesses).count("writer"), 2)
    }).pipe(Effect.provide(services))
  )
})
