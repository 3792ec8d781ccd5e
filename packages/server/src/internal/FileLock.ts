/**
 * A lock between processes that write one file: a second file that only one of them can make.
 *
 * The lock of a process that has ended is taken over: at once where the process ran on this machine, and after a minute
 * otherwise.
 */
import { open, readFile, stat, unlink } from "node:fs/promises"
import { hostname } from "node:os"
import { setTimeout } from "node:timers/promises"
import * as Predicate from "effect/Predicate"

/** How long a process waits for the lock. */
const WAIT_MILLIS = 10_000
const PAUSE_MILLIS = 10
/** A lock of another machine that is older than this is taken over. WHY a minute: the lock is held for milliseconds. */
const STALE_MILLIS = 60_000

const hasCode = (cause: unknown, code: string): boolean =>
  Predicate.hasProperty(cause, "code") && cause.code === code

/** Makes the file; false where it is there. */
const made = async (file: string): Promise<boolean> => {
  try {
    const handle = await open(file, "wx", 0o600)
    await handle.writeFile(`${process.pid} ${hostname()}`)
    await handle.close()
    return true
  } catch (cause) {
    if (hasCode(cause, "EEXIST")) return false
    throw cause
  }
}

/** The content of a file; undefined when it does not exist. */
const ifThere = async <A>(work: Promise<A>): Promise<A | undefined> => {
  try {
    return await work
  } catch (cause) {
    if (hasCode(cause, "ENOENT")) return undefined
    throw cause
  }
}

const hasEnded = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return false
  } catch (cause) {
    return hasCode(cause, "ESRCH")
  }
}

const ageOf = async (file: string): Promise<number> => {
  const found = await ifThere(stat(file))
  return found === undefined ? 0 : Date.now() - found.mtimeMs
}

/** Whether the process that made a lock has ended. */
const isStale = async (lock: string): Promise<boolean> => {
  const [pid = "", host = ""] = ((await ifThere(readFile(lock, "utf8"))) ?? "").split(" ")
  if (host === hostname() && /^[1-9]\d*$/.test(pid) && hasEnded(Number(pid))) return true
  return (await ageOf(lock)) > STALE_MILLIS
}

/**
 * Removes the lock of a process that has ended. WHY a second lock, and the second look: of two processes that find the
 * same stale lock, the slower one must not remove the new lock of the faster.
 */
const takeOver = async (lock: string): Promise<void> => {
  const own = `${lock}.taking`
  if (!(await made(own))) {
    if ((await ageOf(own)) > STALE_MILLIS) await ifThere(unlink(own))
    return
  }
  try {
    if (await isStale(lock)) await ifThere(unlink(lock))
  } finally {
    await ifThere(unlink(own))
  }
}

const acquire = async (lock: string): Promise<void> => {
  const until = Date.now() + WAIT_MILLIS
  while (!(await made(lock))) {
    if (await isStale(lock)) await takeOver(lock)
    else if (Date.now() > until) throw new Error(`another process holds \`${lock}\``)
    else await setTimeout(PAUSE_MILLIS)
  }
}

/** Runs work while no other process runs work under the lock of the same file. */
export const withLock = async <A>(file: string, work: () => Promise<A>): Promise<A> => {
  const lock = `${file}.lock`
  await acquire(lock)
  try {
    return await work()
  } finally {
    await ifThere(unlink(lock))
  }
}
