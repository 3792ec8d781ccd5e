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

const detour = Effect.gen(function* () {
  const { url } = yield* PgLayer.TestDatabase
  return yield* Detour.make(url)
})

it.scopedLive("requests wait for connections to a server of our own", () =>
  Effect.gen(function* () {
    const way = yield* detour
    const own = yield* PgStore.openOwn({ url: way.url })
    yield* way.late(LATE_MS)
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { check } = yield* StoreHealth
      const requests = Array.from({ length: 25 }, () => sql`select 1 as one`)
      const [took, rows] = yield* Effect.timed(Effect.all(requests, { concurrency: "unbounded" }))
      assert.deepStrictEqual(rows.flat(), Array(25).fill({ one: 1 }))
      assert.isAbove(Duration.toMillis(took), LATE_MS - 500)
      yield* check
    }).pipe(Effect.provide(PgLayer.layerOn(own)))
  }).pipe(Effect.provide(PgLayer.layerDatabase))
)

it.scopedLive("a start waits for connections to any server", () =>
  Effect.gen(function* () {
    const { late, url } = yield* detour
    yield* late(LATE_MS)
    const [took] = yield* Effect.timed(PgStore.migrate({ url }))
    assert.isAbove(Duration.toMillis(took), LATE_MS - 500)
  }).pipe(Effect.provide(PgLayer.layerDatabase))
)
