/** Signing in with a real provider over real sockets, through the guard. */

import { type Provider, ProviderId } from "@attestry/core/Provider"
import { ProviderConnections } from "@attestry/core/ProviderConnections"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted, TestClock } from "effect"
import { exportJWK, exportPKCS8, generateKeyPair } from "jose"
import * as ClientCredentials from "../src/ClientCredentials.js"
import * as SignInProviders from "../src/SignInProviders.js"
import * as Https from "./shared/Https.js"
import * as RealProvider from "./shared/RealProvider.js"

const CALLBACK = "https://attestry.example.com/_/sign-in/okta/callback"

const providerAt = (issuer: string, more: Partial<Provider> = {}): Provider => ({
  id: ProviderId.make("okta"),
  label: "Okta",
  issuer,
  client_id: "attestry",
  scopes: ["openid", "profile", "email"],
  subject: "sub",
  groups: "groups",
  orgs: null,
  link: "none",
  domains: [],
  logout: true,
  ...more
})

const secret = ClientCredentials.ofSecret(Redacted.make(RealProvider.SECRET))

const withProvider = (
  provider: Provider,
  outbound: Parameters<typeof SignInProviders.layer>[1],
  credentials = secret
) =>
  Effect.provide(ProviderConnections, SignInProviders.layer([{ provider, credentials }], outbound))

const begin = (
  providers: typeof ProviderConnections.Service,
  provider: Provider,
  maxAge?: number
) =>
  providers.begin({
    provider,
    redirectUri: CALLBACK,
    maxAge: maxAge ?? null,
    context: '{"next":"/acme"}'
  })

describe("signing in with a real provider", () => {
  it.scopedLive("gives the claims of the person, by requests through the guard alone", () =>
    Effect.gen(function* () {
      const provider = providerAt(yield* RealProvider.start(CALLBACK))
      const { outbound, urls } = yield* Https.guard()
      const providers = yield* withProvider(provider, outbound)
      const { location, sealed } = yield* begin(providers, provider, 900)
      const asked = new URL(location).searchParams
      assert.deepStrictEqual(
        [asked.get("code_challenge_method"), asked.get("max_age"), asked.get("response_type")],
        ["S256", "900", "code"]
      )
      const url = yield* Https.browse(location)
      const request = { provider, url, sealed: Option.some(sealed) }
      const { claims, context } = yield* providers.finish(request)
      assert.strictEqual(context, '{"next":"/acme"}')
      assert.deepStrictEqual(
        [claims.sub, claims.email, claims.email_verified, claims.groups, typeof claims.auth_time],
        ["u-1", "ann@example.com", true, ["devs"], "number"]
      )
      assert.isNotEmpty(urls)
      for (const sent of urls) assert.strictEqual(new URL(sent).origin, provider.issuer)

      const replayed = yield* Effect.flip(providers.finish(request))
      assert.strictEqual(replayed.failure, "expired")
    })
  )

  it.scopedLive("proves the client with a private key too", () =>
    Effect.gen(function* () {
      const pair = yield* Effect.promise(() => generateKeyPair("ES256", { extractable: true }))
      const jwk = yield* Effect.promise(() => exportJWK(pair.publicKey))
      const pem = yield* Effect.promise(() => exportPKCS8(pair.privateKey))
      const issuer = yield* RealProvider.start(CALLBACK, {
        token_endpoint_auth_method: "private_key_jwt",
        token_endpoint_auth_signing_alg: "ES256",
        jwks: { keys: [{ ...jwk, use: "sig", alg: "ES256" }] }
      })
      const provider = providerAt(issuer)
      const credentials = yield* ClientCredentials.ofPrivateKey(Redacted.make(pem))
      const { outbound } = yield* Https.guard()
      const providers = yield* withProvider(provider, outbound, credentials)
      const { location, sealed } = yield* begin(providers, provider)
      const url = yield* Https.browse(location)
      const { claims } = yield* providers.finish({ provider, url, sealed: Option.some(sealed) })
      assert.strictEqual(claims.sub, "u-1")
    })
  )

  it.scopedLive("takes nothing back that this browser did not begin", () =>
    Effect.gen(function* () {
      const provider = providerAt(yield* RealProvider.start(CALLBACK))
      const { outbound, urls } = yield* Https.guard()
      const providers = yield* withProvider(provider, outbound)
      const [own, other] = [yield* begin(providers, provider), yield* begin(providers, provider)]
      const url = yield* Https.browse(own.location)
      const asked = urls.length
      const failureOf = (from: string, sealed: Option.Option<Redacted.Redacted<string>>) =>
        Effect.map(
          Effect.flip(providers.finish({ provider, url: from, sealed })),
          ({ failure }) => failure
        )
      const changed = Redacted.make(`${Redacted.value(own.sealed).slice(0, -2)}AA`)
      for (const sealed of [
        Option.none(),
        Option.some(other.sealed),
        Option.some(changed),
        Option.some(Redacted.make("")),
        Option.some(Redacted.make("~".repeat(9_000)))
      ])
        assert.strictEqual(yield* failureOf(url, sealed), "expired")
      const twice = `${url}&state=${new URL(url).searchParams.get("state")}`
      assert.strictEqual(yield* failureOf(twice, Option.some(own.sealed)), "expired")
      assert.strictEqual(urls.length, asked)

      const foreign = new URL(url)
      foreign.searchParams.set("iss", "https://evil.example.org")
      assert.strictEqual(yield* failureOf(foreign.href, Option.some(own.sealed)), "provider")
      const declined = new URL(url)
      declined.searchParams.delete("code")
      declined.searchParams.set("error", "access_denied")
      assert.strictEqual(yield* failureOf(declined.href, Option.some(own.sealed)), "cancelled")
      assert.strictEqual(urls.length, asked)
    })
  )

  it.scopedLive("ends the session at the provider where that is wanted", () =>
    Effect.gen(function* () {
      const provider = providerAt(yield* RealProvider.start(CALLBACK))
      const { outbound } = yield* Https.guard()
      const providers = yield* withProvider(provider, outbound)
      const returnTo = "https://attestry.example.com/"
      const address = yield* providers.endSession({ provider, returnTo })
      const asked = new URL(Option.getOrThrow(address))
      assert.strictEqual(asked.origin, provider.issuer)
      assert.strictEqual(asked.searchParams.get("client_id"), "attestry")
      assert.strictEqual(asked.searchParams.get("post_logout_redirect_uri"), returnTo)
      const plain = { ...provider, logout: false }
      const none = yield* withProvider(plain, outbound)
      assert.isTrue(Option.isNone(yield* none.endSession({ provider: plain, returnTo })))
    })
  )
})

describe("a sign-in that waits", () => {
  it.scoped("ends after ten minutes", () =>
    Effect.gen(function* () {
      const metadata = JSON.stringify({
        issuer: "https://okta.example.org",
        authorization_endpoint: "https://okta.example.org/authorize",
        token_endpoint: "https://okta.example.org/token",
        jwks_uri: "https://okta.example.org/keys"
      })
      const provider = providerAt("https://okta.example.org")
      const urls: Array<string> = []
      const providers = yield* withProvider(provider, ({ url }) =>
        Effect.sync(() => {
          urls.push(url)
          return url.endsWith("openid-configuration")
            ? { status: 200, body: metadata }
            : { status: 400, body: '{"error":"invalid_grant"}' }
        })
      )
      const { location, sealed } = yield* begin(providers, provider)
      const state = new URL(location).searchParams.get("state")
      const url = `${CALLBACK}?code=c&state=${state}`
      const finish = Effect.flip(providers.finish({ provider, url, sealed: Option.some(sealed) }))
      yield* TestClock.adjust("599 seconds")
      yield* finish
      assert.isTrue(urls.some((sent) => sent.endsWith("/token")))
      urls.length = 0
      yield* TestClock.adjust("1 seconds")
      assert.strictEqual((yield* finish).failure, "expired")
      assert.deepStrictEqual(urls, [])
    })
  )
})
