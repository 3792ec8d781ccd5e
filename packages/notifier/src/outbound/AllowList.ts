/**
 * The non-public destinations that the operator permits.
 *
 * For tests and for deployments with receivers on private networks; empty unless configured. An entry is a block
 * (`10.1.0.0/16`), an address, or one exact host name; there are no wildcards.
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as AddressRange from "./AddressRange.js"
import * as HostName from "./internal/HostName.js"

/** The permitted blocks and names. */
export interface AllowList {
  readonly ranges: ReadonlyArray<AddressRange.Range>
  readonly names: ReadonlySet<string>
}

/** Some entries are neither a block, nor an address, nor a host name. */
export class InvalidAllowList extends Schema.TaggedError<InvalidAllowList>()("InvalidAllowList", {
  entries: Schema.Array(Schema.String)
}) {
  override get message() {
    return `not a block, an address or a host name: ${this.entries
      .map((entry) => `\`${entry}\``)
      .join(", ")}`
  }
}

/** Permits nothing beyond the public internet. */
export const empty: AllowList = { ranges: [], names: new Set() }

const BITS = /^(?:0|[1-9][0-9]{0,2})$/
const ENDS_IN_NUMBER = /(?:^|\.)(?:[0-9]+|0x[0-9a-f]*)$/

const parseRange = (text: string): Option.Option<AddressRange.Range> => {
  const [address = "", bits, surplus] = text.split("/")
  return Option.flatMap(AddressRange.parse(address), (prefix) => {
    const width = prefix.length * 8
    if (bits === undefined) return Option.some({ prefix, bits: width })
    return surplus === undefined && BITS.test(bits) && Number(bits) <= width
      ? Option.some({ prefix, bits: Number(bits) })
      : Option.none()
  })
}

const parseName = (text: string): Option.Option<string> =>
  Option.filter(HostName.toAscii(text), (name) => !ENDS_IN_NUMBER.test(name))

/** Parses the configured entries and reports all invalid ones. */
export const parse = (
  entries: ReadonlyArray<string>
): Either.Either<AllowList, InvalidAllowList> => {
  const ranges: Array<AddressRange.Range> = []
  const names = new Set<string>()
  const invalid: Array<string> = []
  for (const entry of entries) {
    const text = entry.trim().toLowerCase()
    const range = parseRange(text)
    const name = parseName(text)
    if (Option.isSome(range)) ranges.push(range.value)
    else if (Option.isSome(name)) names.add(name.value)
    else invalid.push(entry)
  }
  return invalid.length === 0
    ? Either.right({ ranges, names })
    : Either.left(new InvalidAllowList({ entries: invalid }))
}

/** Whether the list has no entry. */
export const isEmpty = (list: AllowList): boolean =>
  list.ranges.length === 0 && list.names.size === 0

/** Whether the name, in lower case, is permitted whatever it resolves to. */
export const allowsName = (list: AllowList, name: string): boolean => list.names.has(name)

/** Whether the address, or the IPv4 address inside it, lies in a permitted block. */
export const allowsAddress = (list: AllowList, address: AddressRange.Address): boolean => {
  const inner = AddressRange.unwrap(address)
  return list.ranges.some(
    (range) => AddressRange.contains(range, address) || AddressRange.contains(range, inner)
  )
}
