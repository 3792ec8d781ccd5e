/** Connections that take seconds to open, as on a busy machine: a start and a server of our own wait for them. */
import { StoreHealth } from "@attestry/core/StoreHealth"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import * as PgStore from "../../src/pg/PgStore.js"
import * as Detour from "../shared/Detour.js"
import * as PgLayer from "../shared/PgLayer.js"

/** Longer than a server on a network is given. */
const LATE_MS = 4_000

const lateDetour = Effect.gen(function* () {
  const { url } = yield* PgLayer.TestDatabase
  const way = yield* Detour.make(url)
  yield* way.late(LATE_MS)
  return way
})

it.scopedLive("requests wait for connections to a server of our own", () =>
  Effect.gen(function* () {
    const way = yield* lateDetour
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { check } = yield* StoreHealth
      const requests = Array.from({ length: 25 }, () => sql`select 1 as one`)
      const [took, rows] = yield* Effect.timed(Effect.all(requests, { concurrency: "unbounded" }))
      assert.deepStrictEqual(rows.flat(), Array(25).fill({ one: 1 }))
      assert.isAbove(Duration.toMillis(took), LATE_MS - 500)
      yield* check
    }).pipe(Effect.provide(PgLayer.layerOn({ url: way.url, isOwn: true })))
  }).pipe(Effect.provide(PgLayer.layerDatabase))
)

it.scopedLive("a start waits for connections to any server", () =>
  Effect.gen(function* () {
    const { url } = yield* lateDetour
    const [took] = yield* Effect.timed(PgStore.migrate({ url }))
    assert.isAbove(Duration.toMillis(took), LATE_MS - 500)
  }).pipe(Effect.provide(PgLayer.layerDatabase))
)
