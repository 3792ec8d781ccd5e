/**
 * Writes tar archives: the headers, padding and end of the ustar format, with extended headers of POSIX.1-2001 for
 * what a ustar header has no room for.
 *
 * Total: any name and any size have a header. Contents are the caller's, and pass through no buffer here.
 */

import { concat } from "@attestry/transparency-log/Bytes"

const BLOCK = 512
const NAME_BYTES = 100
/** The largest number in a field of eleven octal digits. */
const NUMBER_MAX = 0o77777777777
const encoder = new TextEncoder()

/** A file of an archive. */
export interface TarEntry {
  readonly name: string
  readonly size: number
  /** In seconds since the epoch; fractions are dropped. */
  readonly modifiedAt: number
}

/** A number in octal digits, with zeros before it; a number without room is the largest one. */
const octal = (value: number, digits: number): string =>
  Math.min(Math.max(0, Math.floor(value)), 8 ** digits - 1)
    .toString(8)
    .padStart(digits, "0")

const CHECKSUM_AT = 148
const CHECKSUM_BYTES = 8

const block = (entry: TarEntry, type: "0" | "x"): Uint8Array => {
  const header = new Uint8Array(BLOCK)
  const put = (offset: number, text: string | Uint8Array) =>
    header.set(typeof text === "string" ? encoder.encode(text) : text, offset)
  put(0, encoder.encode(entry.name).subarray(0, NAME_BYTES))
  put(100, octal(0o644, 7))
  put(108, octal(0, 7))
  put(116, octal(0, 7))
  put(124, octal(entry.size, 11))
  put(136, octal(entry.modifiedAt, 11))
  put(CHECKSUM_AT, " ".repeat(CHECKSUM_BYTES))
  put(156, type)
  put(257, "ustar\u000000")
  const sum = header.reduce((total, byte) => total + byte, 0)
  put(CHECKSUM_AT, `${octal(sum, 6)}\u0000 `)
  return header
}

/** A record of an extended header; its own length is part of it, in decimal digits. */
const record = (key: string, value: string): Uint8Array => {
  const rest = encoder.encode(` ${key}=${value}\n`)
  let length = rest.byteLength + 1
  while (rest.byteLength + String(length).length !== length) length += 1
  return concat([encoder.encode(String(length)), rest])
}

const fitsName = (name: string): boolean => {
  const bytes = encoder.encode(name)
  return bytes.byteLength === name.length && bytes.byteLength <= NAME_BYTES
}

/** The zeros after a content of this size. */
export const padding = (size: number): Uint8Array =>
  new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK)

/** The header of a file. */
export const header = (entry: TarEntry): Uint8Array => {
  const records = [
    ...(fitsName(entry.name) ? [] : [record("path", entry.name)]),
    ...(entry.size <= NUMBER_MAX ? [] : [record("size", String(entry.size))])
  ]
  if (records.length === 0) return block(entry, "0")
  const extended = concat(records)
  const size = extended.byteLength
  return concat([
    block({ name: "pax", size, modifiedAt: entry.modifiedAt }, "x"),
    extended,
    padding(size),
    block(entry, "0")
  ])
}

/** The end of an archive. */
export const END: Uint8Array = new Uint8Array(2 * BLOCK)
