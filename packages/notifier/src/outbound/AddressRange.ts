/**
 * IP addresses as bytes, their classes, and whether a delivery may go to them.
 *
 * Every decision is about the bytes of an address, so no spelling can change it. Names are not resolved here.
 */
import { type Address, startsWith } from "@attestry/core/IpAddress"
import { type AddressClass, type SpecialRange, v4, v6, wrapping } from "./internal/SpecialRanges.js"

/** Addresses, blocks, and their texts. */
export { type Address, contains, parse, print, type Range } from "@attestry/core/IpAddress"
/** The classes of addresses. */
export type { AddressClass }

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
