/** The SHA-256 of each file in a ZIP archive. Archives over 4 GiB are not supported. */
import { createHash } from "node:crypto"
import { inflateRawSync } from "node:zlib"
import { unreadable } from "../../shared/CommandFailure.js"

const END = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
const END_BYTES = 22
const COMMENT_BYTES_MAX = 65_535
/** The maximum size of an unpacked file. */
const FILE_BYTES_MAX = 536_870_912

const damaged = (what: string) => unreadable(`the package is no archive that can be read: ${what}`)

const endOf = (bytes: Buffer): number => {
  const first = Math.max(0, bytes.length - END_BYTES - COMMENT_BYTES_MAX)
  for (let at = bytes.length - END_BYTES; at >= first; at--)
    if (bytes.readUInt32LE(at) === END) return at
  throw damaged("it has no end")
}

interface Entry {
  readonly name: string
  readonly method: number
  readonly packed: number
  readonly size: number
  readonly offset: number
  readonly next: number
}

const entryAt = (bytes: Buffer, at: number): Entry => {
  if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== ENTRY)
    throw damaged("its list is cut off")
  const nameLength = bytes.readUInt16LE(at + 28)
  const rest = nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  return {
    name: bytes.toString("utf8", at + 46, at + 46 + nameLength),
    method: bytes.readUInt16LE(at + 10),
    packed: bytes.readUInt32LE(at + 20),
    size: bytes.readUInt32LE(at + 24),
    offset: bytes.readUInt32LE(at + 42),
    next: at + 46 + rest
  }
}

const contentOf = (bytes: Buffer, { name, method, packed, size, offset }: Entry): Buffer => {
  if (offset + 30 > bytes.length || bytes.readUInt32LE(offset) !== LOCAL)
    throw damaged(`${name} is not where it should be`)
  const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28)
  const content = bytes.subarray(start, start + packed)
  if (size > FILE_BYTES_MAX) throw damaged(`${name} is too large`)
  if (method === 0) return content
  if (method !== 8) throw damaged(`${name} is packed by method ${method}`)
  try {
    return inflateRawSync(content, { maxOutputLength: Math.max(1, size) })
  } catch {
    // WHY: a file that does not unpack to its declared size is damaged, even if the library accepts it.
    throw damaged(`${name} does not unpack`)
  }
}

/** The digests of the files of an archive, by their paths. */
export const digestsOf = (bytes: Buffer): ReadonlyMap<string, string> => {
  if (bytes.length < END_BYTES) throw damaged("it is too short")
  const end = endOf(bytes)
  const count = bytes.readUInt16LE(end + 10)
  let at = bytes.readUInt32LE(end + 16)
  const found = new Map<string, string>()
  for (let index = 0; index < count; index++) {
    const entry = entryAt(bytes, at)
    at = entry.next
    if (entry.name.endsWith("/")) continue
    const digest = createHash("sha256").update(contentOf(bytes, entry)).digest("hex")
    found.set(entry.name.replaceAll("\\", "/"), digest)
  }
  return found
}
