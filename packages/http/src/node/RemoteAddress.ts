/**
 * The address of the client of a request that passed proxies.
 *
 * `X-Forwarded-For` is read from its end while the reporting hop is a trusted proxy, so that a client cannot forge its
 * address.
 */
import { BlockList, isIP } from "node:net"
import * as Option from "effect/Option"

/** An address with the length of its network's prefix. */
export interface Network {
  readonly address: string
  readonly prefix: number
  readonly family: "ipv4" | "ipv6"
}

/** The address of the client, from the peer of the connection and the forwarded headers. */
export type RemoteAddressOf = (peer: string, forwarded: ReadonlyArray<string>) => string

const BITS = { ipv4: 32, ipv6: 128 } as const

const familyOf = (address: string): Option.Option<Network["family"]> => {
  const version = isIP(address)
  return version === 0 ? Option.none() : Option.some(version === 4 ? "ipv4" : "ipv6")
}

/** Parses an address or a network such as `10.0.0.0/8`. */
export const parseNetwork = (text: string): Option.Option<Network> => {
  const [address = "", length, ...rest] = text.split("/")
  return Option.flatMap(familyOf(address), (family) => {
    const prefix =
      length === undefined ? BITS[family] : /^\d{1,3}$/.test(length) ? Number(length) : -1
    return rest.length === 0 && prefix >= 0 && prefix <= BITS[family]
      ? Option.some({ address, prefix, family })
      : Option.none()
  })
}

/** Converts an IPv4-mapped IPv6 address, as dual-stack sockets report it, to IPv4. */
const plain = (address: string): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  return mapped ?? address
}

/** Trusts the given proxies; texts that are no network are ignored. */
export const make = (trusted: ReadonlyArray<string>): RemoteAddressOf => {
  const proxies = new BlockList()
  for (const text of trusted) {
    const network = parseNetwork(text)
    if (Option.isSome(network)) {
      const { address, prefix, family } = network.value
      proxies.addSubnet(address, prefix, family)
    }
  }
  const isTrusted = (address: string): boolean =>
    Option.match(familyOf(address), {
      onNone: () => false,
      onSome: (family) => proxies.check(address, family)
    })
  return (peer, forwarded) => {
    const hops = forwarded.flatMap((header) => header.split(",")).map((hop) => plain(hop.trim()))
    let address = plain(peer)
    while (isTrusted(address)) {
      const next = hops.pop()
      if (next === undefined || isIP(next) === 0) break
      address = next
    }
    return address
  }
}
