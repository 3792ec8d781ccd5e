/**
 * Folders for the data of PostgreSQL servers that tests start: in memory, where the machine has enough of it.
 *
 * WHY in memory: the store refuses a server that does not sync its files, and syncing to a disk takes a large part of
 * the time of a test run. Tests of durability use a folder on a disk instead (`ServerFixture`).
 */
import { accessSync, constants, readdirSync, rmSync, statfsSync } from "node:fs"
import { mkdtemp } from "node:fs/promises"
import { freemem, tmpdir } from "node:os"
import { join } from "node:path"

/** The file system in memory that Linux has. */
const MEMORY = "/dev/shm"

/** A test run leaves this much memory and this much of the file system in memory unused. */
const MEMORY_MIN = 8 * 2 ** 30
const SPACE_MIN = 4 * 2 ** 30

const hasMemory = (): boolean => {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= SPACE_MIN && freemem() >= MEMORY_MIN
  } catch {
    return false
  }
}

const PREFIX = "attestry-test-data-"

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Removes the folders of processes that ended without doing so: they would occupy memory until the next start. */
const removeAbandoned = (): void => {
  for (const name of readdirSync(MEMORY)) {
    const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : NaN
    if (!Number.isNaN(pid) && !isRunning(pid))
      rmSync(join(MEMORY, name), { recursive: true, force: true })
  }
}

/** Makes a folder, which the caller removes. */
export const makeDataFolder = async (): Promise<string> => {
  const isInMemory = hasMemory()
  if (isInMemory) removeAbandoned()
  return mkdtemp(join(isInMemory ? MEMORY : tmpdir(), `${PREFIX}${process.pid}-`))
}
