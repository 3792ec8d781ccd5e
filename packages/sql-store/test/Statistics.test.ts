/** A start, and `migrate`, count rows where a database has rows and no counts, as after a restore. */
import * as Fixture from "@attestry/core/testing/Fixture"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as PgStore from "../src/pg/PgStore.js"
import * as PgLayer from "./shared/PgLayer.js"

const analyzed = Effect.flatMap(PgLayer.TestDatabase, ({ query }) =>
  Effect.map(
    query(`select relname as name from pg_class
      where relnamespace = 'attestry'::regnamespace and relkind = 'r' and reltuples >= 0 order by 1`),
    (rows) => rows.map(({ name }) => name)
  )
)

it.live("analyzes the tables that have rows and were never analyzed, and no others", () =>
  Effect.gen(function* () {
    const { query, url } = yield* PgLayer.TestDatabase
    for (const table of ["org", "flow", "trail"])
      yield* query(`alter table attestry.${table} set (autovacuum_enabled = off)`)
    const org = yield* Fixture.org
    const flow = yield* Fixture.flow(org)
    yield* query("analyze attestry.org")
    yield* Fixture.trail(flow)
    assert.notIncludeMembers(yield* analyzed, ["flow", "trail"])
    yield* PgStore.migrate({ url })
    assert.includeMembers(yield* analyzed, ["flow", "org", "trail"])
    assert.notIncludeMembers(yield* analyzed, ["artifact", "snapshot_row"])
    yield* Fixture.org
    yield* PgStore.migrate({ url })
    const [counted] = yield* query(
      "select reltuples from pg_class where oid = 'attestry.org'::regclass"
    )
    assert.strictEqual(counted?.reltuples, 1)
  }).pipe(Effect.provide(PgLayer.layer))
)
