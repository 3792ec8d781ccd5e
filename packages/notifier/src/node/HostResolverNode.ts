/**
 * Names looked up in the system's file of hosts and by its DNS servers, or by one configured server.
 *
 * Questions are asked over the network by this process and not through `getaddrinfo`, which holds
 * one of Node's few threads until it gives up: a tenant whose name server is dead must not keep
 * others waiting, nor the end of the process. Nothing is cached here. DECISION B-90
 */
import * as Dns from "node:dns"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as AddressRange from "../outbound/AddressRange.js"
import { HostResolver, ResolutionError } from "../outbound/HostResolver.js"
import * as DnsBatcher from "./internal/DnsBatcher.js"
import * as FailureReason from "./internal/FailureReason.js"
import * as HostsFile from "./internal/HostsFile.js"

/** How names are looked up. */
export interface Options {
  /** A DNS server as `address` or `address:port`, IPv6 in brackets; left out, the system's way. */
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

type Answers = ReadonlyArray<string>

const isAbsent = (error: Error): boolean =>
  ["ENOTFOUND", "ENODATA"].includes(FailureReason.codeOf(error))

const settle = (error: Error | null, answers: Answers): DnsBatcher.Outcome =>
  error === null
    ? Either.right(answers)
    : isAbsent(error)
      ? Either.right([])
      : Either.left(new ResolutionError({ cause: error, late: false }))

const combine = (families: ReadonlyArray<DnsBatcher.Outcome>): DnsBatcher.Outcome => {
  const answers = Arr.flatten(Arr.getRights(families))
  const [failure] = Arr.getLefts(families)
  return answers.length > 0 || failure === undefined ? Either.right(answers) : Either.left(failure)
}

const askBoth =
  (dns: () => Dns.Resolver): DnsBatcher.Ask =>
  (name, done) => {
    let v4: DnsBatcher.Outcome | undefined
    let v6: DnsBatcher.Outcome | undefined
    const finish = () => {
      if (v4 !== undefined && v6 !== undefined) done(combine([v4, v6]))
    }
    dns().resolve4(name, (error, answers) => {
      v4 = settle(error, answers)
      finish()
    })
    dns().resolve6(name, (error, answers) => {
      v6 = settle(error, answers)
      finish()
    })
  }

const open = (server: string | undefined): Dns.Resolver => {
  const dns = new Dns.Resolver({ timeout: 2_000, tries: 2 })
  if (server !== undefined) dns.setServers([server])
  return dns
}

/** How long a list of the system's servers is used before it is read again. */
const SERVERS_MS_MAX = 10_000

// WHY: a resolver keeps the servers that it found when it was made, so a younger one follows it; the
// elder has as long to finish as the younger is used, which is longer than it waits for any answer.
const makeServers = (server: string | undefined) => {
  let elder = open(server)
  let current = elder
  let openedAt = performance.now()
  const take = () => {
    if (server !== undefined || performance.now() - openedAt < SERVERS_MS_MAX) return current
    elder = current
    current = open(server)
    openedAt = performance.now()
    return current
  }
  const close = () => {
    elder.cancel()
    current.cancel()
  }
  return { take, close }
}

const makeAsk = (server: string | undefined, take: () => Dns.Resolver): DnsBatcher.Ask => {
  const network = askBoth(take)
  if (server !== undefined) return network
  const hosts = HostsFile.make()
  return (name, done) => {
    const listed = hosts(name)
    if (listed.length > 0) done(Either.right(listed))
    else network(name, done)
  }
}

const make = (server: string | undefined) =>
  Effect.acquireRelease(
    Effect.sync(() => makeServers(server)),
    ({ close }) => Effect.sync(close)
  ).pipe(
    Effect.map(({ take }) => HostResolver.of({ resolve: DnsBatcher.share(makeAsk(server, take)) }))
  )

/** Looks names up as configured; IPv4 answers of a server come first. */
export const layer = (options: Options = {}): Layer.Layer<HostResolver, InvalidResolver> => {
  const { resolver } = options
  return resolver === undefined || isServer(resolver)
    ? Layer.scoped(HostResolver, make(resolver))
    : Layer.fail(new InvalidResolver({ resolver }))
}
