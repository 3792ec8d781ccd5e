/** What kill -9 does: to the host, to the server, and in the middle of the first start. */
import { spawn } from "node:child_process"
import { readdir, readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Logger, Option, Schedule } from "effect"
import * as EmbeddedPostgres from "../src/EmbeddedPostgres.js"
import { pathFor } from "../src/internal/ClusterCreation.js"
import type { Connection } from "../src/internal/DatabaseCreation.js"
import * as PostgresBinaries from "../src/internal/PostgresBinaries.js"
import { waitUntil } from "../src/internal/RealTime.js"
import * as ServerAccount from "../src/internal/ServerAccount.js"
import * as ServerRecord from "../src/internal/ServerRecord.js"
import * as SpawnedProcess from "../src/internal/SpawnedProcess.js"
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

const oftenEnough = Schedule.intersect(Schedule.spaced(50), Schedule.recurs(400))

/** Runs an endless statement, which does not notice that its server is gone. */
const keepBusy = (connection: Connection) =>
  Effect.gen(function* () {
    const client = yield* Fixture.client(connection)
    const endless = "select sum(n) from (select generate_series(1, 1e15::bigint) as n) as numbers"
    const running = client.query(endless)
    yield* Effect.fork(Effect.ignore(Effect.tryPromise(() => running)))
    const active =
      "select 1 from pg_stat_activity where state = 'active' and query like 'select sum(n)%'"
    const isBusy = Effect.map(Fixture.query(connection, active), (rows) => rows.length > 0)
    assert.isTrue(yield* waitUntil(isBusy, patience))
  })

/** Keeps the warnings instead of printing them. */
const collect = (warnings: Array<string>) =>
  Logger.replace(
    Logger.defaultLogger,
    Logger.make(({ logLevel, message }) => {
      if (logLevel._tag === "Warning") warnings.push(String(message))
    })
  )

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
    }).pipe(Effect.provide(collect([])))
  )

  it.scopedLive("in the middle of the first start leaves nothing that hinders the next one", () =>
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

  it.scopedLive("that a signal ends without a listener stops the server, and ends by it", () =>
    Effect.gen(function* () {
      const dataDir = yield* Fixture.shared
      const host = yield* LauncherProcess.startReady({ dataDir })
      assert.strictEqual(yield* host.terminate, "SIGTERM")
      assert.isTrue(yield* waitUntil(isEmpty(dataDir), patience))
    })
  )

  it.scopedLive("that exits without closing its scope stops the server", () =>
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
  it.scopedLive("comes back at the same socket with every row, though an orphan is busy", () => {
    const warnings: Array<string> = []
    return Effect.gen(function* () {
      const dataDir = yield* Fixture.shared
      const { connection } = yield* EmbeddedPostgres.make({ dataDir })
      yield* insert(connection, 50)
      yield* keepBusy(connection)
      const before = yield* Fixture.postmasterIn(dataDir)
      yield* kill(before)
      assert.deepStrictEqual(yield* Effect.retry(count(connection), oftenEnough), { rows: 50 })
      assert.notStrictEqual(yield* Fixture.postmasterIn(dataDir), before)
      assert.deepStrictEqual(warnings.slice(0, 1), [
        "the server stopped by itself (SIGKILL): starting it again"
      ])
      yield* kill(yield* Fixture.postmasterIn(dataDir))
      assert.deepStrictEqual(yield* Effect.retry(count(connection), oftenEnough), { rows: 50 })
    }).pipe(Effect.provide(collect(warnings)))
  })

  it.scopedLive("is tried again, with a warning each time, until it can start", () => {
    const warnings: Array<string> = []
    return Effect.gen(function* () {
      const dataDir = yield* Fixture.shared
      const { connection } = yield* EmbeddedPostgres.make({ dataDir })
      const control = join(Fixture.clusterIn(dataDir), "global", "pg_control")
      yield* Effect.promise(() => rename(control, `${control}.away`))
      yield* kill(yield* Fixture.postmasterIn(dataDir))
      const hasFailedTwice = Effect.sync(
        () => warnings.filter((text) => text.includes("starting the server failed")).length > 1
      )
      assert.isTrue(yield* waitUntil(hasFailedTwice, patience))
      yield* Effect.promise(() => rename(`${control}.away`, control))
      assert.isDefined(yield* Effect.retry(count(connection), oftenEnough))
    }).pipe(Effect.provide(collect(warnings)))
  })

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
  it.scopedLive("gets an error that names the process in the folder", () =>
    Effect.gen(function* () {
      const dataDir = yield* Fixture.shared
      yield* EmbeddedPostgres.make({ dataDir })
      const inProcess = yield* Effect.flip(EmbeddedPostgres.make({ dataDir }))
      assert.deepInclude(inProcess, { _tag: "DataFolderInUse", dataDir, pid: process.pid })
      assert.strictEqual(
        inProcess.message,
        `data folder \`${dataDir}\` is in use by process ${process.pid}: ` +
          "stop that process or choose another folder"
      )
      const other = yield* LauncherProcess.start({ dataDir })
      const answer = yield* other.answer
      assert.deepStrictEqual(answer, {
        _tag: "Failed",
        error: {
          _tag: "DataFolderInUse",
          dataDir,
          pid: process.pid,
          message: inProcess.message
        }
      })
    })
  )

  it.scopedLive("does not touch a server that was started by hand", () =>
    Effect.gen(function* () {
      const dataDir = yield* Fixture.shared
      const cluster = Fixture.clusterIn(dataDir)
      const account = yield* ServerAccount.choose([cluster])
      const query = { account, installation: Option.none(), cacheDir: Option.none() }
      const { postgres } = yield* PostgresBinaries.find(query)
      const args = ["-D", pathFor(cluster, account), "-k", ".", "-h", ""]
      const server = yield* Effect.acquireRelease(
        SpawnedProcess.start({ program: postgres, args, cwd: cluster, account }),
        ({ ended, signal }) =>
          Effect.zipRight(
            Effect.sync(() => signal("SIGINT")),
            ended
          )
      )
      const status = Effect.map(ServerRecord.read(cluster), (record) =>
        Option.exists(record, (found) => found.status === "ready")
      )
      assert.isTrue(yield* waitUntil(status, patience))
      const record = yield* Effect.promise(() => readFile(join(cluster, "postmaster.pid"), "utf8"))
      const error = yield* Effect.flip(EmbeddedPostgres.make({ dataDir }))
      const pid = Option.getOrThrow(server.pid)
      assert.deepInclude(error, { _tag: "DataFolderInUse", dataDir, pid })
      assert.strictEqual(
        yield* Effect.promise(() => readFile(join(cluster, "postmaster.pid"), "utf8")),
        record
      )
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
