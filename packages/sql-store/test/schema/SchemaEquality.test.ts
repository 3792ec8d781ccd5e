/** The files of `schema/` make what the migrations make. */
import * as SqlClient from "@effect/sql/SqlClient"
import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as SchemaFiles from "../../src/internal/schema/SchemaFiles.js"
import * as SchemaUpgrade from "../../src/internal/schema/SchemaUpgrade.js"
import * as PgStore from "../../src/pg/PgStore.js"
import * as PgLayer from "../shared/PgLayer.js"
import * as SchemaFacts from "./SchemaFacts.js"

const onEmpty = Effect.provide(PgLayer.layerEmpty)

const ofMigrations = Effect.gen(function* () {
  const { url } = yield* PgLayer.TestDatabase
  yield* PgStore.migrate({ url })
  return yield* SchemaFacts.read
}).pipe(onEmpty)

const ofFiles = Effect.gen(function* () {
  const { url } = yield* PgLayer.TestDatabase
  const run = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* SchemaUpgrade.run(sql, SchemaFiles.read())
  })
  const separator = Redacted.value(url).includes("?") ? "&" : "?"
  const inSchema = `${Redacted.value(url)}${separator}options=-csearch_path%3Dattestry,pg_temp`
  const client = PgClient.layer({ url: Redacted.make(inSchema), maxConnections: 2 })
  yield* Effect.provide(run, client)
  return yield* SchemaFacts.read
}).pipe(onEmpty)

it.live("is the same from files as from migrations", () =>
  Effect.gen(function* () {
    const [migrated, made] = [yield* ofMigrations, yield* ofFiles]
    assert.isAbove(made.length, 1_500)
    assert.deepStrictEqual(made, migrated)
  })
)
