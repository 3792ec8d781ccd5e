/**
 * Where evidence waits for a server that could not be reached: a folder of this user, in which each entry is a folder.
 *
 * A spool is as trustworthy as the disk that it lies on: what is changed there is what is sent.
 */
import { chmodSync, mkdirSync, type Stats, statSync } from "node:fs"
import { join } from "node:path"
import * as ByteSize from "../shared/ByteSize.js"
import { usage } from "../shared/CommandFailure.js"
import { type Host, variable } from "../shared/Host.js"

/** The most entries that wait. */
export const ENTRIES_MAX = 1_000
/** The most bytes that wait, unless `ATTESTRY_SPOOL_MAX` says otherwise. */
export const BYTES_MAX = 1_073_741_824

const WRITABLE_BY_OTHERS = 0o022

/** The folder; it need not be there yet. */
export const pathOf = (host: Host): string => {
  const named = variable(host, "ATTESTRY_SPOOL_DIR")
  if (named !== undefined) return named
  const local = variable(host, "LOCALAPPDATA")
  if (host.platform === "win32" && local !== undefined) return join(local, "attestry", "spool")
  const state = variable(host, "XDG_STATE_HOME") ?? join(host.home, ".local/state")
  return join(state, "attestry/spool")
}

/** The most bytes that wait. */
export const bytesMax = (host: Host): number => {
  const text = variable(host, "ATTESTRY_SPOOL_MAX")
  const size = text === undefined ? BYTES_MAX : ByteSize.parse(text)
  if (size === undefined)
    throw usage(`ATTESTRY_SPOOL_MAX expects a size such as 1GiB, not \`${text}\``)
  return size
}

/** What lies at the path; nothing where that cannot be asked, which writing then tells. */
const found = (folder: string): Stats | undefined => {
  try {
    return statSync(folder)
  } catch {
    // WHY: a path below a file, or in a folder that is closed to this user, holds no entries for it.
    return undefined
  }
}

/** Refuses a folder that others may write to: what they put there would be sent in our name. */
export const check = (host: Host, folder: string): void => {
  const stats = found(folder)
  if (stats === undefined || host.platform === "win32") return
  if (!stats.isDirectory()) throw usage(`the spool ${folder} is no folder`)
  if ((stats.mode & WRITABLE_BY_OTHERS) !== 0)
    throw usage(`others may write to the spool ${folder}`, `run: chmod go-w ${folder}`)
  const user = process.getuid?.()
  if (user !== undefined && stats.uid !== user)
    throw usage(`the spool ${folder} belongs to another user`, "set ATTESTRY_SPOOL_DIR")
}

/** Makes the folder where it is missing; only this user may read it. */
export const make = (host: Host, folder: string): void => {
  check(host, folder)
  if (found(folder) !== undefined) return
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // WHY: the mode of a new folder is cut by the mask of the process.
  chmodSync(folder, 0o700)
}
