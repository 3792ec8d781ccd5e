/** A database whose lock table is full: writes fail with the setting that helps, and work again without a restart. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FlowStore } from "@attestry/core/FlowStore"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as EmbeddedPostgres from "@attestry/embedded-postgres/EmbeddedPostgres"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as SqlFailure from "../../src/internal/shared/SqlFailure.js"
import * as PgStore from "../../src/pg/PgStore.js"
import * as PgLayer from "../shared/PgLayer.js"

/** As small as PostgreSQL allows, so that one connection fills the table. */
const settings = { max_connections: "20", max_locks_per_transaction: "10" }

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "attestry-locks-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

/** Takes locks until there is no room. */
const FILL = `do $$
  begin
    for number in 1..1000000 loop
      perform pg_advisory_lock(number);
    end loop;
    raise exception 'the table is not full';
  exception when out_of_memory then null;
  end $$`

it.scopedLive(
  "fails with the name of the setting while the table is full, and works after it",
  () =>
    Effect.gen(function* () {
      const dataDir = join(yield* temporaryFolder, "data")
      const { url } = yield* EmbeddedPostgres.make({ dataDir, settings })
      yield* PgStore.migrate({ url })
      const other = yield* PgLayer.connect(url)
      const work = Effect.gen(function* () {
        const flows = yield* FlowStore
        const org = yield* Fixture.org
        const insert = (name: string) => Effect.flatMap(Fixture.newFlow(org, name), flows.insert)
        assert.isTrue(yield* insert("before"))
        yield* Effect.promise(() => other.query(FILL))
        const failure = yield* Effect.flip(insert("meanwhile"))
        assert.strictEqual(failure._tag, "StoreError")
        assert.instanceOf(failure.cause, SqlFailure.LockTableFull)
        assert.include(String(failure.cause), "`max_locks_per_transaction`")
        yield* Effect.promise(() => other.query("select pg_advisory_unlock_all()"))
        assert.isTrue(yield* insert("after"))
      })
      yield* Effect.provide(work, PgLayer.layerOn({ url }))
    })
)
