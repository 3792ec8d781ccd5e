/** A whole deployment in this process: the web handler on a memory store, behind something like `fetch`. */
import { ApiKeys } from "@attestry/core/ApiKeys"
import { Login, OrgName } from "@attestry/core/Identifier"
import { Memberships } from "@attestry/core/Memberships"
import { Orgs } from "@attestry/core/Orgs"
import type { Role } from "@attestry/core/Role"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import * as Server from "@attestry/http/Server"
import * as WebHandler from "@attestry/http/WebHandler"
import * as MemoryStore from "@attestry/memory-store/MemoryStore"
import * as PolicyLab from "@attestry/policy-lab/PolicyLab"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import type * as HttpClient from "@effect/platform/HttpClient"
import { Effect, Layer, type Redacted } from "effect"

/** A deployment with one org and a key for each of two members. */
export interface TestDeployment {
  readonly fetch: typeof globalThis.fetch
  readonly adminKey: Redacted.Redacted<string>
  readonly readerKey: Redacted.Redacted<string>
}

/** Where the deployment pretends to be. */
export const BASE_URL = "http://attestry.test"

/** The org that the deployment has. */
export const org = OrgName.make("acme")

const Services = PolicyLab.layer.pipe(
  Layer.provideMerge(UseCases.layer),
  Layer.provideMerge(MemoryStore.layer),
  Layer.provideMerge(SecretsWebCrypto.layer)
)

const by = { kind: "system", id: "", name: "test" } as const

const bootstrap = Effect.gen(function* () {
  const created = yield* (yield* Orgs).create(org, by)
  const memberships = yield* Memberships
  const keys = yield* ApiKeys
  const keyOf = (name: string, role: Role) =>
    memberships
      .add({
        org: created,
        login: Login.make(name),
        role,
        displayName: null,
        email: null,
        by,
        source: "script"
      })
      .pipe(
        Effect.flatMap((user) =>
          keys.issue({
            org: created.id,
            user: user.id,
            by,
            description: "test",
            lifetimeSeconds: null
          })
        ),
        Effect.map(({ key }) => key)
      )
  return { adminKey: yield* keyOf("ada", "admin"), readerKey: yield* keyOf("rita", "reader") }
})

/** A new deployment. */
export const make: Effect.Effect<TestDeployment> = Effect.gen(function* () {
  const keys = yield* bootstrap
  const handler = yield* WebHandler.make(yield* Server.make())
  const fetch: typeof globalThis.fetch = (input, init) => handler(new Request(input, init))
  return { ...keys, fetch }
}).pipe(Effect.provide(Services), Effect.orDie)

/** An `HttpClient` whose `fetch` is the given one. */
export const layerFetch = (fetch: typeof globalThis.fetch): Layer.Layer<HttpClient.HttpClient> =>
  Layer.provide(FetchHttpClient.layer, Layer.succeed(FetchHttpClient.Fetch, fetch))
