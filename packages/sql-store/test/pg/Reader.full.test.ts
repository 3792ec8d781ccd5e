/** A store that reads from a streaming standby: what it answers, refuses and waits for (law STANDBY-1). */
import { rm } from "node:fs/promises"
import { join } from "node:path"
import type { DeniedAttemptDraft } from "@attestry/core/DeniedAttempt"
import { DeniedAttemptStore } from "@attestry/core/DeniedAttemptStore"
import type { Flow } from "@attestry/core/Flow"
import { FlowStore } from "@attestry/core/FlowStore"
import { ApiKeyId, type OrgId } from "@attestry/core/Identifier"
import type { JournalDraft } from "@attestry/core/JournalEntry"
import { JournalStore } from "@attestry/core/JournalStore"
import type { Org } from "@attestry/core/Org"
import { elsewhereReason, MustSee } from "@attestry/core/StandbyRead"
import { StoreHealth } from "@attestry/core/StoreHealth"
import { Transaction } from "@attestry/core/Transaction"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as EmbeddedPostgres from "@attestry/embedded-postgres/EmbeddedPostgres"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, ManagedRuntime, Option } from "effect"
import { makeDataFolder } from "../../../embedded-postgres/test/DataFolder.js"
import * as SeenEntries from "../../src/internal/transaction/SeenEntries.js"
import * as Migrations from "../../src/Migrations.js"
import * as PgStore from "../../src/pg/PgStore.js"
import * as SqlStore from "../../src/SqlStore.js"
import * as PgLayer from "../shared/PgLayer.js"
import { standbyOf } from "../shared/StandbyServer.js"

const temporaryFolder = Effect.acquireRelease(Effect.promise(makeDataFolder), (folder) =>
  Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

const runtimeOf = <A, E>(layer: Layer.Layer<A, E>) =>
  Effect.acquireRelease(
    Effect.sync(() => ManagedRuntime.make(layer)),
    (runtime) => runtime.disposeEffect
  )

/** A primary with its store, a standby with a store that reads from it, and the standby's owner. */
const pair = Effect.gen(function* () {
  const folder = yield* temporaryFolder
  const primary = yield* EmbeddedPostgres.make({ dataDir: join(folder, "primary") })
  yield* PgStore.migrate({ url: primary.url })
  const standby = yield* standbyOf(primary, { dataDir: join(folder, "standby") })
  const writer = yield* runtimeOf(
    Layer.provide(SqlStore.layer, PgStore.layerClient({ url: primary.url }))
  )
  const reader = yield* runtimeOf(
    PgStore.layerReader({ url: standby.url, primaryUrl: primary.url })
  )
  const owner = yield* PgLayer.connect(standby.url)
  const query = (text: string) => Effect.promise(() => owner.query(text))
  return { folder, primary, standby, writer, reader, query }
})

const reasonOf = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(work), elsewhereReason)

const draftOf = (org: OrgId): JournalDraft => ({
  org_id: org,
  kind: "flow_created",
  subject: { type: "flow", id: "flow-1" },
  actor: { kind: "system", id: "system", name: "system" },
  at: Fixture.AT,
  content: "{}",
  digest: "0".repeat(64)
})

/** Writes a flow with an entry, and gives the number of the entry. */
const write = (org: Org) =>
  Effect.gen(function* () {
    const [flows, journal] = [yield* FlowStore, yield* JournalStore]
    const flow = yield* Fixture.newFlow(org, `flow-${yield* Fixture.freshId}`)
    const { run } = yield* Transaction
    const { sequence } = yield* run(org.id, () =>
      Effect.zipRight(flows.insert(flow), journal.append(draftOf(org.id)))
    )
    return { flow, sequence: sequence ?? 0 }
  })

/** Whether a flow is there for a request that names entries. */
const has = ({ org_id: org, name }: Flow, ...sequences: ReadonlyArray<number>) =>
  Effect.flatMap(FlowStore, (flows) =>
    Effect.provideService(Effect.map(flows.findByName({ org, name }), Option.isSome), MustSee, {
      org,
      sequences
    })
  )

const ATTEMPT: DeniedAttemptDraft = {
  actor: { kind: "user", id: "u", name: "u" },
  key_id: ApiKeyId.make("k"),
  operation: "flow.put",
  org: "acme"
}

const attempts = Effect.flatMap(DeniedAttemptStore, (store) => store.list({ limit: 10 }))

it.scopedLive("waits for the entries that a request names, and never answers without them", () =>
  Effect.gen(function* () {
    const { writer, reader, query } = yield* pair
    const org = yield* Effect.provide(Fixture.org, writer)
    const first = yield* Effect.provide(write(org), writer)
    assert.isTrue(yield* Effect.provide(has(first.flow, first.sequence), reader))
    yield* query("select pg_wal_replay_pause()")
    const second = yield* Effect.provide(write(org), writer)
    const found = Effect.provide(has(second.flow, first.sequence, second.sequence), reader)
    const startedAt = performance.now()
    assert.strictEqual(yield* reasonOf(found), "entry")
    assert.isAtLeast(performance.now() - startedAt, SeenEntries.WAIT_MILLIS)
    assert.isFalse(yield* Effect.provide(has(second.flow, first.sequence), reader))
    const inside = Effect.flatMap(Transaction, ({ run }) =>
      run(org.id, () => Effect.option(has(second.flow, second.sequence)))
    )
    const swallowed = Effect.provideService(inside, MustSee, {
      org: org.id,
      sequences: [second.sequence]
    })
    assert.strictEqual(yield* reasonOf(Effect.provide(swallowed, reader)), "entry")
    const waiting = yield* Effect.fork(found)
    yield* query("select pg_wal_replay_resume()")
    assert.isTrue(yield* waiting)
  })
)

it.scopedLive(
  "writes nothing but small things to the primary, and reads on after a promotion",
  () =>
    Effect.gen(function* () {
      const { primary, writer, reader, query } = yield* pair
      const org = yield* Effect.provide(Fixture.org, writer)
      const { flow, sequence } = yield* Effect.provide(write(org), writer)
      const insert = Effect.provide(
        Effect.flatMap(FlowStore, (flows) => flows.insert(flow)),
        reader
      )
      assert.strictEqual(yield* reasonOf(insert), "write")
      const deny = Effect.provide(
        Effect.flatMap(DeniedAttemptStore, (store) => store.insert(ATTEMPT)),
        reader
      )
      yield* deny
      yield* Effect.eventually(
        Effect.filterOrFail(
          Effect.provide(attempts, reader),
          (found: ReadonlyArray<unknown>) => found.length === 1
        )
      )
      yield* primary.stop
      assert.isTrue(yield* deny)
      yield* query("select pg_promote()")
      assert.isTrue(yield* Effect.provide(has(flow, sequence), reader))
      assert.strictEqual(yield* reasonOf(insert), "write")
      yield* Effect.provide(
        Effect.flatMap(StoreHealth, ({ check }) => check),
        reader
      )
    })
)

it.scopedLive("refuses a database that is behind, and changes nothing in it", () =>
  Effect.gen(function* () {
    const { query, url } = yield* PgLayer.TestDatabase
    const latest = Migrations.latest()
    yield* query(`update ${Migrations.TABLE} set migration_id = $1 where migration_id = $2`, [
      latest - 1,
      latest
    ])
    const error = yield* Effect.flip(Effect.scoped(Layer.build(PgStore.layerReader({ url }))))
    assert.instanceOf(error.cause, Migrations.BehindProgram)
    yield* query(`drop table ${Migrations.TABLE}`)
    const empty = yield* Effect.flip(Effect.scoped(Layer.build(PgStore.layerReader({ url }))))
    assert.match(String(empty.cause), /migration 0 of/)
  }).pipe(Effect.provide(PgLayer.layerDatabase))
)
