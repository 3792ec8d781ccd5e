/** What a process of the release before finds of a log, and what its leaves are taken for. DECISION B-416 */
import { BackgroundLeaseStore } from "@attestry/core/BackgroundLeaseStore"
import { JournalStore } from "@attestry/core/JournalStore"
import { LogSequencer } from "@attestry/core/LogSequencer"
import { LogStore } from "@attestry/core/LogStore"
import { Transaction } from "@attestry/core/Transaction"
import * as Fixture from "@attestry/core/testing/Fixture"
import { layerSecrets } from "@attestry/core/webcrypto/SecretsWebCrypto"
import * as Migrator from "@effect/sql/Migrator"
import { SqlClient } from "@effect/sql/SqlClient"
import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import * as Migrations from "../../src/Migrations.js"
import { APPLICATION_ROLE } from "../../src/migrations/internal/TenantTable.js"
import * as PgStore from "../../src/pg/PgStore.js"
import * as PgLayer from "../shared/PgLayer.js"

const services = LogSequencer.Default.pipe(
  Layer.provide(layerSecrets),
  Layer.provideMerge(PgLayer.layer)
)

/** Migrates as far as the release before had come. */
const migrateBefore = Effect.gen(function* () {
  const { query, url } = yield* PgLayer.TestDatabase
  yield* query("create schema attestry")
  yield* query(`grant usage on schema attestry to ${APPLICATION_ROLE}`)
  const before = Object.entries(Migrations.migrations).filter(([name]) => name < "0113")
  const run = Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`set search_path to attestry, pg_temp`
    const loader = Migrator.fromRecord(Object.fromEntries(before))
    yield* Migrator.make({})({ loader, table: Migrations.TABLE })
  })
  yield* Effect.provide(run, PgClient.layer({ url, maxConnections: 1 }))
})

/** Entries of two subjects in the order of their leaves; their numbers are in another order. */
const LEAVES =
  "(values (0, 2, 'a'), (1, 1, 'a'), (2, 3, 'b'), (3, 5, 'a'), (4, 4, 'a'), (5, 6, 'b'))"

describe("leaves of the release before", () => {
  it.live("are taken with the links that they have, and those that came late are kept", () =>
    Effect.gen(function* () {
      const { query, url } = yield* PgLayer.TestDatabase
      yield* migrateBefore
      yield* query("set search_path to attestry")
      yield* query(
        "insert into org (org_id, name, created_at) values ('one', 'one', 0), ('two', 'two', 0)"
      )
      yield* query(`insert into journal (org_id, sequence, kind, subject_type, subject_id, actor_kind,
          actor_id, actor_name, at, content, digest)
        select 'one', d.sequence, 'k', 'flow', d.subject, 'user', 'u', 'anna', 0, '{}', ''
        from ${LEAVES} as d (leaf_index, sequence, subject)`)
      yield* query(`insert into log_leaf (org_id, epoch, leaf_index, sequence, hash)
        select 'one', 1, d.leaf_index, d.sequence, sha256('')
        from ${LEAVES} as d (leaf_index, sequence, subject)`)
      yield* query(`insert into log_tree (org_id, epoch, origin, entry_key, size)
        select o.org_id, 1, 'o', decode(repeat('00', 16), 'hex'), 6 from org o where o.org_id = 'one'`)
      yield* PgStore.migrate({ url })
      assert.deepStrictEqual(yield* query("select linked_from::int4 from log_tree"), [
        { linked_from: 6 }
      ])
      assert.deepStrictEqual(
        yield* query(`select org_id, epoch, subject_type, subject_id, leaf_index::int4 from log_late
          order by leaf_index`),
        [1, 4].map((leaf_index) => ({
          ...{ org_id: "one", epoch: 1, subject_type: "flow", subject_id: "a", leaf_index }
        }))
      )
    }).pipe(Effect.provide(PgLayer.layerEmpty))
  )
})

layer(services, { excludeTestServices: true })("the form of leaves", (it) => {
  it.effect("hides trees from locks of transactions that do not name it, and from no reader", () =>
    Effect.gen(function* () {
      const { id: org } = yield* Fixture.org
      const [{ run }, store, sql] = [yield* Transaction, yield* LogStore, yield* SqlClient]
      yield* (yield* LogSequencer).start(org, "o")
      const read = sql`select size from log_tree where org_id = ${org}`
      const [plain, locked, grown] = yield* run(org, () =>
        Effect.all([
          read,
          sql`${read} for update skip locked`,
          sql`update log_tree set size = 9 where org_id = ${org} returning size`
        ])
      )
      assert.deepStrictEqual([plain.length, locked.length, grown.length], [1, 0, 0])
      assert.isTrue(Option.isSome(yield* run(org, () => store.lock(org))))
    })
  )

  it.effect("gives no lease under the names of before", () =>
    Effect.gen(function* () {
      const leases = yield* BackgroundLeaseStore
      const names = ["log-sweep", "log-scrub some-org", "log-sweep/2", "log-scrub/2 some-org"]
      const given = yield* Effect.forEach(names, (name) => leases.acquire(name, 1_000))
      assert.deepStrictEqual(given.map(Option.isSome), [false, false, true, true])
    })
  )

  it.effect("keeps nothing as late where entries come in the order of their numbers", () =>
    Effect.gen(function* () {
      const { id: org } = yield* Fixture.org
      const sequencer = yield* LogSequencer
      const { query } = yield* PgLayer.TestDatabase
      yield* sequencer.start(org, "o")
      const draft = {
        ...{ org_id: org, kind: "k", subject: { type: "flow", id: "a" } },
        actor: { kind: "user" as const, id: "u", name: "anna" },
        ...{ at: Fixture.AT, content: "{}", digest: "0".repeat(64) }
      }
      for (let round = 0; round < 3; round++) {
        yield* (yield* JournalStore).appendAll([draft, draft])
        yield* sequencer.integrate(org)
      }
      const late = yield* query("select 1 from attestry.log_late where org_id = $1", [org])
      assert.deepStrictEqual(late, [])
    })
  )
})
