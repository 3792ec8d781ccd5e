/**
 * How does a folder that only this user can reach become readable for every account?
 *
 * By a copy in a cache folder, with modes that let every account read and only this one write. The
 * original and its permissions stay as they are. A copy is complete or absent, and reused.
 */
import { constants } from "node:fs"
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readlink,
  rename,
  rm,
  stat,
  symlink
} from "node:fs/promises"
import { join } from "node:path"

const readable = 0o755
// Headers and static libraries are for building other programs.
const isNeeded = (name: string): boolean => name !== "include" && !name.endsWith(".a")

const copyTree = async (source: string, target: string): Promise<void> => {
  for (const entry of await readdir(source, { withFileTypes: true })) {
    if (!isNeeded(entry.name)) continue
    const [from, to] = [join(source, entry.name), join(target, entry.name)]
    if (entry.isDirectory()) {
      await mkdir(to)
      await chmod(to, readable)
      await copyTree(from, to)
    } else if (entry.isSymbolicLink()) {
      await symlink(await readlink(from), to)
    } else {
      await copyFile(from, to, constants.COPYFILE_FICLONE)
      await chmod(to, ((await stat(from)).mode & 0o100) === 0 ? 0o644 : readable)
    }
  }
}

/** Whether a folder is there; throws when another account could have written into it. */
const isOwnFolder = async (path: string): Promise<boolean> => {
  const found = await lstat(path).catch(() => undefined)
  if (found === undefined) return false
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) {
    throw new Error(`\`${path}\` is not a folder that only this user can write`)
  }
  return true
}

/** Copies `source` to `cache/name`, unless that copy exists, and returns the copy's path. */
export const make = async (source: string, cache: string, name: string): Promise<string> => {
  if (!(await isOwnFolder(cache))) {
    await mkdir(cache, { recursive: true, mode: readable })
    await chmod(cache, readable)
  }
  const target = join(cache, name)
  if (await isOwnFolder(target)) return target
  const unfinished = await mkdtemp(`${target}.`)
  try {
    await chmod(unfinished, readable)
    await copyTree(source, unfinished)
    await rename(unfinished, target)
  } catch (cause) {
    await rm(unfinished, { recursive: true, force: true })
    // INVARIANT: a folder of that name is complete, so losing the race to another is success.
    if (!(await isOwnFolder(target))) throw cause
  }
  return target
}
