/**
 * The fingerprint of a file or of a folder, read as a stream: of a file, the SHA-256 of its bytes; of a folder, the
 * SHA-256 of one record for each path below it, in the order of the paths.
 *
 * Names, contents and empty folders count; times, owners, permissions and the location do not.
 */
import { createHash } from "node:crypto"
import { createReadStream, type Dirent } from "node:fs"
import { lstat, readdir, readlink } from "node:fs/promises"
import { join } from "node:path"
import { Fingerprint } from "@attestry/core/Fingerprint"
import * as Effect from "effect/Effect"
import { EvidenceError } from "./EvidenceError.js"

/** The files that the fingerprint of a folder leaves out, and the limit of its size. */
export interface FolderOptions {
  /** Paths below the folder, with `/` between names; they and everything below them are left out. */
  readonly exclude?: ReadonlyArray<string>
  /** The largest number of files, folders and links; 100,000 by default. */
  readonly entriesMax?: number
}

const ENTRIES_MAX = 100_000

const attempt = <A>(path: string, detail: string, work: () => Promise<A>) =>
  Effect.tryPromise({
    try: work,
    catch: (cause) => new EvidenceError({ path, detail, cause })
  })

const digestOf = (content: string): string => createHash("sha256").update(content).digest("hex")

const digestOfFile = (path: string) =>
  attempt(path, "the file cannot be read", async () => {
    const hash = createHash("sha256")
    for await (const bytes of createReadStream(path)) hash.update(bytes)
    return hash.digest("hex")
  })

/** The fingerprint of a file; a link is followed. */
export const ofFile = (path: string): Effect.Effect<Fingerprint, EvidenceError> =>
  Effect.map(digestOfFile(path), (digest) => Fingerprint.make(digest))

interface Entry {
  readonly path: string
  readonly entry: Dirent
}

/** The order of UTF-8 bytes, which is the order of code points; `<` compares code units. */
const byPath = (left: Entry, right: Entry): number =>
  Buffer.compare(Buffer.from(left.path), Buffer.from(right.path))

const walk = async (
  root: string,
  { exclude = [], entriesMax = ENTRIES_MAX }: FolderOptions
): Promise<ReadonlyArray<Entry>> => {
  const excluded = new Set(exclude)
  const found: Array<Entry> = []
  const waiting = [""]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`
      if (excluded.has(path)) continue
      if (entry.name.includes("\uFFFD"))
        throw new EvidenceError({ path: join(root, path), detail: "the name is not UTF-8" })
      found.push({ path, entry })
      if (found.length > entriesMax)
        throw new EvidenceError({ path: root, detail: `it holds more than ${entriesMax} entries` })
      if (entry.isDirectory()) waiting.push(path)
    }
  }
  return found.sort(byPath)
}

/**
 * A record is a kind, a path with `/` between names, and the SHA-256 of a file's bytes or of the text of a
 * link, each followed by a zero byte. Links are never followed; sockets and devices are refused.
 */
const recordOf = (root: string, { path, entry }: Entry) => {
  const whole = join(root, path)
  if (entry.isDirectory()) return Effect.succeed(`folder\0${path}\0`)
  if (entry.isFile())
    return Effect.map(digestOfFile(whole), (digest) => `file\0${path}\0${digest}\0`)
  if (entry.isSymbolicLink())
    return Effect.map(
      attempt(whole, "the link cannot be read", () => readlink(whole)),
      (target) => `link\0${path}\0${digestOf(target)}\0`
    )
  return new EvidenceError({ path: whole, detail: "it is no file, folder or link" })
}

/** The fingerprint of everything below a folder. */
export const ofFolder = (
  path: string,
  options: FolderOptions = {}
): Effect.Effect<Fingerprint, EvidenceError> =>
  Effect.gen(function* () {
    const entries = yield* Effect.tryPromise({
      try: () => walk(path, options),
      catch: (cause) =>
        cause instanceof EvidenceError
          ? cause
          : new EvidenceError({ path, detail: "the folder cannot be read", cause })
    })
    const hash = createHash("sha256")
    for (const entry of entries) hash.update(yield* recordOf(path, entry))
    return Fingerprint.make(hash.digest("hex"))
  })

/** The fingerprint of the file or folder at a path. */
export const of = (
  path: string,
  options: FolderOptions = {}
): Effect.Effect<Fingerprint, EvidenceError> =>
  Effect.flatMap(
    attempt(path, "there is no such file or folder", () => lstat(path)),
    (found) => (found.isDirectory() ? ofFolder(path, options) : ofFile(path))
  )
