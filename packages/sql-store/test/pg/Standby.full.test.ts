/** A standby is refused until it is promoted; no restart is needed. */
import { writeFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FlowStore } from "@attestry/core/FlowStore"
import { StoreHealth } from "@attestry/core/StoreHealth"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as EmbeddedPostgres from "@attestry/embedded-postgres/EmbeddedPostgres"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as PgStore from "../../src/pg/PgStore.js"
import * as PgLayer from "../shared/PgLayer.js"

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "attestry-standby-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

/** Makes a migrated cluster in a folder, and starts it again as a standby. */
const standby = Effect.gen(function* () {
  const dataDir = join(yield* temporaryFolder, "data")
  yield* Effect.scoped(
    Effect.flatMap(EmbeddedPostgres.make({ dataDir }), ({ url }) => PgStore.migrate({ url }))
  )
  writeFileSync(join(dataDir, "cluster", "standby.signal"), "")
  return yield* EmbeddedPostgres.make({ dataDir })
})

it.scopedLive("refuses a standby, and works as soon as it has been promoted", () =>
  Effect.gen(function* () {
    const { url } = yield* standby
    const owner = yield* PgLayer.connect(url)
    const work = Effect.gen(function* () {
      const { check } = yield* StoreHealth
      assert.deepStrictEqual((yield* Effect.flip(check)).reasons, [
        "the database is a standby, which takes no writes"
      ])
      yield* Effect.promise(() => owner.query("select pg_promote()"))
      yield* Effect.eventually(check)
      const flow = yield* Fixture.newFlow(yield* Fixture.org)
      yield* Effect.flatMap(FlowStore, (flows) => flows.insert(flow))
    })
    yield* Effect.provide(work, PgLayer.layerOn({ url }))
  })
)
