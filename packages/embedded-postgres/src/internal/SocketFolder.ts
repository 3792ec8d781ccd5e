/**
 * Where does the server listen?
 *
 * On a Unix socket inside the cluster's own folder, which only the server's account and root can
 * enter. The system limits the length of a socket's path, so a data folder with a long path gets
 * a private folder below the temporary one instead. It never listens on a network.
 */
import { chmod, mkdtemp, readFile, rm, rmdir, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { DataFolderUnusable } from "../EmbeddedPostgresError.js"
import * as DataFolder from "./DataFolder.js"
import * as ServerAccount from "./ServerAccount.js"

/** The port that names the socket; nothing else can have it, because the folder is private. */
export const port = 5432

/** One socket, as the server and as its clients name the folder. */
export interface SocketFolder {
  /** For the server, which runs inside the cluster's folder. */
  readonly serverPath: string
  /** For clients. */
  readonly host: string
}

// The strictest system has room for 104 bytes, one of which ends the text.
const socketPathBytesMax = 103

const socketIn = (folder: string): string => join(folder, `.s.PGSQL.${port}`)

/** Whether a socket in that folder can be reached by its path. */
export const fits = (folder: string): boolean =>
  Buffer.byteLength(socketIn(folder)) <= socketPathBytesMax

/** Removes the socket and its lock, which a killed server leaves behind. */
export const clear = async (host: string): Promise<void> => {
  await rm(socketIn(host), { force: true })
  await rm(`${socketIn(host)}.lock`, { force: true })
}

const removeOutside = async (folder: DataFolder.DataFolder): Promise<void> => {
  const outside = await readFile(folder.socketFolder, "utf8").catch(() => undefined)
  if (outside === undefined) return
  await clear(outside)
    .then(() => rmdir(outside))
    .catch(() => undefined)
  await rm(folder.socketFolder, { force: true })
}

const makeOutside = async (
  folder: DataFolder.DataFolder,
  account: Option.Option<ServerAccount.ServerAccount>
): Promise<SocketFolder> => {
  const parent = fits(join(tmpdir(), "attestry-123456")) ? tmpdir() : "/tmp"
  const path = await mkdtemp(join(parent, "attestry-"))
  await writeFile(folder.socketFolder, path)
  await chmod(path, 0o700)
  await ServerAccount.give(path, account)
  return { serverPath: path, host: path }
}

/** Decides where the socket goes; a folder outside the data folder goes away with the scope. */
export const make = (
  folder: DataFolder.DataFolder,
  account: Option.Option<ServerAccount.ServerAccount>
): Effect.Effect<SocketFolder, DataFolderUnusable, Scope.Scope> => {
  const remove = Effect.promise(() => removeOutside(folder).catch(() => undefined))
  if (fits(folder.cluster)) {
    return Effect.as(remove, { serverPath: ".", host: folder.cluster })
  }
  const open = DataFolder.attempt(folder, "making a folder for its socket", () =>
    makeOutside(folder, account)
  )
  return Effect.acquireRelease(Effect.zipRight(remove, open), () => remove)
}
