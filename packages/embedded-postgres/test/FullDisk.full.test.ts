/** A disk without room: an error that says so, no waiting, and nothing lost once there is room. */
import { mkdir, rm, statfs, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import * as EmbeddedPostgres from "../src/EmbeddedPostgres.js"
import * as Fixture from "./ServerFixture.js"

/** A small disk that goes away with the scope; `None` where mounting is not permitted. */
const disk = (megabytes: number) =>
  Effect.gen(function* () {
    const path = join(yield* Fixture.folder, "disk")
    yield* Effect.promise(() => mkdir(path))
    return yield* Effect.acquireRelease(
      Effect.tryPromise(() =>
        Fixture.execute("mount", [
          "-t",
          "tmpfs",
          "-o",
          `size=${megabytes}m,mode=755`,
          "tmpfs",
          path
        ])
      ).pipe(Effect.as(path)),
      () => Effect.ignore(Effect.tryPromise(() => Fixture.execute("umount", ["-l", path])))
    )
  }).pipe(Effect.option)

const reason = "mounting a small disk is not permitted here"

/** Fills the disk up to a few pages. */
const fill = (path: string, pagesLeft: number) =>
  Effect.promise(async () => {
    const { bavail, bsize } = await statfs(path)
    const filler = join(path, "filler")
    await writeFile(filler, Buffer.alloc((bavail - pagesLeft) * bsize))
    return filler
  })

describe("a full disk", () => {
  it.scopedLive(
    "fails the first start with the reason, and leaves the folder for the next one",
    (context) =>
      Effect.gen(function* () {
        const mounted = yield* disk(16)
        if (Option.isNone(mounted)) return Fixture.skip(context, reason)
        const dataDir = join(mounted.value, "data")
        const error = yield* Effect.flip(EmbeddedPostgres.make({ dataDir }))
        if (error._tag !== "DataFolderUnusable") return assert.fail(error._tag)
        assert.include(error.reason, "No space left on device")
        assert.include(error.output, "No space left on device")
        assert.include(error.message, "creating the database cluster failed")
        assert.include(error.message, "free some disk space and start again")
        const left = yield* Effect.promise(() => Fixture.listing(dataDir))
        assert.deepStrictEqual(
          left.map((line) => line.split(" ")[0]),
          ["", "password"]
        )
      })
  )

  it.scopedLive("fails a later start with the reason, and loses nothing", (context) =>
    Effect.gen(function* () {
      const mounted = yield* disk(80)
      if (Option.isNone(mounted)) return Fixture.skip(context, reason)
      const options = { dataDir: join(mounted.value, "data"), settings: Fixture.settings }
      const { connection, stop } = yield* EmbeddedPostgres.make(options)
      yield* Fixture.query(connection, "create table kept as select 5 as id")
      yield* stop
      for (const [pagesLeft, operation] of [
        [0, "locking it"],
        [2, "starting the server"]
      ] as const) {
        const filler = yield* fill(mounted.value, pagesLeft)
        const error = yield* Effect.flip(EmbeddedPostgres.make(options))
        if (error._tag !== "DataFolderUnusable") return assert.fail(error._tag)
        assert.strictEqual(error.operation, operation)
        assert.include(error.message, "free some disk space and start again")
        assert.include(`${error.reason} ${error.output}`.toLowerCase(), "no space left on device")
        assert.deepStrictEqual(yield* Fixture.processesIn(options.dataDir), [])
        yield* Effect.promise(() => rm(filler))
      }
      const again = yield* EmbeddedPostgres.make(options)
      const rows = yield* Fixture.query(again.connection, "select id from kept")
      assert.deepStrictEqual(rows, [{ id: 5 }])
    })
  )
})
