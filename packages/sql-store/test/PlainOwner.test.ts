/** A database whose owner is not a superuser; `SqlStore.test.ts` runs the contract of every port on it. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as PgStore from "../src/pg/PgStore.js"
import * as PgLayer from "./shared/PgLayer.js"

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
