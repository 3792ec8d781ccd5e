/**
 * The ZIP file of a capsule. Pure.
 *
 * Every byte besides the packed contents follows from the names, sizes and checksums of the members: no times, no
 * comments, no extra fields and no gaps. A reader accepts nothing else, so that no byte can change unnoticed.
 */
import * as Base64 from "@attestry/transparency-log/Base64"
import * as Bytes from "@attestry/transparency-log/Bytes"
import * as Sha256 from "@attestry/transparency-log/Sha256"
import * as Option from "effect/Option"

/** A member as it is in the file. */
export interface PackedMember {
  readonly name: string
  readonly isDeflated: boolean
  /** The checksum of its content (CRC-32). */
  readonly checksum: number
  readonly size: number
  readonly packedSize: number
}

/** A member with its bytes. */
export interface ReadMember extends PackedMember {
  readonly packed: Uint8Array
}

/** The most members of a file. */
export const MEMBERS_MAX = 65_534

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const LOCAL_BYTES = 30
const CENTRAL_BYTES = 46
const END_BYTES = 22
/** Names are UTF-8. */
const FLAGS = 0x0800
const VERSION = 20
/** The first day that ZIP knows. */
const DATE = 0x0021
const DEFLATED = 8

/** How a checksum goes on after a byte and so many zero bytes, by the byte, 256 for each number of zero bytes. */
const TABLES = new Uint32Array(4 * 256)

for (let byte = 0; byte < 256; byte++) {
  let sum = byte
  for (let zeros = 0; zeros < 4; zeros++) {
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
    TABLES[256 * zeros + byte] = sum
  }
}

/** Continues a checksum (CRC-32) with more bytes; it begins with 0. WHY four bytes at a time: it takes a third. */
export const checksum = (before: number, bytes: Uint8Array): number => {
  let [sum, at] = [~before, 0]
  const step = (zeros: number, byte: number): number => TABLES[256 * zeros + (byte & 255)] ?? 0
  for (; at + 4 <= bytes.length; at += 4) {
    const [b0 = 0, b1 = 0, b2 = 0, b3 = 0] = [
      bytes[at],
      bytes[at + 1],
      bytes[at + 2],
      bytes[at + 3]
    ]
    const four = sum ^ (b0 | (b1 << 8) | (b2 << 16) | (b3 << 24))
    sum = step(3, four) ^ step(2, four >>> 8) ^ step(1, four >>> 16) ^ step(0, four >>> 24)
  }
  for (; at < bytes.length; at++) sum = (sum >>> 8) ^ step(0, sum ^ (bytes[at] ?? 0))
  return ~sum >>> 0
}

type Field = readonly [bytes: 2 | 4, value: number]

const print = (fields: ReadonlyArray<Field>): Uint8Array => {
  const bytes = new Uint8Array(fields.reduce((sum, [size]) => sum + size, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [size, value] of fields) {
    if (size === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += size
  }
  return bytes
}

const shared = (member: PackedMember, name: Uint8Array): ReadonlyArray<Field> => [
  [2, VERSION],
  [2, FLAGS],
  [2, member.isDeflated ? DEFLATED : 0],
  [2, 0],
  [2, DATE],
  [4, member.checksum],
  [4, member.packedSize],
  [4, member.size],
  [2, name.byteLength],
  [2, 0]
]

/** The header before the bytes of a member. */
export const header = (member: PackedMember): Uint8Array => {
  const name = Sha256.utf8(member.name)
  return Bytes.concat([print([[4, LOCAL], ...shared(member, name)]), name])
}

/** The size of a file with some members. */
export const sizeOf = (members: ReadonlyArray<PackedMember>): number =>
  members.reduce(
    (sum, { name, packedSize }) =>
      sum + LOCAL_BYTES + CENTRAL_BYTES + 2 * Sha256.utf8(name).byteLength + packedSize,
    END_BYTES
  )

/** The directory at the end of a file. */
export const directory = (members: ReadonlyArray<PackedMember>): Uint8Array => {
  const parts: Array<Uint8Array> = []
  let [offset, size] = [0, 0]
  for (const member of members) {
    const name = Sha256.utf8(member.name)
    const fields: ReadonlyArray<Field> = [
      [4, CENTRAL],
      [2, VERSION],
      ...shared(member, name),
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, offset]
    ]
    parts.push(print(fields), name)
    offset += LOCAL_BYTES + name.byteLength + member.packedSize
    size += CENTRAL_BYTES + name.byteLength
  }
  const count = members.length
  const end: ReadonlyArray<Field> = [
    [4, END],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, size],
    [4, offset],
    [2, 0]
  ]
  return Bytes.concat([...parts, print(end)])
}

/** Reads numbers and bytes of a file; undefined outside of it. */
class Cursor {
  readonly #view: DataView

  constructor(readonly bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  short(at: number): number {
    return at >= 0 && at + 2 <= this.bytes.byteLength ? this.#view.getUint16(at, true) : 0
  }

  long(at: number): number {
    return at >= 0 && at + 4 <= this.bytes.byteLength ? this.#view.getUint32(at, true) : 0
  }
}

/** The members that a directory names, with the place of their bytes; nothing is checked yet. */
const listed = (cursor: Cursor): Option.Option<ReadonlyArray<ReadMember>> => {
  const { bytes } = cursor
  const end = bytes.byteLength - END_BYTES
  const count = cursor.short(end + 10)
  if (end < 0 || cursor.long(end) !== END || count > MEMBERS_MAX) return Option.none()
  const members: Array<ReadMember> = []
  let [at, offset] = [cursor.long(end + 16), 0]
  for (let place = 0; place < count; place++) {
    const nameSize = cursor.short(at + 28)
    const name = Base64.textOf(bytes.subarray(at + CENTRAL_BYTES, at + CENTRAL_BYTES + nameSize))
    if (cursor.long(at) !== CENTRAL || Option.isNone(name)) return Option.none()
    const packedSize = cursor.long(at + 20)
    const begin = offset + LOCAL_BYTES + nameSize
    members.push({
      name: name.value,
      isDeflated: cursor.short(at + 10) === DEFLATED,
      checksum: cursor.long(at + 16),
      packedSize,
      size: cursor.long(at + 24),
      packed: bytes.subarray(begin, begin + packedSize)
    })
    offset = begin + packedSize
    at += CENTRAL_BYTES + nameSize
  }
  return Option.some(members)
}

/** Whether a file begins with these bytes at a place. */
const hasAt = (bytes: Uint8Array, at: number, expected: Uint8Array): boolean =>
  Bytes.equals(bytes.subarray(at, at + expected.byteLength), expected)

/** Reads the members of a file. None for a file that `header` and `directory` do not give byte for byte. */
export const read = (bytes: Uint8Array): Option.Option<ReadonlyArray<ReadMember>> =>
  Option.filter(listed(new Cursor(bytes)), (members) => {
    if (sizeOf(members) !== bytes.byteLength) return false
    let at = 0
    for (const member of members) {
      const expected = header(member)
      if (!hasAt(bytes, at, expected) || member.packed.byteLength !== member.packedSize)
        return false
      at += expected.byteLength + member.packedSize
    }
    const isDistinct = new Set(members.map(({ name }) => name)).size === members.length
    return isDistinct && hasAt(bytes, at, directory(members))
  })
