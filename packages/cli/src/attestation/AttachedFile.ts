/**
 * Files of an attestation: a file as it is, a folder as an archive.
 *
 * An archive has sorted entries without owners and times, so that the same folder gives the same bytes and the server
 * recognises a repeated attestation.
 */
import {
  createReadStream,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync
} from "node:fs"
import { basename, join, resolve } from "node:path"
import { gzipSync } from "node:zlib"
import { unreadable } from "../shared/CommandFailure.js"

/** A file to attach. */
export interface AttachedFile {
  readonly filename: string
  readonly size: number
  readonly content: AsyncIterable<Uint8Array>
}

const BLOCK = 512

const octal = (value: number, length: number): string =>
  `${value.toString(8).padStart(length - 1, "0")}\0`

interface Member {
  readonly name: string
  readonly type: "0" | "2" | "5" | "x"
  readonly link?: string
  readonly content: Buffer
}

const headerOf = ({ name, type, link = "", content }: Member): Buffer => {
  const header = Buffer.alloc(BLOCK)
  header.write(name.slice(0, 100), 0, "utf8")
  header.write(octal(type === "5" ? 0o755 : 0o644, 8), 100)
  header.write(octal(0, 8), 108)
  header.write(octal(0, 8), 116)
  header.write(octal(content.length, 12), 124)
  header.write(octal(0, 12), 136)
  header.write("        ", 148)
  header.write(type, 156)
  header.write(link.slice(0, 100), 157, "utf8")
  header.write("ustar\u000000", 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148)
  return header
}

const padded = (content: Buffer): Buffer =>
  Buffer.concat([content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)])

/** One record of a pax header; its length includes its own digits. */
const record = (key: string, value: string): Buffer => {
  const rest = ` ${key}=${value}\n`
  const base = Buffer.byteLength(rest)
  const digits = String(base + String(base).length).length
  return Buffer.from(`${base + digits}${rest}`)
}

const isLong = (text: string): boolean => Buffer.byteLength(text) > 100

const blocksOf = (member: Member): ReadonlyArray<Buffer> => {
  const { name, link = "", content } = member
  const records = [
    ...(isLong(name) ? [record("path", name)] : []),
    ...(isLong(link) ? [record("linkpath", link)] : [])
  ]
  const own = [headerOf(member), padded(content)]
  if (records.length === 0) return own
  const extended: Member = { name: "extended", type: "x", content: Buffer.concat(records) }
  return [headerOf(extended), padded(extended.content), ...own]
}

const NOTHING = Buffer.alloc(0)

const membersOf = (folder: string, prefix: string): ReadonlyArray<Member> =>
  readdirSync(folder)
    .sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
    .flatMap((entry): ReadonlyArray<Member> => {
      const path = join(folder, entry)
      const name = `${prefix}${entry}`
      const found = lstatSync(path)
      if (found.isDirectory())
        return [{ name: `${name}/`, type: "5", content: NOTHING }, ...membersOf(path, `${name}/`)]
      if (found.isSymbolicLink())
        return [{ name, type: "2", link: readlinkSync(path), content: NOTHING }]
      if (found.isFile()) return [{ name, type: "0", content: readFileSync(path) }]
      throw unreadable(`${path} is no file, folder or link`)
    })

/** A folder as a tar archive. */
export const archiveOf = (folder: string): Buffer =>
  gzipSync(Buffer.concat([...membersOf(folder, "").flatMap(blocksOf), Buffer.alloc(2 * BLOCK)]))

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Attaches bytes from memory. */
export const fromBytes = (filename: string, bytes: Uint8Array): AttachedFile => ({
  filename,
  size: bytes.byteLength,
  content: { [Symbol.asyncIterator]: () => once(bytes) }
})

/** Attaches the file or folder at a path. */
export const fromPath = (cwd: string, target: string): AttachedFile => {
  const path = resolve(cwd, target)
  try {
    const found = statSync(path)
    if (found.isDirectory()) return fromBytes(`${basename(path)}.tgz`, archiveOf(path))
    if (!found.isFile()) throw unreadable(`${target} is no file or folder`)
    return {
      filename: basename(path),
      size: found.size,
      content: { [Symbol.asyncIterator]: () => createReadStream(path)[Symbol.asyncIterator]() }
    }
  } catch (cause) {
    if (cause instanceof Error && "code" in cause)
      throw unreadable(`${target} cannot be read`, undefined, cause)
    throw cause
  }
}
