/** What makes a PostgreSQL unfit: settings that lose acknowledged writes, and a schema that is behind. */
import { StoreHealth } from "@attestry/core/StoreHealth"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Migrations from "../../src/Migrations.js"
import * as PgLayer from "./PgLayer.js"

const reasons = Effect.flatMap(StoreHealth, ({ check }) =>
  Effect.map(Effect.flip(check), (unhealthy) => unhealthy.reasons)
)

it.live("refuses a database that acknowledges writes before they are durable", () =>
  Effect.gen(function* () {
    const { query, url } = yield* PgLayer.TestDatabase
    yield* query(`do $$ begin
      execute format('alter database %I set synchronous_commit = off', current_database());
    end $$`)
    assert.deepStrictEqual(yield* Effect.provide(reasons, PgLayer.layerOn({ url })), [
      "PostgreSQL runs with synchronous_commit=off and may lose acknowledged writes: turn it on"
    ])
  }).pipe(Effect.provide(PgLayer.layerDatabase))
)

it.live("refuses a database that is behind the program", () =>
  Effect.gen(function* () {
    const { query } = yield* PgLayer.TestDatabase
    const latest = Migrations.latest()
    const before = latest - 1
    yield* query(`update ${Migrations.TABLE} set migration_id = $1 where migration_id = $2`, [
      before,
      latest
    ])
    assert.deepStrictEqual(yield* reasons, [
      `the database is at migration ${before} of ${latest}: run \`attestry-server migrate\``
    ])
  }).pipe(Effect.provide(PgLayer.layer))
)
