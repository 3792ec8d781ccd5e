/** A connection that opens for an interrupted caller goes back to the pool. */
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as PgStore from "../../src/pg/PgStore.js"
import * as PgLayer from "../shared/PgLayer.js"

const interruptWhileOpening = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const reserving = yield* Effect.fork(Effect.scoped(sql.reserve))
  yield* Effect.yieldNow()
  yield* Fiber.interrupt(reserving)
})

it.live("releases the connection of an interrupted reservation, so that the pool can end", () =>
  Effect.gen(function* () {
    const { url } = yield* PgLayer.TestDatabase
    const client = PgStore.layerClient({ url, connectionsMax: 1 })
    const found = Effect.gen(function* () {
      yield* interruptWhileOpening
      const sql = yield* SqlClient.SqlClient
      return yield* sql`select 1 as one`
    }).pipe(Effect.provide(client), Effect.timeout("5 seconds"))
    assert.deepStrictEqual(yield* found, [{ one: 1 }])
    const ended = Effect.provide(interruptWhileOpening, client)
    yield* Effect.timeout(Effect.disconnect(ended), "5 seconds")
  }).pipe(Effect.provide(PgLayer.layerDatabase))
)
