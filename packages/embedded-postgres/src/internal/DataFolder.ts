/**
 * The content of a data folder, and whether a server may be started in it.
 *
 * The PostgreSQL cluster is a subfolder, so that the lock and the password live beside it and a
 * half-made cluster never has its final name. Looking changes nothing.
 */
import { randomBytes } from "node:crypto"
import { mkdir, open, readdir, readFile, realpath, rename, rm, stat } from "node:fs/promises"
import { basename, join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import {
  DataFolderForeign,
  DataFolderUnusable,
  DataFolderVersionMismatch
} from "../EmbeddedPostgresError.js"
import * as ProcessIdentity from "./ProcessIdentity.js"
import * as ServerAccount from "./ServerAccount.js"

/** The names inside one data folder. */
export interface DataFolder {
  readonly dataDir: string
  /** The PostgreSQL cluster itself (`PGDATA`). */
  readonly cluster: string
  readonly lock: string
  readonly password: string
  /** Where the program that owns the folder may listen for administration commands. */
  readonly adminSocket: string
  /** Remembers a socket folder outside, for when the path of this one is too long for a socket. */
  readonly socketFolder: string
  /** The prefix of clusters that are still being made. */
  readonly unfinished: string
}

/** Names the parts of a data folder; touches nothing. */
export const layout = (path: string): DataFolder => {
  const dataDir = resolve(path)
  return {
    dataDir,
    cluster: join(dataDir, "cluster"),
    lock: join(dataDir, "server.lock"),
    password: join(dataDir, "password"),
    adminSocket: join(dataDir, "admin.sock"),
    socketFolder: join(dataDir, "socket-folder"),
    unfinished: join(dataDir, "initializing-")
  }
}

const isOwnEntry = (folder: DataFolder, name: string): boolean =>
  // WHY: the root of a volume is a sensible data folder, and ext4 keeps `lost+found` there.
  ["cluster", "password", "admin.sock", "socket-folder", "lost+found", "log-key"].includes(name) ||
  name.startsWith("log-state.json") ||
  name.startsWith(basename(folder.lock)) ||
  name.startsWith("password.") ||
  name.startsWith(basename(folder.unfinished))

const isAbsent = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && cause.code === "ENOENT"

/** Runs a file system call; a rejection becomes `DataFolderUnusable`. */
export const attempt = <A>(
  { dataDir }: DataFolder,
  operation: string,
  call: () => Promise<A>
): Effect.Effect<A, DataFolderUnusable> =>
  Effect.tryPromise({ try: call, catch: DataFolderUnusable.fromCause(dataDir, operation) })

const readIfPresent = (folder: DataFolder, operation: string, path: string) =>
  attempt(folder, operation, () =>
    readFile(path, "utf8").then(Option.some, (cause) => {
      if (isAbsent(cause)) return Option.none<string>()
      throw cause
    })
  )

/** Whether the folder holds a cluster of the expected major version, or may get one. */
export const inspect = (
  folder: DataFolder,
  expected: string
): Effect.Effect<
  "Cluster" | "Empty",
  DataFolderForeign | DataFolderUnusable | DataFolderVersionMismatch
> =>
  Effect.gen(function* () {
    const { cluster, dataDir } = folder
    const names = yield* attempt(folder, "reading the folder", () =>
      readdir(dataDir).catch((cause): ReadonlyArray<string> => {
        if (isAbsent(cause)) return []
        throw cause
      })
    )
    const foreign = names.find((name) => !isOwnEntry(folder, name))
    if (foreign !== undefined) return yield* new DataFolderForeign({ dataDir, entry: foreign })
    if (!names.includes(basename(cluster))) return "Empty"
    const version = yield* readIfPresent(
      folder,
      "reading its PostgreSQL version",
      join(cluster, "PG_VERSION")
    )
    const found = Option.map(version, (text) => text.trim())
    if (Option.isNone(found))
      return yield* new DataFolderForeign({ dataDir, entry: basename(cluster) })
    return found.value === expected
      ? "Cluster"
      : yield* new DataFolderVersionMismatch({ dataDir, found: found.value, expected })
  })

/** Creates the folder, private to this user, when it does not exist, and resolves its real path. */
export const create = (
  folder: DataFolder,
  account: Option.Option<ServerAccount.ServerAccount>
): Effect.Effect<DataFolder, DataFolderUnusable> =>
  attempt(folder, "creating the folder", async () => {
    await mkdir(folder.dataDir, { recursive: true, mode: 0o700 })
    // WHY: without `/proc` the server cannot start inside the cluster; it must pass through here.
    if (!ProcessIdentity.hasProc) await ServerAccount.giveFile(folder.dataDir, account)
    return layout(await realpath(folder.dataDir))
  })

/** Writes a file that only its owner can read, whole or not at all, for the folder's owner. */
const writePrivate = async (folder: DataFolder, path: string, text: string): Promise<void> => {
  const unfinished = `${path}.${process.pid}`
  const file = await open(unfinished, "w", 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
    const { gid, uid } = await stat(folder.dataDir)
    if (process.getuid?.() === 0)
      await ServerAccount.giveFile(unfinished, Option.some({ uid, gid }))
    await rename(unfinished, path)
  } catch (cause) {
    await rm(unfinished, { force: true })
    throw cause
  } finally {
    await file.close()
  }
}

/** The password of the cluster's owner role; an empty folder gets a new one, kept beside it. */
export const password = (
  folder: DataFolder,
  content: "Cluster" | "Empty"
): Effect.Effect<Redacted.Redacted<string>, DataFolderUnusable> =>
  Effect.gen(function* () {
    const { dataDir } = folder
    const kept = yield* readIfPresent(folder, "reading its password", folder.password)
    if (Option.isSome(kept)) return Redacted.make(kept.value.trim())
    if (content === "Cluster") {
      const reason = `\`${folder.password}\` is missing`
      return yield* new DataFolderUnusable({ dataDir, operation: "opening it", reason, output: "" })
    }
    const fresh = randomBytes(32).toString("hex")
    yield* attempt(folder, "keeping its password", () =>
      writePrivate(folder, folder.password, `${fresh}\n`)
    )
    return Redacted.make(fresh)
  })
