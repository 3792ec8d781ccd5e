/** The life of an embedded server from the first start to the last stop. */
import { mkdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Redacted, Scope } from "effect"
import pg from "pg"
import * as EmbeddedPostgres from "../src/EmbeddedPostgres.js"
import * as Fixture from "./ServerFixture.js"

afterAll(Fixture.removeShared)

const show = (names: ReadonlyArray<string>) =>
  `select ${names.map((name) => `current_setting('${name}') as ${name}`).join(", ")}`

describe("EmbeddedPostgres", () => {
  it.scoped("makes a durable, checksummed UTF-8 cluster and finds its rows on the next start", () =>
    Effect.gen(function* () {
      const dataDir = yield* Fixture.shared
      const first = yield* EmbeddedPostgres.make({ dataDir })
      yield* Fixture.query(first.connection, "insert into kept values (7)")
      const names = ["fsync", "full_page_writes", "synchronous_commit", "data_checksums"]
      assert.deepStrictEqual(yield* Fixture.query(first.connection, show(names)), [
        { fsync: "on", full_page_writes: "on", synchronous_commit: "on", data_checksums: "on" }
      ])
      const texts = show(["server_encoding", "timezone"])
      assert.deepStrictEqual(yield* Fixture.query(first.connection, texts), [
        { server_encoding: "UTF8", timezone: "UTC" }
      ])
      yield* first.stop
      const { connection } = yield* EmbeddedPostgres.make({ dataDir })
      assert.deepStrictEqual(yield* Fixture.query(connection, "select id from kept"), [{ id: 7 }])
      assert.strictEqual(connection.database, "attestry")
    })
  )

  it.scoped("is a service that a layer starts and stops", () =>
    Effect.gen(function* () {
      const dataDir = yield* Fixture.shared
      const user = EmbeddedPostgres.EmbeddedPostgres.pipe(
        Effect.flatMap(({ connection }) =>
          Fixture.query(connection, "select current_user as name")
        ),
        Effect.provide(EmbeddedPostgres.layer({ dataDir }))
      )
      assert.deepStrictEqual(yield* user, [{ name: "attestry" }])
      assert.deepStrictEqual(yield* Fixture.processesIn(dataDir), [])
    })
  )

  it.scoped("listens on a Unix socket that others cannot reach, and asks for the password", () =>
    Effect.gen(function* () {
      const dataDir = yield* Fixture.shared
      const { connection, url } = yield* EmbeddedPostgres.make({ dataDir })
      assert.deepStrictEqual(
        yield* Fixture.query(connection, show(["listen_addresses", "unix_socket_permissions"])),
        [{ listen_addresses: "", unix_socket_permissions: "0700" }]
      )
      const modes = yield* Effect.promise(() =>
        Promise.all(
          [connection.host, join(dataDir, "password")].map(
            async (path) => (await stat(path)).mode & 0o777
          )
        )
      )
      assert.deepStrictEqual(modes, [0o700, 0o600])
      assert.strictEqual(yield* Fixture.refusal(connection, "guess"), "28P01")
      const byUrl = new pg.Client({ connectionString: Redacted.value(url) })
      yield* Effect.promise(() => byUrl.connect().then(() => byUrl.end()))
      assert.notInclude(JSON.stringify({ connection, url }), Redacted.value(connection.password))
    })
  )

  it.scoped("moves the socket to a short private folder when its own path is too long", () =>
    Effect.gen(function* () {
      const parent = join(yield* Fixture.folder, "long".repeat(30))
      yield* Effect.promise(() => mkdir(parent))
      const dataDir = yield* Fixture.copyTo(join(parent, "data"))
      const scope = yield* Scope.make()
      const { connection } = yield* EmbeddedPostgres.make({ dataDir }).pipe(Scope.extend(scope))
      assert.isFalse(connection.host.startsWith(dataDir))
      assert.deepStrictEqual(yield* Fixture.query(connection, "select 1 as one"), [{ one: 1 }])
      const { mode } = yield* Effect.promise(() => stat(connection.host))
      assert.strictEqual(mode & 0o777, 0o700)
      yield* Scope.close(scope, Exit.void)
      const after = yield* Effect.either(Effect.tryPromise(() => stat(connection.host)))
      assert.strictEqual(after._tag, "Left")
    })
  )

  it.scoped("makes a missing database, also in a folder that has another one", () =>
    Effect.gen(function* () {
      const dataDir = yield* Fixture.shared
      const database = `Odd "name"`
      const { connection } = yield* EmbeddedPostgres.make({ dataDir, database })
      assert.deepStrictEqual(
        yield* Fixture.query(connection, "select current_database() as name"),
        [{ name: database }]
      )
    })
  )

  it.scoped("passes settings on, and refuses those that say where it listens", () =>
    Effect.gen(function* () {
      const dataDir = yield* Fixture.shared
      for (const setting of [
        "listen_addresses",
        "Listen-Addresses",
        "port",
        "hba_file",
        "port=1"
      ]) {
        const options = { dataDir, settings: { [setting]: "*" } }
        const error = yield* Effect.flip(EmbeddedPostgres.make(options))
        assert.strictEqual(error._tag, "ReservedSetting")
        assert.include(error.message, `\`${setting}\``)
      }
      const { connection } = yield* EmbeddedPostgres.make({
        dataDir,
        settings: { max_connections: "7", "attestry.name": "it's = here" }
      })
      assert.deepStrictEqual(
        yield* Fixture.query(
          connection,
          `select current_setting('max_connections') as max,
             current_setting('attestry.name') as name`
        ),
        [{ max: "7", name: "it's = here" }]
      )
    })
  )

  it.scoped("stops on request, leaves no process and no lock, and can start again", () =>
    Effect.gen(function* () {
      const dataDir = yield* Fixture.shared
      const server = yield* EmbeddedPostgres.make({ dataDir })
      const idle = yield* Fixture.client(server.connection)
      assert.isAbove((yield* Fixture.processesIn(dataDir)).length, 1)
      yield* Effect.all([server.stop, server.stop], { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* Fixture.processesIn(dataDir), [])
      const lock = yield* Effect.either(Effect.tryPromise(() => stat(join(dataDir, "server.lock"))))
      assert.strictEqual(lock._tag, "Left")
      assert.isDefined(idle)
      const again = yield* EmbeddedPostgres.make({ dataDir })
      assert.deepStrictEqual(yield* Fixture.query(again.connection, "select id from kept"), [
        { id: 7 }
      ])
    })
  )

  it.scoped("gives up when the time for a start is over, and leaves nothing running", () =>
    Effect.gen(function* () {
      const dataDir = yield* Fixture.shared
      const error = yield* Effect.flip(EmbeddedPostgres.make({ dataDir, startTimeoutMs: 0 }))
      assert.strictEqual(error._tag, "DataFolderUnusable")
      assert.include(error.message, "not ready after 0 ms")
      assert.deepStrictEqual(yield* Fixture.processesIn(dataDir), [])
      const { connection } = yield* EmbeddedPostgres.make({ dataDir })
      assert.deepStrictEqual(yield* Fixture.query(connection, "select id from kept"), [{ id: 7 }])
    })
  )
})
