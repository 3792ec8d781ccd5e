/** The shared parts of the socket tests: a name, a scripted resolver, a client and a post. */
import { Effect, Layer, Logger } from "effect"
import * as GuardedHttpClientNode from "../../src/node/GuardedHttpClientNode.js"
import { GuardedHttpClient, type PostRequest } from "../../src/outbound/GuardedHttpClient.js"
import { HostResolver } from "../../src/outbound/HostResolver.js"
import * as Receiver from "./Receiver.js"

/** The name in the certificate of every receiver. */
export const name = "hooks.attestry.example"

/** A resolver that gives the next result on each call, then the last one forever, and records the names. */
export const scripted = (...results: ReadonlyArray<ReadonlyArray<string>>) => {
  const queries: Array<string> = []
  const layer = Layer.succeed(HostResolver, {
    resolve: (host) =>
      Effect.sync(() => {
        queries.push(host)
        return results[Math.min(queries.length, results.length) - 1] ?? []
      })
  })
  return { queries, layer }
}

/** Keeps the warning about the allow-list out of the output of tests. */
export const quiet = Logger.remove(Logger.defaultLogger)

/** A client that trusts the receivers and may dial 127.0.0.1. */
export const client = (
  options: GuardedHttpClientNode.Options = {},
  resolver: Layer.Layer<HostResolver> = scripted(["127.0.0.1"]).layer
) =>
  GuardedHttpClientNode.layer({
    allow: ["127.0.0.1"],
    extraCa: Receiver.certificate,
    ...options
  }).pipe(Layer.provide(resolver), Layer.provide(quiet))

/** Posts to the receiver's port by name. */
export const post = ({ port }: { readonly port: number }, request: Partial<PostRequest> = {}) =>
  Effect.flatMap(GuardedHttpClient, (guarded) =>
    guarded.post({
      tenant: "acme",
      url: `https://${name}:${port}/hook?x=1`,
      headers: { "content-type": "application/json" },
      body: "{}",
      timeoutMs: 5_000,
      ...request
    })
  )

/** The class of failure of a post that must fail. */
export const reasonOf = <A, R>(effect: Effect.Effect<A, { readonly message: string }, R>) =>
  Effect.map(Effect.flip(effect), ({ message }) => message)
