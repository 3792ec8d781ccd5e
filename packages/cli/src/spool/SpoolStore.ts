/**
 * Stores entries on disk. An entry is written to a temporary folder, which is then renamed, so that no partial entry
 * is visible.
 */
import { createHash } from "node:crypto"
import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync
} from "node:fs"
import { join } from "node:path"
import type { AttachedFile } from "../attestation/AttachedFile.js"
import * as ByteSize from "../shared/ByteSize.js"
import { CommandFailure, unreadable } from "../shared/CommandFailure.js"
import type { Host } from "../shared/Host.js"
import * as SpoolEntry from "./SpoolEntry.js"
import * as SpoolFolder from "./SpoolFolder.js"

const ENTRY = "entry.json"
const REFUSED = "refused"
const ANSWER = "answer.json"
const LOCK = "sending"

/** The waiting and the damaged entries. */
export interface Spool {
  readonly folder: string
  readonly entries: ReadonlyArray<SpoolEntry.SpoolEntry>
  readonly damaged: ReadonlyArray<string>
}

const idsIn = (folder: string): ReadonlyArray<string> =>
  existsSync(folder) ? readdirSync(folder).filter(SpoolEntry.isId).sort() : []

const readEntry = (folder: string, id: string): SpoolEntry.SpoolEntry | undefined => {
  try {
    const entry = SpoolEntry.parse(readFileSync(join(folder, id, ENTRY), "utf8"))
    return entry?.id === id ? entry : undefined
  } catch {
    // WHY: a folder without a readable entry is damaged, or another process has already sent it.
    return undefined
  }
}

/** Reads the entries in the order in which they were recorded. */
export const read = (host: Host): Spool => {
  const folder = SpoolFolder.pathOf(host)
  SpoolFolder.check(host, folder)
  const found = idsIn(folder).map((id) => ({ id, entry: readEntry(folder, id) }))
  return {
    folder,
    entries: found.flatMap(({ entry }) => (entry === undefined ? [] : [entry])),
    damaged: found.filter(({ entry }) => entry === undefined).map(({ id }) => id)
  }
}

/** The refused entries. */
export const readRefused = (host: Host): ReadonlyArray<SpoolEntry.SpoolEntry> => {
  const folder = join(SpoolFolder.pathOf(host), REFUSED)
  return idsIn(folder).flatMap((id) => {
    const entry = readEntry(folder, id)
    return entry === undefined ? [] : [entry]
  })
}

const sizeOf = ({ payload, files }: Pick<SpoolEntry.SpoolEntry, "payload" | "files">): number =>
  Buffer.byteLength(JSON.stringify(payload)) + files.reduce((sum, { size }) => sum + size, 0)

/** Writes a text and syncs it to disk. */
const writeDurably = (path: string, text: string): void => {
  const file = openSync(path, "wx", 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

const copy = async (
  path: string,
  { filename, content }: AttachedFile
): Promise<SpoolEntry.SpooledFile> => {
  const hash = createHash("sha256")
  const file = openSync(path, "wx", 0o600)
  let size = 0
  try {
    for await (const piece of content) {
      writeSync(file, piece)
      hash.update(piece)
      size += piece.length
    }
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return { filename, size, sha256: hash.digest("hex") }
}

/** A new entry, before it has an id and files. */
export type NewEntry = Omit<SpoolEntry.SpoolEntry, "id" | "files">

const checkRoom = (host: Host, spool: Spool, bytes: number): void => {
  if (spool.entries.length + spool.damaged.length >= SpoolFolder.ENTRIES_MAX)
    throw new Error(`the spool has ${SpoolFolder.ENTRIES_MAX} entries, which is the most`)
  const bytesMax = SpoolFolder.bytesMax(host)
  const used = spool.entries.reduce((sum, entry) => sum + sizeOf(entry), 0)
  if (used + bytes > bytesMax)
    throw new Error(
      `the spool would have more than ${ByteSize.print(bytesMax)} (ATTESTRY_SPOOL_MAX)`
    )
}

/** An id that sorts after all others, even if the clock went back. */
const nextId = (spool: Spool, nowMs: number): string => {
  const last = [...spool.entries.map(({ id }) => id), ...spool.damaged].sort().at(-1)
  const after = last === undefined ? 0 : SpoolEntry.timeOf(last) + 1
  return SpoolEntry.newId(Math.max(nowMs, after))
}

/** Stores a write; returns its id and the number of waiting entries. */
export const add = async (
  host: Host,
  entry: NewEntry,
  files: ReadonlyArray<AttachedFile>
): Promise<{ readonly id: string; readonly waiting: number }> => {
  const spool = read(host)
  const bytes = sizeOf({
    payload: entry.payload,
    files: files.map((each) => ({ ...each, sha256: "" }))
  })
  checkRoom(host, spool, bytes)
  SpoolFolder.make(host, spool.folder)
  const id = nextId(spool, host.now())
  const staging = join(spool.folder, `.${id}`)
  try {
    mkdirSync(staging, { mode: 0o700 })
    const kept: Array<SpoolEntry.SpooledFile> = []
    for (const [at, file] of files.entries()) kept.push(await copy(join(staging, String(at)), file))
    writeDurably(join(staging, ENTRY), SpoolEntry.print({ ...entry, id, files: kept }))
    renameSync(staging, join(spool.folder, id))
  } catch (error) {
    rmSync(staging, { recursive: true, force: true })
    throw error
  }
  return { id, waiting: spool.entries.length + 1 }
}

/** Removes an entry; returns whether it existed. */
export const remove = (host: Host, id: string): boolean => {
  const folder = SpoolFolder.pathOf(host)
  const places = [join(folder, id), join(folder, REFUSED, id)].filter((path) => existsSync(path))
  for (const path of places) rmSync(path, { recursive: true, force: true })
  return SpoolEntry.isId(id) && places.length > 0
}

/** Moves a refused entry to the refused folder, with the server's answer. */
export const setAside = (host: Host, id: string, answer: object): void => {
  const folder = SpoolFolder.pathOf(host)
  const refused = join(folder, REFUSED)
  mkdirSync(refused, { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, id, ANSWER), `${JSON.stringify(answer)}\n`, { mode: 0o600 })
  renameSync(join(folder, id), join(refused, id))
}

const digestOf = async (path: string): Promise<string> => {
  const hash = createHash("sha256")
  for await (const piece of createReadStream(path)) hash.update(piece)
  return hash.digest("hex")
}

/** The files of an entry; fails if a copy has changed since recording. */
export const filesOf = async (
  host: Host,
  { id, files }: SpoolEntry.SpoolEntry
): Promise<ReadonlyArray<AttachedFile>> => {
  const folder = join(SpoolFolder.pathOf(host), id)
  const found: Array<AttachedFile> = []
  for (const [at, { filename, size, sha256 }] of files.entries()) {
    const path = join(folder, String(at))
    const digest = existsSync(path) ? await digestOf(path) : ""
    if (digest !== sha256) throw unreadable(`${filename} of entry ${id} is not what was recorded`)
    found.push({
      filename,
      size,
      content: { [Symbol.asyncIterator]: () => createReadStream(path)[Symbol.asyncIterator]() }
    })
  }
  return found
}

const isAlive = (text: string): boolean => {
  const pid = Number(text)
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // WHY: EPERM means that the process belongs to another user and is alive.
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

/** Lets only one process send at a time; ignores the lock of a dead process. */
export const locked = async <A>(host: Host, work: () => Promise<A>): Promise<A> => {
  const folder = SpoolFolder.pathOf(host)
  if (!existsSync(folder)) return work()
  const lock = join(folder, LOCK)
  const take = () => writeFileSync(lock, String(process.pid), { flag: "wx", mode: 0o600 })
  try {
    take()
  } catch {
    const holder =
      statSync(lock, { throwIfNoEntry: false }) === undefined ? "" : readFileSync(lock, "utf8")
    if (isAlive(holder))
      throw new CommandFailure("partial", `process ${holder} sends what waits in ${folder}`)
    rmSync(lock, { force: true })
    take()
  }
  try {
    return await work()
  } finally {
    rmSync(lock, { force: true })
  }
}
