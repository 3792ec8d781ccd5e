/**
 * IP addresses as bytes, and blocks of them.
 *
 * Text is parsed strictly into bytes and every decision is about the bytes, so no spelling can change it. The short,
 * octal and hexadecimal spellings of IPv4 are not addresses. Total.
 */
import * as Option from "effect/Option"

/** An address as its bytes: 4 for IPv4, 16 for IPv6. */
export type Address = ReadonlyArray<number>

/** A block of addresses: those whose first `bits` bits are those of `prefix`. */
export interface Range {
  readonly prefix: Address
  readonly bits: number
}

const DECIMAL = /^(?:0|[1-9][0-9]{0,2})$/
const HEXTET = /^[0-9a-f]{1,4}$/i

const parseV4 = (text: string): Option.Option<Address> => {
  const parts = text.split(".")
  return parts.length === 4 && parts.every((part) => DECIMAL.test(part) && Number(part) <= 255)
    ? Option.some(parts.map(Number))
    : Option.none()
}

const parseGroups = (text: string, endsText: boolean): Option.Option<Address> => {
  if (text === "") return Option.some([])
  const groups = text.split(":")
  const bytes: Array<number> = []
  for (const [index, group] of groups.entries()) {
    if (HEXTET.test(group)) {
      const value = Number.parseInt(group, 16)
      bytes.push(value >> 8, value & 0xff)
      continue
    }
    const embedded = endsText && index === groups.length - 1 ? parseV4(group) : Option.none()
    if (Option.isNone(embedded)) return Option.none()
    bytes.push(...embedded.value)
  }
  return Option.some(bytes)
}

const parseV6 = (text: string): Option.Option<Address> => {
  const [head = "", tail, surplus] = text.split("::")
  if (surplus !== undefined) return Option.none()
  if (tail === undefined) {
    return Option.filter(parseGroups(head, true), (bytes) => bytes.length === 16)
  }
  return Option.flatMap(parseGroups(head, false), (left) =>
    Option.flatMap(parseGroups(tail, true), (right) => {
      const gap = 16 - left.length - right.length
      return gap < 2
        ? Option.none()
        : Option.some([...left, ...Array.from({ length: gap }, () => 0), ...right])
    })
  )
}

/** Reads a dotted quad or the text forms of RFC 4291 section 2.2; a zone id is not an address. */
export const parse = (text: string): Option.Option<Address> =>
  text.length > 45 ? Option.none() : text.includes(":") ? parseV6(text) : parseV4(text)

const longestZeroRun = (groups: ReadonlyArray<number>): { start: number; length: number } => {
  let best = { start: 0, length: 0 }
  let start = 0
  for (const [index, group] of groups.entries()) {
    if (group !== 0) start = index + 1
    else if (index + 1 - start > best.length) best = { start, length: index + 1 - start }
  }
  return best
}

/** The one spelling of an address: dotted quad, or RFC 5952 without the mixed form. */
export const print = (address: Address): string => {
  if (address.length === 4) return address.join(".")
  const groups = Array.from(
    { length: 8 },
    (_, index) => ((address[2 * index] ?? 0) << 8) | (address[2 * index + 1] ?? 0)
  )
  const hex = groups.map((group) => group.toString(16))
  const { length, start } = longestZeroRun(groups)
  return length < 2
    ? hex.join(":")
    : `${hex.slice(0, start).join(":")}::${hex.slice(start + length).join(":")}`
}

/** Whether the first bits of an address are those of a prefix. */
export const startsWith = (address: Address, prefix: Address, bits: number): boolean => {
  for (let index = 0, left = bits; left > 0; index++, left -= 8) {
    const mask = left >= 8 ? 0xff : (0xff << (8 - left)) & 0xff
    if (((address[index] ?? 0) & mask) !== ((prefix[index] ?? 0) & mask)) return false
  }
  return true
}

/** Whether the address lies in the block; families never mix. */
export const contains = (range: Range, address: Address): boolean =>
  range.prefix.length === address.length && startsWith(address, range.prefix, range.bits)

const MAPPED: Range = { prefix: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0], bits: 96 }

/** The IPv4 address inside of an IPv4-mapped IPv6 one, otherwise the address itself. */
export const unmapped = (address: Address): Address =>
  contains(MAPPED, address) ? address.slice(12) : address

/** The block inside of a block of IPv4-mapped addresses, otherwise the block itself. */
export const unmappedRange = (range: Range): Range =>
  range.bits >= MAPPED.bits && contains(MAPPED, range.prefix)
    ? { prefix: range.prefix.slice(12), bits: range.bits - MAPPED.bits }
    : range

/** The first address of a block. */
export const firstOf = ({ prefix, bits }: Range): Address =>
  prefix.map((byte, index) => {
    const left = Math.min(8, Math.max(0, bits - 8 * index))
    return byte & ((0xff << (8 - left)) & 0xff)
  })

/** Whether every address of one block is in another. */
export const covers = (outer: Range, inner: Range): boolean =>
  inner.bits >= outer.bits && contains(outer, inner.prefix)
