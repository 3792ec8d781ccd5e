/**
 * Resolves names from the system's hosts file and its DNS servers, or from one configured server.
 *
 * This process sends the DNS queries itself and not through `getaddrinfo`, which blocks one of Node's few threads
 * until its timeout: a tenant's dead name server must delay neither other tenants nor the exit of the process.
 * Concurrent attempts share a query; nothing is cached. `getaddrinfo` would hold one of Node's four threads until it
 * gives up.
 */
import * as Dns from "node:dns"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SharedLookup from "../internal/SharedLookup.js"
import * as AddressRange from "../outbound/AddressRange.js"
import { HostResolver, ResolutionError } from "../outbound/HostResolver.js"
import * as FailureReason from "./internal/FailureReason.js"
import * as HostsFile from "./internal/HostsFile.js"

/** How names are resolved. */
export interface Options {
  /** A DNS server as `address` or `address:port`, IPv6 in brackets; by default the system's hosts file and servers. */
  readonly resolver?: string
}

/** The configured DNS server is not an address with an optional port. */
export class InvalidResolver extends Schema.TaggedError<InvalidResolver>()("InvalidResolver", {
  resolver: Schema.String
}) {
  override get message() {
    return `not an address with an optional port: \`${this.resolver}\``
  }
}

const SERVER = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+))(?::([1-9][0-9]{0,4}))?$/i

const isServer = (text: string): boolean => {
  const [, v6, v4, port = "53"] = SERVER.exec(text) ?? []
  return Option.isSome(AddressRange.parse(v6 ?? v4 ?? "")) && Number(port) <= 65_535
}

type Addresses = ReadonlyArray<string>
type Resolution = Effect.Effect<Addresses, ResolutionError>

const isAbsent = (error: Error): boolean =>
  ["ENOTFOUND", "ENODATA"].includes(FailureReason.codeOf(error))

/** One query through Node's callback; a name without addresses gives none. */
const query = (
  send: (done: (error: Error | null, addresses: Addresses) => void) => void
): Resolution =>
  Effect.async((resume) =>
    send((error, addresses) =>
      resume(
        error === null
          ? Effect.succeed(addresses)
          : isAbsent(error)
            ? Effect.succeed([])
            : Effect.fail(new ResolutionError({ cause: error, late: false }))
      )
    )
  )

/** The addresses of both families; fails when one family fails and the other has no address. */
const queryBoth = (dns: Dns.Resolver, name: string): Resolution =>
  Effect.flatMap(
    Effect.all(
      [
        Effect.either(query((done) => dns.resolve4(name, done))),
        Effect.either(query((done) => dns.resolve6(name, done)))
      ],
      { concurrency: 2 }
    ),
    (families) => {
      const addresses = Arr.flatten(Arr.getRights(families))
      const [failure] = Arr.getLefts(families)
      return addresses.length > 0 || failure === undefined
        ? Effect.succeed(addresses)
        : Effect.fail(failure)
    }
  )

const open = (server: string | undefined): Dns.Resolver => {
  const dns = new Dns.Resolver({ timeout: 2_000, tries: 2 })
  if (server !== undefined) dns.setServers([server])
  return dns
}

/** How long the system's list of servers is used before it is read again. */
const SERVERS_MS_MAX = 10_000

// WHY: a resolver keeps the servers that it found when it was made, so a new one replaces it. The previous one
// stays for its queries under way, which end before the next replacement.
const makeServers = (server: string | undefined) => {
  let previous = open(server)
  let current = previous
  let openedAt = performance.now()
  const get = () => {
    if (server !== undefined || performance.now() - openedAt < SERVERS_MS_MAX) return current
    previous = current
    current = open(server)
    openedAt = performance.now()
    return current
  }
  const close = () => {
    previous.cancel()
    current.cancel()
  }
  return { get, close }
}

const make = (server: string | undefined) =>
  Effect.gen(function* () {
    const servers = yield* Effect.acquireRelease(
      Effect.sync(() => makeServers(server)),
      ({ close }) => Effect.sync(close)
    )
    const hosts = server === undefined ? HostsFile.make() : () => []
    const lookUp = (name: string): Resolution => {
      const listed = hosts(name)
      return listed.length > 0 ? Effect.succeed(listed) : queryBoth(servers.get(), name)
    }
    const shared = SharedLookup.make(
      ({ name, timeoutMs }: { readonly name: string; readonly timeoutMs: number }) =>
        Effect.timeoutFail(lookUp(name), {
          duration: timeoutMs,
          onTimeout: () => new ResolutionError({ cause: "no answer in time", late: true })
        }),
      ({ name, timeoutMs }) => `${timeoutMs} ${name}`
    )
    return HostResolver.of({ resolve: (name, timeoutMs) => shared({ name, timeoutMs }) })
  })

/** Resolves names as configured; a server's IPv4 addresses come first. */
export const layer = (options: Options = {}): Layer.Layer<HostResolver, InvalidResolver> => {
  const { resolver } = options
  return resolver === undefined || isServer(resolver)
    ? Layer.scoped(HostResolver, make(resolver))
    : Layer.fail(new InvalidResolver({ resolver }))
}
