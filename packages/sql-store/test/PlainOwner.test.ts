/**
 * The SQL store on a database whose owner is no superuser: there row-level security binds the owner too,
 * and with it every function that runs as the owner.
 */
import { storeSuite } from "@attestry/core/testing/StoreSuite"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as PgStore from "../src/pg/PgStore.js"
import * as PgLayer from "./shared/PgLayer.js"

storeSuite("PostgreSQL with a plain owner", PgLayer.layerOnPlainOwner, {
  histories: 1,
  snapshots: 6
})

layer(PgLayer.layerPlainOwner, { excludeTestServices: true })("a plain owner", (it) => {
  it.effect("has no privileges beyond its database", () =>
    Effect.gen(function* () {
      const { query } = yield* PgLayer.TestDatabase
      const text = "select rolsuper, rolcreaterole, rolbypassrls from pg_roles where rolname = user"
      assert.deepStrictEqual(yield* query(text), [
        { rolsuper: false, rolcreaterole: false, rolbypassrls: false }
      ])
    })
  )

  it.effect("migrates again without asking for any", () =>
    Effect.gen(function* () {
      const { url } = yield* PgLayer.TestDatabase
      yield* PgStore.migrate({ url })
    })
  )
})
