/**
 * The blocks of the address space that are not ordinary public destinations, with their classes.
 *
 * Data only: the IANA special-purpose registries, multicast, and the metadata services of clouds, which are in
 * link-local, private, shared and in one case public space. The first match wins, so a narrow row stands before the
 * wide row that contains it.
 */

/** The class of an address; every class but `public` is refused as a destination. */
export type AddressClass =
  | "public"
  | "unspecified"
  | "loopback"
  | "private"
  | "link-local"
  | "metadata"
  | "shared"
  | "documentation"
  | "benchmarking"
  | "multicast"
  | "broadcast"
  | "protocol"
  | "transition"
  | "reserved"

/** One block: its class, its leading bytes, and how many of their bits are significant. */
export type SpecialRange = readonly [
  kind: AddressClass,
  prefix: ReadonlyArray<number>,
  bits: number
]

/** IPv4: an address outside every row is public. */
export const v4: ReadonlyArray<SpecialRange> = [
  ["metadata", [169, 254, 169, 254], 32],
  ["metadata", [169, 254, 170, 2], 32],
  ["metadata", [169, 254, 170, 23], 32],
  ["metadata", [169, 254, 42, 42], 32],
  ["metadata", [169, 254, 0, 23], 32],
  ["metadata", [100, 100, 100, 200], 32],
  ["metadata", [192, 0, 0, 192], 32],
  ["metadata", [168, 63, 129, 16], 32],
  ["unspecified", [0], 8],
  ["private", [10], 8],
  ["shared", [100, 64], 10],
  ["loopback", [127], 8],
  ["link-local", [169, 254], 16],
  ["private", [172, 16], 12],
  ["protocol", [192, 0, 0], 24],
  ["documentation", [192, 0, 2], 24],
  ["protocol", [192, 31, 196], 24],
  ["protocol", [192, 52, 193], 24],
  ["transition", [192, 88, 99], 24],
  ["private", [192, 168], 16],
  ["protocol", [192, 175, 48], 24],
  ["benchmarking", [198, 18], 15],
  ["documentation", [198, 51, 100], 24],
  ["documentation", [203, 0, 113], 24],
  ["multicast", [224], 4],
  ["broadcast", [255, 255, 255, 255], 32],
  ["reserved", [240], 4]
]

const zeros = (count: number): ReadonlyArray<number> => Array.from({ length: count }, () => 0)

/** IPv6: an address outside every row is reserved, because only 2000::/3 is allocated. */
export const v6: ReadonlyArray<SpecialRange> = [
  ["metadata", [0xfd, 0x00, 0x0e, 0xc2], 32],
  ["metadata", [0xfd, 0x20, 0x00, 0xce], 32],
  ["metadata", [0xfd, 0x00, 0x00, 0x42], 32],
  ["unspecified", zeros(16), 128],
  ["loopback", [...zeros(15), 1], 128],
  ["transition", zeros(12), 96],
  ["transition", [...zeros(8), 0xff, 0xff, 0, 0], 96],
  ["transition", [0x00, 0x64, 0xff, 0x9b, 0x00, 0x01], 48],
  ["private", [0xfc], 7],
  ["link-local", [0xfe, 0x80], 10],
  ["private", [0xfe, 0xc0], 10],
  ["multicast", [0xff], 8],
  ["transition", [0x20, 0x01, 0x00, 0x00], 32],
  ["benchmarking", [0x20, 0x01, 0x00, 0x02, 0x00, 0x00], 48],
  ["protocol", [0x20, 0x01, 0x00], 23],
  ["documentation", [0x20, 0x01, 0x0d, 0xb8], 32],
  ["transition", [0x20, 0x02], 16],
  ["protocol", [0x26, 0x20, 0x00, 0x4f, 0x80, 0x00], 48],
  ["reserved", [0x3f, 0xfe], 16],
  ["documentation", [0x3f, 0xff, 0x00], 20],
  ["public", [0x20], 3]
]

/** Blocks of IPv6 whose last four bytes are the IPv4 address that packets reach. */
export const wrapping: ReadonlyArray<readonly [prefix: ReadonlyArray<number>, bits: number]> = [
  [[...zeros(10), 0xff, 0xff], 96],
  [[0x00, 0x64, 0xff, 0x9b, ...zeros(8)], 96]
]
