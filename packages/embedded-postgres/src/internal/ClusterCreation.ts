/**
 * How does an empty data folder get its PostgreSQL cluster?
 *
 * By initdb under a temporary name, renamed when it is complete: a first start that was cut off
 * leaves nothing that looks like a cluster. The owner role is made here, databases are not.
 */
import { randomUUID } from "node:crypto"
import { chmod, mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { DataFolderUnusable } from "../EmbeddedPostgresError.js"
import * as DataFolder from "./DataFolder.js"
import type { PostgresBinaries } from "./PostgresBinaries.js"
import * as ProcessIdentity from "./ProcessIdentity.js"
import * as ServerAccount from "./ServerAccount.js"
import * as SpawnedProcess from "./SpawnedProcess.js"

/** The role that owns the cluster and everything in it. */
export const owner = "attestry"

/** The options of a new cluster. */
export interface NewCluster {
  readonly folder: DataFolder.DataFolder
  readonly binaries: PostgresBinaries
  readonly account: Option.Option<ServerAccount.ServerAccount>
  readonly password: Redacted.Redacted<string>
  readonly timeoutMs: number
}

/**
 * The name by which a program that starts inside `folder` finds it again.
 *
 * The folder may lie below one that only root can enter. A program started inside still reaches it
 * through `/proc`, with no right on the folders above and no change to them.
 */
export const pathFor = (
  folder: string,
  account: Option.Option<ServerAccount.ServerAccount>
): string => (account._tag === "Some" && ProcessIdentity.hasProc ? "/proc/self/cwd" : folder)

const initdbArguments = (path: string): ReadonlyArray<string> => [
  `--pgdata=${path}`,
  `--username=${owner}`,
  "--pwfile=/dev/fd/3",
  "--auth=scram-sha-256",
  "--encoding=UTF8",
  "--locale=C",
  "--locale-provider=builtin",
  "--builtin-locale=C.UTF-8",
  "--data-checksums"
]

const removeUnfinished = async ({ dataDir, unfinished }: DataFolder.DataFolder): Promise<void> => {
  const names = await readdir(dataDir)
  for (const name of names.filter((entry) => entry.startsWith(basename(unfinished)))) {
    // WHY: an initdb whose parent was killed may still write; it fails once its folder is gone.
    await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 5 })
  }
}

const makeParts = async ({ account, folder, password }: NewCluster) => {
  await removeUnfinished(folder)
  const path = `${folder.unfinished}${randomUUID()}`
  await mkdir(path, { mode: 0o700 })
  await ServerAccount.give(path, account)
  const passwordPath = `${path}.password`
  await writeFile(passwordPath, `${Redacted.value(password)}\n`, { mode: 0o600 })
  await ServerAccount.giveFile(passwordPath, account)
  return { path, passwordFile: await open(passwordPath, "r") }
}

const initialize = (
  { account, binaries, folder, timeoutMs }: NewCluster,
  path: string,
  passwordFile: number
): Effect.Effect<void, DataFolderUnusable> =>
  SpawnedProcess.run(
    {
      program: binaries.initdb,
      args: initdbArguments(pathFor(path, account)),
      cwd: path,
      account,
      inheritedFile: passwordFile
    },
    timeoutMs
  ).pipe(
    Effect.filterOrFail(
      ({ succeeded }) => succeeded,
      DataFolderUnusable.fromEnd(folder.dataDir, "creating the database cluster")
    )
  )

const adopt = async ({ cluster, dataDir }: DataFolder.DataFolder, path: string): Promise<void> => {
  await rename(path, cluster)
  const directory = await open(dataDir, "r")
  await directory.sync().finally(() => directory.close())
}

/** Makes the cluster of an empty data folder, durable when this returns. */
export const create = (cluster: NewCluster): Effect.Effect<void, DataFolderUnusable> => {
  const { folder } = cluster
  return Effect.acquireUseRelease(
    DataFolder.attempt(folder, "preparing the database cluster", () => makeParts(cluster)),
    ({ passwordFile, path }) =>
      initialize(cluster, path, passwordFile.fd).pipe(
        Effect.zipRight(
          DataFolder.attempt(folder, "naming the database cluster", () => adopt(folder, path))
        )
      ),
    ({ passwordFile }) =>
      Effect.promise(() =>
        passwordFile
          .close()
          .then(() => removeUnfinished(folder))
          .catch(() => undefined)
      )
  )
}

/** Makes sure that an existing cluster belongs to the server's account only. */
export const claim = (
  folder: DataFolder.DataFolder,
  account: Option.Option<ServerAccount.ServerAccount>
): Effect.Effect<void, DataFolderUnusable> =>
  DataFolder.attempt(folder, "giving it to the server's account", async () => {
    await ServerAccount.give(folder.cluster, account)
    await chmod(folder.cluster, 0o700)
  })
