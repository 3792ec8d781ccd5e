/**
 * Plans of PostgreSQL 15, as Debian installs it, with its default settings.
 *
 * WHY a server of its own: below row-level security its planner enters an index by leakproof operators alone, and the
 * server that tests share, of a later version, finds another way. `ATTESTRY_TEST_DATABASE_URL` runs every test on a
 * server of another version.
 */
import { existsSync } from "node:fs"
import { chown, rm } from "node:fs/promises"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { makeDataFolder } from "../../../embedded-postgres/test/DataFolder.js"
import { execute, isRoot, nobody, skip } from "../../../embedded-postgres/test/ServerFixture.js"
import * as PgStore from "../../src/pg/PgStore.js"
import * as PgLayer from "../shared/PgLayer.js"
import { Explained, layer, layerOn, type PlanMode } from "./ExplainedStore.js"
import * as HistoryStatements from "./HistoryStatements.js"
import * as World from "./World.js"

const INSTALLATION = "/usr/lib/postgresql/15"

const MODES: ReadonlyArray<PlanMode> = ["force_custom_plan", "force_generic_plan"]

/** The entries of the journal of each org, or some more. */
const SIZE = 500

/** Runs a program of the installation; root cannot run a server, and lets another account do so. */
const run = (program: string, ...args: ReadonlyArray<string>) =>
  Effect.promise(() => execute(join(INSTALLATION, "bin", program), args, isRoot ? nobody : {}))

const folder = Effect.acquireRelease(
  Effect.promise(async () => {
    const path = await makeDataFolder()
    if (isRoot) await chown(path, nobody.uid, nobody.gid)
    return path
  }),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

/** A database of a server that ends with the scope. */
const database = Layer.scoped(
  PgLayer.TestDatabase,
  Effect.gen(function* () {
    const path = yield* folder
    const data = join(path, "data")
    yield* run("initdb", "--pgdata", data, "--auth", "trust", "--username", "attestry")
    const settings = `-c listen_addresses= -c unix_socket_directories=${path}`
    yield* Effect.acquireRelease(
      run("pg_ctl", "start", "-w", "-D", data, "-l", join(path, "log"), "-o", settings),
      () => run("pg_ctl", "stop", "-w", "-D", data, "-m", "immediate")
    )
    const url = Redacted.make(`postgres://attestry@localhost/postgres?host=${path}`)
    // WHY: a server that cannot be prepared fails the test.
    yield* Effect.orDie(PgStore.migrate({ url }))
    return yield* PgLayer.open(url)
  })
)

/** The statements that look for the entries and leaves of a log and read at least as many rows as the org has. */
const overIn = (world: World.World, mode: PlanMode) =>
  Effect.gen(function* () {
    const { reading } = yield* Explained
    const found: Array<string> = []
    for (const [name, statement] of Object.entries(HistoryStatements.FLAT)) {
      if (!/\bleaf|\bleaves/.test(name)) continue
      const { tuples, worst } = yield* reading(statement(world))
      if (tuples >= SIZE) found.push(`${name}, ${mode}: ${tuples}\n${worst}`)
    }
    return found
  }).pipe(Effect.provide(layer(mode)))

it.live("PostgreSQL 15 finds entries of a log by indexes, below row-level security", (context) =>
  existsSync(join(INSTALLATION, "bin/postgres"))
    ? Effect.gen(function* () {
        const { late } = yield* World.make(SIZE, Effect.void)
        for (const mode of MODES) assert.deepStrictEqual(yield* overIn(late, mode), [])
      }).pipe(Effect.provide(layerOn(database)))
    : Effect.sync(() => skip(context, `there is no PostgreSQL in ${INSTALLATION}`))
)
