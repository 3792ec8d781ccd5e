/**
 * A database that is silent, slow or refuses to work: requests fail within two seconds, and no restart is needed
 * afterwards (P-DB). A busy machine is given one second more.
 */
import { FlowStore } from "@attestry/core/FlowStore"
import type { Ports } from "@attestry/core/Ports"
import { StoreHealth } from "@attestry/core/StoreHealth"
import { Transaction } from "@attestry/core/Transaction"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, it } from "@effect/vitest"
import { Duration, Effect, Either } from "effect"
import * as Detour from "../shared/Detour.js"
import * as PgLayer from "../shared/PgLayer.js"

const TOLD_MS = 3_000
const BACK_MS = 6_000

const detour = Effect.flatMap(PgLayer.TestDatabase, ({ url }) => Detour.make(url))

/** More callers than there are connections; how many fail, and after how long the last of those. */
const askAll = Effect.gen(function* () {
  const org = yield* Fixture.newOrg
  const [flows, transaction] = yield* Effect.all([FlowStore, Transaction])
  const find = flows.findByName({ org: org.id, name: (yield* Fixture.newFlow(org)).name })
  const ask = Effect.timed(Effect.either(transaction.run(org.id, () => find)))
  const asked = Array.from({ length: 25 }, () => ask)
  const answers = yield* Effect.all(asked, { concurrency: "unbounded" })
  const failed = answers.filter(([, answer]) => Either.isLeft(answer))
  const told = failed.map(([took]) => Duration.toMillis(took))
  return { took: Math.max(0, ...told), failed: failed.length }
})

/** Fails within the time, as does the health check, while requests wait for connections. */
const isAway = Effect.gen(function* () {
  const { check } = yield* StoreHealth
  const [all, health] = yield* Effect.all([askAll, Effect.timed(Effect.either(check))], {
    concurrency: 2
  })
  assert.strictEqual(all.failed, 25)
  assert.isBelow(all.took, TOLD_MS)
  assert.strictEqual(health[1]._tag, "Left")
  assert.isBelow(Duration.toMillis(health[0]), TOLD_MS)
})

const isBack = Effect.gen(function* () {
  const { check } = yield* StoreHealth
  const [took] = yield* Effect.timed(Effect.eventually(check))
  assert.isBelow(Duration.toMillis(took), BACK_MS)
  assert.strictEqual((yield* askAll).failed, 0)
})

const onDetour = <E>(
  test: (way: Detour.Detour) => Effect.Effect<void, E, Ports | SqlClient.SqlClient>
) =>
  Effect.gen(function* () {
    const way = yield* detour
    yield* Effect.provide(Effect.zipRight(isBack, test(way)), PgLayer.layerOn({ url: way.url }))
  }).pipe(Effect.provide(PgLayer.layerDatabase))

it.scopedLive(
  "fails on half-open connections when the server is silent, and works when it is back",
  () =>
    onDetour((way) =>
      Effect.gen(function* () {
        yield* way.freeze
        yield* way.hush
        yield* isAway
        yield* way.mend
        yield* isBack
      })
    )
)

it.scopedLive("replaces connections that are half-open while the server answers others", () =>
  onDetour((way) =>
    Effect.gen(function* () {
      yield* way.freeze
      const { took, failed } = yield* askAll
      assert.isAbove(failed, 0)
      assert.isBelow(took, TOLD_MS)
      yield* isBack
    })
  )
)

it.scopedLive("fails while every answer is two seconds late", () =>
  onDetour((way) =>
    Effect.gen(function* () {
      yield* way.delay(2_000)
      yield* isAway
      yield* isAway
      yield* way.delay(0)
      yield* isBack
    })
  )
)

it.scopedLive("fails in time also while others take connections that the pool has", () =>
  onDetour((way) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* way.freeze
      yield* way.hush
      const ask = Effect.timed(Effect.either(sql`select 1`))
      const [[took, answer]] = yield* Effect.all([ask, Effect.delay(ask, 1_400)], {
        concurrency: 2
      })
      assert.isTrue(Either.isLeft(answer))
      assert.isBelow(Duration.toMillis(took), TOLD_MS)
      yield* way.mend
      yield* isBack
    })
  )
)

it.scopedLive("replaces connections that were reset", () =>
  onDetour((way) =>
    Effect.gen(function* () {
      yield* way.reset
      yield* isBack
    })
  )
)

it.scopedLive("waits for a slow statement, and for a lock", () =>
  onDetour(() =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`select pg_sleep(2.5)`
      const hold = sql`select pg_advisory_lock(1), pg_sleep(2), pg_advisory_unlock(1)`
      const wait = sql`select pg_sleep(0.2), pg_advisory_lock(1), pg_advisory_unlock(1)`
      yield* Effect.all([hold, wait], { concurrency: 2 })
    })
  )
)

const TERMINATE = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`

/** Something in the database that is changed, and changed back. */
const whileChanged = (change: string, back: string) =>
  Effect.gen(function* () {
    const { query } = yield* PgLayer.TestDatabase
    const org = yield* Fixture.org
    const insert = Effect.flatMap(Fixture.newFlow(org), (flow) =>
      Effect.flatMap(FlowStore, (flows) => flows.insert(flow))
    )
    yield* query(change)
    const [took, answer] = yield* Effect.timed(Effect.either(insert))
    assert.strictEqual(answer._tag, "Left")
    assert.isBelow(Duration.toMillis(took), TOLD_MS)
    yield* query(back)
    yield* Effect.eventually(insert)
    yield* isBack
  })

it.live("fails while the database takes no writes", () =>
  Effect.gen(function* () {
    const { query } = yield* PgLayer.TestDatabase
    const [row] = yield* query("select current_database() as name")
    const setting = `alter database ${row?.name} set default_transaction_read_only`
    yield* whileChanged(
      `${setting} to on; ${TERMINATE}`,
      `set default_transaction_read_only to off; ${setting} to off; ${TERMINATE}`
    )
  }).pipe(Effect.provide(PgLayer.layer))
)

it.live("fails while there are too many connections", () =>
  Effect.gen(function* () {
    const { query } = yield* PgLayer.TestDatabase
    const [row] = yield* query("select current_database() as name")
    const limit = `alter database ${row?.name} connection limit`
    yield* whileChanged(`${limit} 0; ${TERMINATE}`, `${limit} -1`)
  }).pipe(Effect.provide(PgLayer.layerOnPlainOwner))
)

it.live("fails while the disk is full", () =>
  whileChanged(
    `create function no_room() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file' using errcode = '53100'; end $$;
    create trigger no_room before insert on flow execute function no_room()`,
    "drop trigger no_room on flow"
  ).pipe(Effect.provide(PgLayer.layer))
)
