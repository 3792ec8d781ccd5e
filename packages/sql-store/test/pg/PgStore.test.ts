/**
 * A database that is away for a while: every port fails with `StoreError`, and no restart is needed. A failure takes
 * at most the connection timeout; each test ends well within its own.
 */
import { FlowStore } from "@attestry/core/FlowStore"
import { OrgStore } from "@attestry/core/OrgStore"
import type { StoreError } from "@attestry/core/StoreError"
import { StoreHealth, type StoreUnhealthy } from "@attestry/core/StoreHealth"
import { Transaction } from "@attestry/core/Transaction"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import * as PgStore from "../../src/pg/PgStore.js"
import * as Detour from "../shared/Detour.js"
import * as PgLayer from "../shared/PgLayer.js"

const detour = Effect.flatMap(PgLayer.TestDatabase, ({ url }) => Detour.make(url))

/** One call to a port of each kind: global, in its own transaction, and in a transaction of the caller. */
const calls = Effect.gen(function* () {
  const { id: org, name } = yield* Fixture.newOrg
  const flow = yield* Fixture.newFlow({ id: org, name, created_at: Fixture.AT })
  const [orgs, flows, transaction] = yield* Effect.all([OrgStore, FlowStore, Transaction])
  const found: ReadonlyArray<Effect.Effect<unknown, StoreError>> = [
    orgs.find({ name: name }),
    flows.findByName({ org, name: flow.name }),
    transaction.run(org, () => flows.findByName({ org, name: flow.name }))
  ]
  return found
})

/** How the health check and the calls fail. */
const failures = Effect.gen(function* () {
  const health = yield* StoreHealth
  const asked: ReadonlyArray<Effect.Effect<unknown, StoreError | StoreUnhealthy>> = [
    health.check,
    ...(yield* calls)
  ]
  const answers = yield* Effect.forEach(asked, (call) => Effect.flip(call), {
    concurrency: "unbounded"
  })
  return answers.map(({ _tag }) => _tag)
})

const AWAY = ["StoreUnhealthy", "StoreError", "StoreError", "StoreError"]

/** Retries until it works again, as clients do. */
const recovered = Effect.gen(function* () {
  const health = yield* StoreHealth
  yield* Effect.eventually(health.check)
  yield* Effect.forEach(yield* calls, (call) => Effect.eventually(call))
})

it.scopedLive("fails while the database refuses connections, and works when it is back", () =>
  Effect.gen(function* () {
    const way = yield* detour
    yield* Effect.gen(function* () {
      yield* recovered
      yield* way.cut
      assert.deepStrictEqual(yield* failures, AWAY)
      yield* way.mend
      yield* recovered
    }).pipe(Effect.provide(PgLayer.layerOn({ url: way.url })))
  }).pipe(Effect.provide(PgLayer.layerDatabase))
)

it.scopedLive("fails while the database is silent on new connections", () =>
  Effect.gen(function* () {
    const way = yield* detour
    yield* Effect.gen(function* () {
      yield* way.silence
      assert.deepStrictEqual(yield* failures, AWAY)
      yield* way.mend
      yield* recovered
    }).pipe(Effect.provide(PgLayer.layerOn({ url: way.url })))
  }).pipe(Effect.provide(PgLayer.layerDatabase))
)

it.scopedLive("does not start on a database that cannot be reached", () =>
  Effect.gen(function* () {
    const way = yield* detour
    yield* way.cut
    const failed = yield* Effect.flip(Effect.provide(StoreHealth, PgStore.layer(way)))
    assert.strictEqual(failed.operation, "migrate")
  }).pipe(Effect.provide(PgLayer.layerDatabase))
)

it.live("replaces connections that the database has ended", () =>
  Effect.gen(function* () {
    const { query } = yield* PgLayer.TestDatabase
    yield* recovered
    yield* query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
    yield* recovered
  }).pipe(Effect.provide(PgLayer.layer))
)

it.live("fails and saves nothing when the connection of a transaction is ended", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const flows = yield* FlowStore
    const transaction = yield* Transaction
    const org = yield* Fixture.org
    const flow = yield* Fixture.newFlow(org)
    const { query } = yield* PgLayer.TestDatabase
    const work = Effect.gen(function* () {
      yield* flows.insert(flow)
      const [self] = yield* sql`select pg_backend_pid() as pid`
      yield* Effect.orDie(query("select pg_terminate_backend($1)", [self?.pid]))
      return yield* flows.findByName({ org: org.id, name: flow.name })
    })
    const failed = yield* Effect.flip(transaction.run(org.id, () => work))
    assert.strictEqual(failed._tag, "StoreError")
    const found = yield* Effect.eventually(flows.findByName({ org: org.id, name: flow.name }))
    assert.strictEqual(Option.isNone(found), true)
  }).pipe(Effect.provide(PgLayer.layer))
)
