/** Folders, clients and processes that the tests of the launcher share; all end with the scope. */
import { execFile } from "node:child_process"
import { chmod, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import type { TestContext } from "@effect/vitest"
import { Effect, Option, Redacted, type Scope } from "effect"
import pg from "pg"
import * as EmbeddedPostgres from "../src/EmbeddedPostgres.js"
import type { Connection } from "../src/internal/DatabaseCreation.js"
import * as ServerProcesses from "../src/internal/ServerProcesses.js"
import * as ServerRecord from "../src/internal/ServerRecord.js"

/** Runs a program of the system to its end. */
export const execute = promisify(execFile)

export const isRoot = process.getuid?.() === 0
export const nobody = { uid: 65534, gid: 65534 }

/** Small buffers keep a loaded machine from swapping; durability stays as it is in production. */
export const settings = { shared_buffers: "16MB", max_connections: "20" }

/** Skips a test and says why, also where the reporter does not. */
export const skip = (context: TestContext, reason: string): never => {
  console.log(`skipped "${context.task.name}": ${reason}`)
  return context.skip(reason)
}

/** A folder that is removed with the scope. */
export const folder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(async () => {
    const path = await mkdtemp(join(tmpdir(), "attestry-test-"))
    await chmod(path, 0o755)
    return path
  }),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true, maxRetries: 5 }))
)

/** A path for a data folder that does not exist yet. */
export const dataDir: Effect.Effect<string, never, Scope.Scope> = Effect.map(folder, (path) =>
  join(path, "data")
)

/** The folder of a cluster inside a data folder. */
export const clusterIn = (path: string): string => join(path, "cluster")

let first: Promise<string> | undefined

const firstStart = async (): Promise<string> => {
  const path = join(await mkdtemp(join(tmpdir(), "attestry-test-shared-")), "data")
  const server = EmbeddedPostgres.make({ dataDir: path })
  const statement = "create table kept (id int primary key)"
  await Effect.runPromise(
    Effect.scoped(Effect.flatMap(server, ({ connection }) => query(connection, statement)))
  )
  return path
}

/**
 * The data folder that the tests of one file share, because a first start is slow: a stopped
 * cluster with a table `kept`. Each test starts a server in it and leaves it stopped.
 */
export const shared: Effect.Effect<string> = Effect.promise(() => {
  first ??= firstStart()
  return first
})

/** Removes the shared folder, if it was made; the next file makes one of its own. */
export const removeShared = async (): Promise<void> => {
  const made = first
  first = undefined
  if (made !== undefined) await rm(join(await made, ".."), { recursive: true, force: true })
}

/** A copy of the shared folder at that path. */
export const copyTo = (path: string): Effect.Effect<string> =>
  Effect.tap(shared, (source) => Effect.promise(() => execute("cp", ["-a", source, path]))).pipe(
    Effect.as(path)
  )

const open = async (connection: Connection, password: string): Promise<pg.Client> => {
  const client = new pg.Client({ ...connection, password })
  client.on("error", () => undefined)
  await client.connect()
  return client
}

/** A client that is closed with the scope. */
export const client = (connection: Connection) =>
  Effect.acquireRelease(
    Effect.tryPromise(() => open(connection, Redacted.value(connection.password))),
    (it) => Effect.ignore(Effect.tryPromise(() => it.end()))
  )

/** Runs one statement on a connection of its own and returns the rows. */
export const query = (connection: Connection, text: string) =>
  client(connection).pipe(
    Effect.flatMap((it) => Effect.tryPromise(() => it.query(text))),
    Effect.map(({ rows }): ReadonlyArray<Record<string, unknown>> => rows),
    Effect.scoped
  )

/** The SQLSTATE with which a connection is refused. */
export const refusal = (connection: Connection, password: string) =>
  Effect.tryPromise({
    try: () => open(connection, password).then((it) => it.end()),
    catch: (cause) => (cause instanceof Error && "code" in cause ? cause.code : cause)
  }).pipe(Effect.flip)

/** The process id of the server that runs in a data folder. */
export const postmasterIn = (path: string): Effect.Effect<number> =>
  ServerRecord.read(clusterIn(path)).pipe(
    Effect.map(Option.match({ onNone: () => 0, onSome: ({ pid }) => pid }))
  )

/** The processes that work in a data folder's cluster. */
export const processesIn = (path: string) => ServerProcesses.list(clusterIn(path))

/** User, group and further groups of a process, as Linux shows them. */
export const accountOf = (pid: number) =>
  Effect.promise(async () => {
    const text = await readFile(`/proc/${pid}/status`, "utf8")
    const field = (name: string) =>
      new RegExp(`^${name}:(.*)$`, "m").exec(text)?.[1]?.match(/\d+/g) ?? []
    return { uid: Number(field("Uid")[1]), gid: Number(field("Gid")[1]), groups: field("Groups") }
  })

/** Every path below a folder with its owner, mode, size and time of change. */
export const listing = async (path: string): Promise<ReadonlyArray<string>> => {
  const names = ["", ...(await readdir(path, { recursive: true }))].sort()
  return Promise.all(
    names.map(async (name) => {
      const { ctimeMs, mode, size, uid } = await stat(join(path, name))
      return [name, uid, mode, size, ctimeMs].join(" ")
    })
  )
}
