/** What kill -9 does: to the host, to the server, and in the middle of the first start. */
import { spawn } from "node:child_process"
import { readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Logger, Schedule } from "effect"
import type { Connection } from "../../src/embedded/DatabaseCreation.js"
import * as EmbeddedPostgres from "../../src/embedded/EmbeddedPostgres.js"
import { waitUntil } from "../../src/embedded/RealTime.js"
import * as ServerAccount from "../../src/embedded/ServerAccount.js"
import * as LauncherProcess from "./LauncherProcess.js"
import * as Fixture from "./ServerFixture.js"

afterAll(Fixture.removeShared)
afterAll(LauncherProcess.removeProgram)

const patience = { everyMs: 20, forMs: 20_000 }

/** Replaces the rows, each in a transaction of its own. */
const insert = (connection: Connection, count: number) =>
  Effect.gen(function* () {
    const client = yield* Fixture.client(connection)
    yield* Effect.promise(() => client.query("truncate kept"))
    const ids = Array.from({ length: count }, (_, id) => id)
    yield* Effect.forEach(ids, (id) =>
      Effect.promise(() => client.query("insert into kept values ($1)", [id]))
    )
  }).pipe(Effect.scoped)

const count = (connection: Connection) =>
  Effect.map(Fixture.query(connection, "select count(*)::int as rows from kept"), ([row]) => row)

const kill = (pid: number) => Effect.sync(() => process.kill(pid, "SIGKILL"))

const isEmpty = (dataDir: string) =>
  Effect.map(Fixture.processesIn(dataDir), (pids) => pids.length === 0)

describe("a killed host", () => {
  it.scopedLive("leaves a server that the next start replaces without losing a row", () =>
    Effect.gen(function* () {
      const dataDir = yield* Fixture.shared
      const host = yield* LauncherProcess.startReady({ dataDir })
      yield* insert(host.connection, 50)
      const before = yield* Fixture.postmasterIn(dataDir)
      yield* host.kill
      assert.include(yield* Fixture.processesIn(dataDir), before)
      const { connection } = yield* EmbeddedPostgres.make({ dataDir })
      assert.deepStrictEqual(yield* count(connection), { rows: 50 })
      assert.notInclude(yield* Fixture.processesIn(dataDir), before)
    })
  )

  it.scopedLive("in the middle of the first start leaves nothing that the next one minds", () =>
    Effect.gen(function* () {
      const dataDir = yield* Fixture.dataDir
      const host = yield* LauncherProcess.start({ dataDir })
      const names = Effect.promise(() => readdir(dataDir).catch((): ReadonlyArray<string> => []))
      const isUnfinished = (name: string) => name.startsWith("initializing-")
      const hasBegun = Effect.map(names, (found) => found.some(isUnfinished))
      assert.isTrue(yield* waitUntil(hasBegun, { everyMs: 5, forMs: 20_000 }))
      yield* host.kill
      const { connection } = yield* EmbeddedPostgres.make({ dataDir })
      assert.deepStrictEqual(yield* Fixture.query(connection, "select 1 as one"), [{ one: 1 }])
      assert.deepStrictEqual((yield* names).filter(isUnfinished), [])
    })
  )

  it.scopedLive("that only exits without closing its scope takes the server along", () =>
    Effect.gen(function* () {
      const dataDir = yield* Fixture.shared
      const host = yield* LauncherProcess.startReady({ dataDir })
      yield* host.exit
      assert.isTrue(yield* waitUntil(isEmpty(dataDir), patience))
    })
  )
})

describe("a stale postmaster.pid", () => {
  it.scopedLive("does not matter when another process of the same user has its id now", () =>
    Effect.gen(function* () {
      const dataDir = yield* Fixture.shared
      const cluster = Fixture.clusterIn(dataDir)
      const account = yield* ServerAccount.choose([cluster])
      const stranger = yield* Effect.acquireRelease(
        Effect.sync(() =>
          spawn("sleep", ["600"], {
            cwd: cluster,
            ...(account._tag === "Some" ? account.value : {})
          })
        ),
        (child) => Effect.sync(() => child.kill("SIGKILL"))
      )
      const record = [stranger.pid, cluster, "1700000000", "5432", ".", "", "1 1", "ready   ", ""]
      yield* Effect.promise(async () => {
        for (const name of ["postmaster.pid", ".s.PGSQL.5432.lock"]) {
          await writeFile(join(cluster, name), record.join("\n"), { mode: 0o600 })
          await ServerAccount.giveFile(join(cluster, name), account)
        }
      })
      const { connection } = yield* EmbeddedPostgres.make({ dataDir })
      assert.isDefined(yield* count(connection))
      assert.isNull(stranger.signalCode)
    })
  )

  it.scopedLive("does not matter when a crash emptied it", () =>
    Effect.gen(function* () {
      const dataDir = yield* Fixture.shared
      yield* Effect.promise(() => writeFile(join(Fixture.clusterIn(dataDir), "postmaster.pid"), ""))
      const { connection } = yield* EmbeddedPostgres.make({ dataDir })
      assert.isDefined(yield* count(connection))
    })
  )
})

describe("a killed server", () => {
  it.scopedLive(
    "comes back at the same socket with every row, though an orphan is still busy",
    () => {
      const warnings: Array<string> = []
      const logger = Logger.make(({ logLevel, message }) => {
        if (logLevel._tag === "Warning") warnings.push(String(message))
      })
      return Effect.gen(function* () {
        const dataDir = yield* Fixture.shared
        const { connection } = yield* EmbeddedPostgres.make({ dataDir })
        yield* insert(connection, 50)
        const busy = yield* Fixture.client(connection)
        const endless = busy.query("select count(*) from generate_series(1, 1e12::bigint)")
        yield* Effect.fork(Effect.ignore(Effect.tryPromise(() => endless)))
        const before = yield* Fixture.postmasterIn(dataDir)
        yield* kill(before)
        const rows = yield* count(connection).pipe(
          Effect.retry(Schedule.intersect(Schedule.spaced(50), Schedule.recurs(400)))
        )
        assert.deepStrictEqual(rows, { rows: 50 })
        assert.notStrictEqual(yield* Fixture.postmasterIn(dataDir), before)
        assert.deepStrictEqual(warnings.slice(0, 1), [
          "the server stopped by itself (SIGKILL): starting it again"
        ])
        yield* kill(yield* Fixture.postmasterIn(dataDir))
        yield* count(connection).pipe(
          Effect.retry(Schedule.intersect(Schedule.spaced(50), Schedule.recurs(400)))
        )
      }).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
    }
  )

  it.scopedLive("stays stopped when its owner stops it in the same moment", () =>
    Effect.gen(function* () {
      const dataDir = yield* Fixture.shared
      const { stop } = yield* EmbeddedPostgres.make({ dataDir })
      yield* kill(yield* Fixture.postmasterIn(dataDir))
      yield* stop
      assert.isTrue(yield* isEmpty(dataDir))
      assert.notInclude(yield* Effect.promise(() => readdir(dataDir)), "server.lock")
    })
  )
})

describe("a second host", () => {
  it.scopedLive("is told which process uses the folder", () =>
    Effect.gen(function* () {
      const dataDir = yield* Fixture.shared
      yield* EmbeddedPostgres.make({ dataDir })
      const inProcess = yield* Effect.flip(EmbeddedPostgres.make({ dataDir }))
      assert.deepInclude(inProcess, { _tag: "DataFolderInUse", dataDir, pid: process.pid })
      const other = yield* LauncherProcess.start({ dataDir })
      const answer = yield* other.answer
      assert.deepStrictEqual(answer, {
        _tag: "Failed",
        error: {
          _tag: "DataFolderInUse",
          dataDir,
          pid: process.pid,
          message: `data folder \`${dataDir}\` is in use by process ${process.pid}: stop that process or choose another folder`
        }
      })
    })
  )

  it.scopedLive("of three that start at once in a killed host's folder, one gets it", () =>
    Effect.gen(function* () {
      const dataDir = yield* Fixture.shared
      const host = yield* LauncherProcess.startReady({ dataDir })
      yield* insert(host.connection, 5)
      yield* host.kill
      const three = yield* Effect.all(
        [1, 2, 3].map(() => LauncherProcess.start({ dataDir })),
        { concurrency: "unbounded" }
      )
      const answers = yield* Effect.forEach(three, ({ answer }) => answer, {
        concurrency: "unbounded"
      })
      const tags = answers.map((answer) =>
        answer._tag === "Failed" ? answer.error._tag : answer._tag
      )
      assert.deepStrictEqual(tags.sort(), ["DataFolderInUse", "DataFolderInUse", "Ready"])
      const winner = answers.find((answer) => answer._tag === "Ready")
      assert.deepStrictEqual(winner && (yield* count(winner.connection)), { rows: 5 })
    })
  )
})
