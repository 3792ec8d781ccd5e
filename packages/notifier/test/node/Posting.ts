/** What the socket tests share: one name, a resolver that is told its answers, one way to post. */
import { Effect, Layer, Logger } from "effect"
import * as GuardedHttpClientNode from "../../src/node/GuardedHttpClientNode.js"
import { GuardedHttpClient, type PostRequest } from "../../src/outbound/GuardedHttpClient.js"
import { HostResolver } from "../../src/outbound/HostResolver.js"
import * as Task from "../../src/outbound/Task.js"
import * as Receiver from "./Receiver.js"

/** The name in the certificate of every receiver. */
export const name = "hooks.attestry.example"

/** A resolver that gives the next answer on each call, the last one for ever, and counts. */
export const scripted = (...answers: ReadonlyArray<ReadonlyArray<string>>) => {
  const asked: Array<string> = []
  const layer = Layer.succeed(HostResolver, {
    resolve: (host) =>
      Task.suspend(() => {
        asked.push(host)
        return Task.succeed(answers[Math.min(asked.length, answers.length) - 1] ?? [])
      })
  })
  return { asked, layer }
}

/** Keeps the warning about what is permitted out of the output of tests. */
export const quiet = Logger.remove(Logger.defaultLogger)

/** A client that trusts the receivers and may dial 127.0.0.1, with the given answers. */
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
