/**
 * The folder of the spool: one folder per entry, private to this user.
 *
 * A spool is as trustworthy as its disk: a modified entry is sent as modified.
 */
import { chmodSync, mkdirSync, type Stats, statSync } from "node:fs"
import { join } from "node:path"
import * as ByteSize from "../shared/ByteSize.js"
import { usage } from "../shared/CommandFailure.js"
import { type Host, variable } from "../shared/Host.js"

/** The maximum number of entries. */
export const ENTRIES_MAX = 1_000
/** The default of the maximum size; `ATTESTRY_SPOOL_MAX` overrides it. */
export const BYTES_MAX = 1_073_741_824

const WRITABLE_BY_OTHERS = 0o022

/** The path of the folder, which may not exist yet. */
export const pathOf = (host: Host): string => {
  const named = variable(host, "ATTESTRY_SPOOL_DIR")
  if (named !== undefined) return named
  const local = variable(host, "LOCALAPPDATA")
  if (host.platform === "win32" && local !== undefined) return join(local, "attestry", "spool")
  const state = variable(host, "XDG_STATE_HOME") ?? join(host.home, ".local/state")
  return join(state, "attestry/spool")
}

/** The maximum size. */
export const bytesMax = (host: Host): number => {
  const text = variable(host, "ATTESTRY_SPOOL_MAX")
  const size = text === undefined ? BYTES_MAX : ByteSize.parse(text)
  if (size === undefined)
    throw usage(`ATTESTRY_SPOOL_MAX expects a size such as 1GiB, not \`${text}\``)
  return size
}

/** The stats of a path; undefined if it cannot be read, which a later write reports. */
const found = (folder: string): Stats | undefined => {
  try {
    return statSync(folder)
  } catch {
    // WHY: a path below a file, or in an unreadable folder, has no entries for this user.
    return undefined
  }
}

/** Refuses a folder that other users can write to: their entries would be sent with this user's key. */
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

/** Creates the folder if it does not exist, readable by this user only. */
export const make = (host: Host, folder: string): void => {
  check(host, folder)
  if (found(folder) !== undefined) return
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // WHY: the umask of the process restricts the mode of a new folder.
  chmodSync(folder, 0o700)
}
