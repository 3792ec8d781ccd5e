/** Which folders get a server, and which are refused without a trace. */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as EmbeddedPostgres from "../src/EmbeddedPostgres.js"
import * as DataFolder from "../src/internal/DataFolder.js"
import * as Fixture from "./ServerFixture.js"

/** Starts a server that must fail, and proves that the folder stays as it was. */
const refusal = (dataDir: string) =>
  Effect.gen(function* () {
    const before = yield* Effect.promise(() => Fixture.listing(dataDir))
    const error = yield* Effect.flip(EmbeddedPostgres.make({ dataDir }))
    assert.deepStrictEqual(yield* Effect.promise(() => Fixture.listing(dataDir)), before)
    return error
  })

describe("DataFolder", () => {
  for (const found of ["17", "19"]) {
    it.scoped(`refuses a cluster of PostgreSQL ${found} and changes nothing`, () =>
      Effect.gen(function* () {
        const dataDir = yield* Fixture.folder
        yield* Effect.promise(async () => {
          await mkdir(Fixture.clusterIn(dataDir))
          await writeFile(join(Fixture.clusterIn(dataDir), "PG_VERSION"), `${found}\n`)
        })
        const error = yield* refusal(dataDir)
        assert.strictEqual(
          error.message,
          `data folder \`${dataDir}\` was written by PostgreSQL ${found} but this release runs ` +
            `PostgreSQL 18: start it with a release that runs ${found}, or dump its data with ` +
            `PostgreSQL ${found} and load the dump into a new folder`
        )
        assert.strictEqual(error._tag, "DataFolderVersionMismatch")
      })
    )
  }

  for (const entry of ["notes.txt", "PG_VERSION"]) {
    it.scoped(`refuses a folder that holds a strange \`${entry}\` and changes nothing`, () =>
      Effect.gen(function* () {
        const dataDir = yield* Fixture.folder
        yield* Effect.promise(() => writeFile(join(dataDir, entry), "18\n"))
        const error = yield* refusal(dataDir)
        assert.strictEqual(error._tag, "DataFolderForeign")
        assert.include(error.message, `holds \`${entry}\`, which is not part of`)
      })
    )
  }

  it.scoped("refuses a cluster folder without a version and changes nothing", () =>
    Effect.gen(function* () {
      const dataDir = yield* Fixture.folder
      yield* Effect.promise(() => mkdir(Fixture.clusterIn(dataDir)))
      assert.strictEqual((yield* refusal(dataDir))._tag, "DataFolderForeign")
    })
  )

  it.scoped("refuses a path that is a file", () =>
    Effect.gen(function* () {
      const dataDir = yield* Fixture.dataDir
      yield* Effect.promise(() => writeFile(dataDir, "text"))
      const error = yield* Effect.flip(EmbeddedPostgres.make({ dataDir }))
      assert.strictEqual(error._tag, "DataFolderUnusable")
      assert.include(error.message, "choose a path that is a folder or does not exist yet")
    })
  )

  it.scoped("takes the root of a volume, which may hold `lost+found`, as empty", () =>
    Effect.gen(function* () {
      const dataDir = yield* Fixture.folder
      yield* Effect.promise(() => mkdir(join(dataDir, "lost+found")))
      const content = yield* DataFolder.inspect(DataFolder.layout(dataDir), "18")
      assert.strictEqual(content, "Empty")
    })
  )

  it.scoped("says which file is missing when a cluster has lost its password", () =>
    Effect.gen(function* () {
      const folder = DataFolder.layout(yield* Fixture.folder)
      const error = yield* Effect.flip(DataFolder.password(folder, "Cluster"))
      assert.include(error.message, `\`${folder.password}\` is missing`)
      const fresh = yield* DataFolder.password(folder, "Empty")
      assert.match(Redacted.value(fresh), /^[0-9a-f]{64}$/)
      assert.deepStrictEqual(yield* DataFolder.password(folder, "Cluster"), fresh)
    })
  )
})
