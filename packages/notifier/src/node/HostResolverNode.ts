/**
 * Names looked up by the system, or by one configured DNS server.
 *
 * The system's way honours `/etc/hosts`; a configured server is asked for A and AAAA and nothing
 * else is consulted. Nothing is cached here.
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
import * as FailureReason from "./internal/FailureReason.js"

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

const query = (
  ask: (done: (error: Error | null, answers: Answers) => void) => void
): Effect.Effect<Answers, ResolutionError> =>
  Effect.async((resume) => {
    ask((error, answers) => {
      if (error === null) resume(Effect.succeed(answers))
      else if (isAbsent(error)) resume(Effect.succeed([]))
      else resume(Effect.fail(new ResolutionError({ cause: error })))
    })
  })

const lookUp = (name: string) =>
  query((done) =>
    Dns.lookup(name, { all: true, verbatim: true }, (error, answers) =>
      done(error, error === null ? answers.map(({ address }) => address) : [])
    )
  )

// WHY: each lookup occupies one of the few threads that also serve files and WebCrypto until the
// system gives up on it. A tenant with a dead name server must not take them all, and a caller
// that stops waiting does not free the thread, hence `disconnect`.
const makeSystem = Effect.map(Effect.makeSemaphore(2), (threads) =>
  HostResolver.of({
    resolve: (name) =>
      Effect.disconnect(threads.withPermits(1)(Effect.uninterruptible(lookUp(name))))
  })
)

const open = (server: string): Dns.Resolver => {
  const dns = new Dns.Resolver({ timeout: 2_000, tries: 2 })
  dns.setServers([server])
  return dns
}

const combine = (
  families: ReadonlyArray<Either.Either<Answers, ResolutionError>>
): Either.Either<Answers, ResolutionError> => {
  const answers = Arr.flatten(Arr.getRights(families))
  const [failure] = Arr.getLefts(families)
  return answers.length > 0 || failure === undefined ? Either.right(answers) : Either.left(failure)
}

// WHY: one resolver per question, because cancelling cancels every question of a resolver.
const ask = (server: string, name: string): Effect.Effect<Answers, ResolutionError> =>
  Effect.acquireUseRelease(
    Effect.sync(() => open(server)),
    (dns) =>
      Effect.all(
        [
          Effect.either(query((done) => dns.resolve4(name, done))),
          Effect.either(query((done) => dns.resolve6(name, done)))
        ],
        { concurrency: 2 }
      ).pipe(Effect.flatMap(combine)),
    (dns) => Effect.sync(() => dns.cancel())
  )

/** Looks names up as configured; IPv4 answers of a configured server come first. */
export const layer = (options: Options = {}): Layer.Layer<HostResolver, InvalidResolver> => {
  const { resolver } = options
  if (resolver === undefined) return Layer.effect(HostResolver, makeSystem)
  return isServer(resolver)
    ? Layer.succeed(HostResolver, { resolve: (name) => ask(resolver, name) })
    : Layer.fail(new InvalidResolver({ resolver }))
}
