/**
 * The API as an edge worker: a module with one function from `Request` to `Response`.
 * It imports nothing of Node. Its data is lost when the worker stops; a deployment provides its own store.
 */
import { ApiKeys } from "@attestry/core/ApiKeys"
import { Login, OrgName } from "@attestry/core/Identifier"
import { Memberships } from "@attestry/core/Memberships"
import { Orgs } from "@attestry/core/Orgs"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import { PublicUrl } from "@attestry/http/PublicUrl"
import * as Server from "@attestry/http/Server"
import * as WebHandler from "@attestry/http/WebHandler"
import * as MemoryStore from "@attestry/memory-store/MemoryStore"
import * as PolicyLab from "@attestry/policy-lab/PolicyLab"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"

const by = { kind: "system", id: "", name: "edge-worker" } as const

const runtime = ManagedRuntime.make(
  PolicyLab.layer.pipe(
    Layer.provideMerge(UseCases.layer),
    Layer.provideMerge(MemoryStore.layer),
    Layer.provideMerge(SecretsWebCrypto.layer)
  )
)

const start = (url: string) =>
  Effect.gen(function* () {
    const [orgs, memberships, keys] = yield* Effect.all([Orgs, Memberships, ApiKeys])
    const org = yield* orgs.create(OrgName.make("acme"), by)
    const login = Login.make("ada")
    const names = { displayName: null, email: null }
    const ada = { org, login, role: "admin", ...names, by, source: "script" } as const
    const { id: user } = yield* memberships.add(ada)
    const first = { org: org.id, user, by, description: "first key", lifetimeSeconds: null }
    const { key } = yield* keys.issue(first)
    console.log(`key ${Redacted.value(key)}`)
    return yield* WebHandler.make(yield* Server.make(), {
      remoteAddress: ({ headers }) => headers.get("cf-connecting-ip") ?? ""
    })
  }).pipe(Effect.provideService(PublicUrl, url))

let handler: Promise<WebHandler.WebHandler> | undefined

export default {
  /** Answers a request; the first one starts the worker. */
  fetch: async (request: Request): Promise<Response> => {
    handler ??= runtime.runPromise(start(new URL(request.url).origin))
    return (await handler)(request)
  }
}
