/**
 * IP addresses as bytes, their classes, and whether a delivery may go to them.
 *
 * Text is parsed strictly into bytes and every decision is about the bytes, so no spelling can change it. Names are
 * not resolved here; the short, octal and hexadecimal spellings of IPv4 are not addresses.
 */
import * as Option from "effect/Option"
import { type AddressClass, type SpecialRange, v4, v6, wrapping } from "./internal/SpecialRanges.js"

/** The classes of addresses. */
export type { AddressClass }

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

const startsWith = (address: Address, prefix: ReadonlyArray<number>, bits: number): boolean => {
  for (let index = 0, left = bits; left > 0; index++, left -= 8) {
    const mask = left >= 8 ? 0xff : (0xff << (8 - left)) & 0xff
    if (((address[index] ?? 0) & mask) !== ((prefix[index] ?? 0) & mask)) return false
  }
  return true
}

/** Whether the address lies in the block; families never mix. */
export const contains = (range: Range, address: Address): boolean =>
  range.prefix.length === address.length && startsWith(address, range.prefix, range.bits)

/** The IPv4 address inside a mapped or NAT64 one, otherwise the address itself. */
export const unwrap = (address: Address): Address =>
  address.length === 16 && wrapping.some(([prefix, bits]) => startsWith(address, prefix, bits))
    ? address.slice(12)
    : address

const find = (
  table: ReadonlyArray<SpecialRange>,
  address: Address,
  otherwise: AddressClass
): AddressClass =>
  table.find(([, prefix, bits]) => startsWith(address, prefix, bits))?.[0] ?? otherwise

/** The class of an address; mapped and NAT64 ones have the class of the IPv4 address inside. */
export const classify = (address: Address): AddressClass => {
  const inner = unwrap(address)
  if (inner.length === 4) return find(v4, inner, "public")
  // INVARIANT: only 4 or 16 bytes are an address; everything else is never dialled.
  return inner.length === 16 ? find(v6, inner, "reserved") : "reserved"
}

/** Whether a delivery may go there without an operator's explicit permission. */
export const isPublic = (address: Address): boolean => classify(address) === "public"
