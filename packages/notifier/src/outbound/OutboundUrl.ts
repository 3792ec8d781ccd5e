/**
 * Decides whether a delivery may go to a URL and to the addresses that its name resolves to.
 *
 * `check` decides from the text alone, without DNS; `checkAddresses` decides about resolved addresses. This module
 * parses the text itself, because the platform's URL parser repairs what must be refused; at the end both parsers
 * must agree. Nothing is resolved or dialled here.
 */
import * as Arr from "effect/Array"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as AddressRange from "./AddressRange.js"
import * as AllowList from "./AllowList.js"
import { BlockedDestination } from "./BlockedDestination.js"
import * as HostName from "./internal/HostName.js"

/** Where a URL points before resolution. */
export type Host =
  | { readonly _tag: "Address"; readonly address: AddressRange.Address }
  | { readonly _tag: "Name"; readonly name: string }

/** A URL that passed `check`: host, port, and path with query exactly as in the text. */
export interface OutboundUrl {
  readonly host: Host
  readonly port: number
  readonly path: string
}

/** The longest URL that is accepted, in characters. */
export const lengthMax = 2048

const blocked = (reason: BlockedDestination["reason"]) =>
  Either.left(new BlockedDestination({ reason }))

const SCHEME = "https://"
const PORT_DEFAULT = 443
const FORBIDDEN = /[^\x21-\x5b\x5d-\x7e]/
/** Letters and digits of other scripts stand in the host alone. */
const FORBIDDEN_IN_SITE = /[^\x21-\x5b\x5d-\x7e\p{L}\p{M}\p{Nd}]/u
const AFTER_SCHEME = /^([^/?#]*)([^#]*)/
const HOST_AND_PORT = /^(\[[^\]]*\]|[^:[\]]*)(?::(.*))?$/
const PORT = /^[1-9][0-9]{0,4}$/

const parsePort = (text: string | undefined): Either.Either<number, BlockedDestination> =>
  text === undefined
    ? Either.right(PORT_DEFAULT)
    : PORT.test(text) && Number(text) <= 65_535
      ? Either.right(Number(text))
      : blocked("port")

const permits = (allow: AllowList.AllowList, address: AddressRange.Address): boolean =>
  AddressRange.isPublic(address) || AllowList.allowsAddress(allow, address)

const parseHost = (
  text: string,
  allow: AllowList.AllowList
): Either.Either<Host, BlockedDestination> => {
  const bracketed = text.startsWith("[")
  const address = AddressRange.parse(bracketed ? text.slice(1, -1) : text)
  if (Option.isSome(address)) {
    if (bracketed !== (address.value.length === 16)) return blocked("host")
    return permits(allow, address.value)
      ? Either.right({ _tag: "Address", address: address.value })
      : blocked("address")
  }
  return Option.match(HostName.toAscii(text), {
    onNone: () => blocked("host"),
    onSome: (name) =>
      AllowList.allowsName(allow, name) || HostName.isPublicName(name)
        ? Either.right({ _tag: "Name" as const, name })
        : blocked("name")
  })
}

/** The host as it stands in a URL and in the `Host` header, IPv6 in brackets. */
export const hostText = ({ host }: OutboundUrl): string =>
  host._tag === "Name"
    ? host.name
    : host.address.length === 16
      ? `[${AddressRange.print(host.address)}]`
      : AddressRange.print(host.address)

/** The value of the `Host` header. */
export const authority = (url: OutboundUrl): string =>
  url.port === PORT_DEFAULT ? hostText(url) : `${hostText(url)}:${url.port}`

// WHY: other programs parse the stored URL with the platform's parser; a text that the two parsers understand
// differently is refused.
const agreesWithPlatform = (text: string, url: OutboundUrl): boolean => {
  try {
    const other = new URL(text)
    return other.hostname === hostText(url) && Number(other.port || PORT_DEFAULT) === url.port
  } catch {
    return false
  }
}

/** Decides from the text alone, without DNS, whether the URL may be stored as a target. */
export const check = (
  text: string,
  allow: AllowList.AllowList = AllowList.empty
): Either.Either<OutboundUrl, BlockedDestination> =>
  Either.gen(function* () {
    if (!text.startsWith(SCHEME)) return yield* blocked("scheme")
    if (text.length > lengthMax) return yield* blocked("length")
    const [, site = "", path = ""] = AFTER_SCHEME.exec(text.slice(SCHEME.length)) ?? []
    const rest = text.slice(SCHEME.length + site.length)
    if (FORBIDDEN_IN_SITE.test(site) || FORBIDDEN.test(rest)) return yield* blocked("characters")
    if (site.includes("@")) return yield* blocked("credentials")
    const [whole, hostPart = "", portPart] = HOST_AND_PORT.exec(site) ?? []
    if (whole === undefined) return yield* blocked("host")
    const host = yield* parseHost(hostPart, allow)
    const port = yield* parsePort(portPart)
    const url: OutboundUrl = { host, port, path: path.startsWith("/") ? path : `/${path}` }
    return agreesWithPlatform(text, url) ? url : yield* blocked("host")
  })

/** Decides about the addresses of one resolution: there must be one, and all must be permitted. */
export const checkAddresses = (
  url: OutboundUrl,
  resolved: ReadonlyArray<string>,
  allow: AllowList.AllowList = AllowList.empty
): Either.Either<Arr.NonEmptyReadonlyArray<AddressRange.Address>, BlockedDestination> => {
  const addresses = Arr.getSomes(resolved.map(AddressRange.parse))
  const trusted = url.host._tag === "Name" && AllowList.allowsName(allow, url.host.name)
  if (resolved.length === 0) return blocked("unresolved")
  // INVARIANT: a text that is not an address counts as one that is not permitted.
  return addresses.length === resolved.length &&
    Arr.isNonEmptyReadonlyArray(addresses) &&
    addresses.every((address) => trusted || permits(allow, address))
    ? Either.right(addresses)
    : blocked("address")
}
