/** A folder of an archive on a file system. */
import { createHash } from "node:crypto"
import { constants } from "node:fs"
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { gunzip, gzip } from "node:zlib"
import { ArchiveRefused } from "@attestry/core/OrgArchive"
import { type ArchiveFolder, ArchiveFolderError } from "@attestry/sql-store/ArchiveFolder"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"

const pack = promisify(gzip)
const unpack = promisify(gunzip)

const digestOf = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex")

const isPacked = (path: string): boolean => path.endsWith(".gz")

const isAbsent = (cause: unknown): boolean =>
  Predicate.hasProperty(cause, "code") && cause.code === "ENOENT"

const attempt = <A>(path: string, work: () => Promise<A>) =>
  Effect.tryPromise({
    try: work,
    catch: (cause) => new ArchiveFolderError({ path, problem: String(cause) })
  })

const closing = async (handle: FileHandle, work: (handle: FileHandle) => Promise<void>) => {
  try {
    await work(handle)
  } finally {
    await handle.close()
  }
}

/** WHY sync: the name of a new file is durable only with its folder. */
const syncFolder = async (folder: string) =>
  closing(await open(folder, constants.O_RDONLY), (handle) => handle.sync())

/** WHY another name first: a file that is cut off never has the name of a whole one. */
const replace = async (file: string, content: Uint8Array) => {
  const folder = dirname(file)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const partial = `${file}.partial`
  await closing(await open(partial, "w", 0o600), async (handle) => {
    await handle.writeFile(content)
    await handle.sync()
  })
  await rename(partial, file)
  await syncFolder(folder)
}

/** The bytes of a file; undefined if it is not there. */
const contentOf = async (file: string): Promise<Uint8Array | undefined> => {
  try {
    return await readFile(file)
  } catch (cause) {
    if (isAbsent(cause)) return undefined
    throw cause
  }
}

/** The folder of that name. It is made with the first file, readable by its owner alone. */
export const make = (folder: string): ArchiveFolder => {
  const fileOf = (path: string) => join(folder, path)
  return {
    read: (path) =>
      Effect.gen(function* () {
        const found = yield* attempt(path, () => contentOf(fileOf(path)))
        if (found === undefined) return Option.none()
        const content = isPacked(path)
          ? yield* Effect.tryPromise({
              try: () => unpack(found),
              catch: () => new ArchiveRefused({ problem: `\`${path}\` cannot be unpacked` })
            })
          : found
        return Option.some({ content, digest: digestOf(content) })
      }),
    write: (path, content) =>
      attempt(path, async () => {
        await replace(fileOf(path), isPacked(path) ? await pack(content) : content)
        return digestOf(content)
      }),
    list: (path) =>
      attempt(path, async () => {
        try {
          return (await readdir(fileOf(path))).filter((name) => !name.endsWith(".partial"))
        } catch (cause) {
          if (isAbsent(cause)) return []
          throw cause
        }
      }),
    remove: (path) => attempt(path, () => rm(fileOf(path), { force: true }))
  }
}
