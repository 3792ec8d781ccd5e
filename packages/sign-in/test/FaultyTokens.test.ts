/** Tokens and documents that no honest provider sends: each ends the sign-in, by its class. */

import { type Provider, ProviderId } from "@attestry/core/Provider"
import { ProviderConnections } from "@attestry/core/ProviderConnections"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Encoding, Option, Redacted } from "effect"
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose"
import * as ClientCredentials from "../src/ClientCredentials.js"
import * as SignInProviders from "../src/SignInProviders.js"
import * as Https from "./shared/Https.js"

const CALLBACK = "https://attestry.example.com/_/sign-in/okta/callback"
const SECRET = "a secret of the client that is long enough"

const pair = Effect.promise(() => generateKeyPair("ES256", { extractable: true }))

/** What a token is made of, and how it is signed. */
interface Minting {
  readonly claims: JWTPayload
  readonly key: CryptoKey
  readonly kid: string
}

type Mint = (minting: Minting) => Promise<string>

const signed: Mint = ({ claims, key, kid }) =>
  new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid }).sign(key)

const withClaims =
  (change: (claims: JWTPayload) => JWTPayload): Mint =>
  (minting) =>
    signed({ ...minting, claims: change(minting.claims) })

const without = (name: string): Mint => withClaims(({ [name]: _left, ...rest }) => rest)

const unsigned =
  (alg: string): Mint =>
  async ({ claims }) => {
    const part = (value: unknown) => Encoding.encodeBase64Url(JSON.stringify(value))
    return `${part({ alg })}.${part(claims)}.`
  }

/** Documents of a provider, as they are served. */
interface Served {
  readonly discovery?: (document: object, origin: string) => unknown
  readonly keys?: (keys: ReadonlyArray<object>) => unknown
  readonly redirects?: boolean
}

/** A provider that answers every code with a minted token. */
const start = (mint: Mint, served: Served = {}) =>
  Effect.gen(function* () {
    const { privateKey, publicKey } = yield* pair
    const jwk = yield* Effect.promise(() => exportJWK(publicKey))
    const state = { nonce: "" }
    const keys = [{ ...jwk, kid: "k1", use: "sig", alg: "ES256" }]
    const origin = yield* Https.serve((at) => {
      const document = {
        issuer: at,
        authorization_endpoint: `${at}/authorize`,
        token_endpoint: `${at}/token`,
        jwks_uri: `${at}/keys`,
        authorization_response_iss_parameter_supported: true,
        id_token_signing_alg_values_supported: ["ES256", "HS256", "none"]
      }
      const tokenAnswer = async () => {
        const now = Math.floor(Date.now() / 1_000)
        const claims: JWTPayload = {
          iss: at,
          sub: "u-1",
          aud: "attestry",
          iat: now,
          exp: now + 300,
          auth_time: now,
          nonce: state.nonce
        }
        const id_token = await mint({ claims, key: privateKey, kid: "k1" })
        return { access_token: "a", token_type: "Bearer", id_token }
      }
      return (request, response) => {
        const answer = (value: unknown) => {
          response.setHeader("content-type", "application/json")
          response.end(typeof value === "string" ? value : JSON.stringify(value))
        }
        const { url = "" } = request
        if (url.startsWith("/token"))
          tokenAnswer().then(answer, (error: unknown) => response.destroy(new Error(String(error))))
        else if (url.startsWith("/keys"))
          answer(served.keys === undefined ? { keys } : served.keys(keys))
        else if (served.redirects === true) {
          response.statusCode = 302
          response.setHeader("location", `${at}/elsewhere`)
          response.end()
        } else answer(served.discovery === undefined ? document : served.discovery(document, at))
      }
    })
    const provider: Provider = {
      id: ProviderId.make("okta"),
      label: "Okta",
      issuer: origin,
      client_id: "attestry",
      scopes: ["openid"],
      subject: "sub",
      groups: null,
      orgs: null,
      link: "none",
      domains: [],
      logout: false
    }
    return { provider, state }
  })

const signIn = (mint: Mint, served: Served = {}, maxAge: number | null = null) =>
  Effect.gen(function* () {
    const { provider, state } = yield* start(mint, served)
    const { outbound, urls } = yield* Https.guard()
    const credentials = ClientCredentials.ofSecret(Redacted.make(SECRET))
    const providers = yield* Effect.provide(
      ProviderConnections,
      SignInProviders.layer([{ provider, credentials }], outbound)
    )
    const result = yield* Effect.either(
      Effect.gen(function* () {
        const begun = yield* providers.begin({
          provider,
          redirectUri: CALLBACK,
          maxAge,
          context: ""
        })
        const asked = new URL(begun.location).searchParams
        state.nonce = asked.get("nonce") ?? ""
        const iss = encodeURIComponent(provider.issuer)
        const url = `${CALLBACK}?code=c&state=${asked.get("state")}&iss=${iss}`
        return yield* providers.finish({ provider, url, sealed: Option.some(begun.sealed) })
      })
    )
    return { result, urls, provider }
  })

const refused = (mint: Mint, served: Served = {}, maxAge: number | null = null) =>
  Effect.gen(function* () {
    const { result } = yield* signIn(mint, served, maxAge)
    assert.strictEqual(result._tag, "Left")
    if (result._tag === "Left") assert.strictEqual(result.left.failure, "provider")
  })

const now = () => Math.floor(Date.now() / 1_000)

const FAULTS: { readonly [fault: string]: Mint } = {
  "is signed with another key of the same name": async (minting) => {
    const other = await generateKeyPair("ES256")
    return signed({ ...minting, key: other.privateKey })
  },
  "names a key that the provider does not have": (minting) => signed({ ...minting, kid: "k2" }),
  "has the algorithm none": unsigned("none"),
  "has no signature": unsigned("ES256"),
  "is signed with the secret of the client": ({ claims, kid }) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: "HS256", kid })
      .sign(new TextEncoder().encode(SECRET)),
  "is signed with the public key as a secret": ({ claims, kid }) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: "HS256", kid })
      .sign(new TextEncoder().encode("-----BEGIN PUBLIC KEY-----")),
  "has an extension that must be understood": ({ claims, key, kid }) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: "ES256", kid, crit: ["x"], x: 1 })
      .sign(key, { crit: { x: true } }),
  "is of another issuer": withClaims((claims) => ({ ...claims, iss: "https://evil.example.org" })),
  "is for another client": withClaims((claims) => ({ ...claims, aud: "another" })),
  "is for several clients, and was asked for by another": withClaims((claims) => ({
    ...claims,
    aud: ["attestry", "another"],
    azp: "another"
  })),
  "is for several clients, without saying who asked": withClaims((claims) => ({
    ...claims,
    aud: ["attestry", "another"]
  })),
  "was asked for by another client": withClaims((claims) => ({ ...claims, azp: "another" })),
  "has the nonce of another sign-in": withClaims((claims) => ({ ...claims, nonce: "another" })),
  "has no nonce": without("nonce"),
  "has ended": withClaims((claims) => ({ ...claims, exp: now() - 60 })),
  "has no end": without("exp"),
  "has no beginning": without("iat"),
  "has no subject": without("sub"),
  "is not valid yet": withClaims((claims) => ({ ...claims, nbf: now() + 600 })),
  "is issued in the future": withClaims((claims) => ({ ...claims, iat: now() + 120 })),
  "is no token": async () => "a.b.c"
}

describe("an id token", () => {
  it.scopedLive("is accepted as it should be", () =>
    Effect.gen(function* () {
      const { result, urls, provider } = yield* signIn(signed, {}, 300)
      assert.strictEqual(result._tag, "Right")
      if (result._tag === "Right") assert.strictEqual(result.right.claims.sub, "u-1")
      for (const url of urls) assert.strictEqual(new URL(url).origin, provider.issuer)
    })
  )

  for (const [fault, mint] of Object.entries(FAULTS))
    it.scopedLive(`is refused where it ${fault}`, () => refused(mint))

  it.scopedLive("is refused where the person was asked too long ago, or it does not say when", () =>
    Effect.gen(function* () {
      const old = withClaims((claims) => ({ ...claims, auth_time: now() - 900 }))
      yield* refused(old, {}, 300)
      yield* refused(without("auth_time"), {}, 300)
      const { result } = yield* signIn(old, {}, null)
      assert.strictEqual(result._tag, "Right")
    })
  )
})

const HOSTILE: { readonly [document: string]: Served } = {
  "a document of another issuer": {
    discovery: (document) => ({ ...document, issuer: "https://evil.example.org" })
  },
  "an endpoint that is not https": {
    discovery: (document) => ({ ...document, token_endpoint: "http://127.0.0.1/token" })
  },
  "no endpoint for keys": {
    discovery: ({ ...document }) => ({ ...document, jwks_uri: undefined })
  },
  "a list in place of a document": { discovery: () => [] },
  "no JSON": { discovery: () => "<html>" },
  "10 MB": { discovery: () => `"${"x".repeat(10 * 1_024 * 1_024)}"` },
  "a redirect": { redirects: true },
  "10,000 keys": {
    keys: ([key]) => ({ keys: Array.from({ length: 10_000 }, () => ({ kty: key && "RSA" })) })
  },
  "101 keys": {
    keys: ([key]) => ({ keys: Array.from({ length: 101 }, () => key) })
  },
  "a shared secret among the keys": {
    keys: (keys) => ({ keys: [...keys, { kty: "oct", k: "c2VjcmV0", kid: "k3" }] })
  }
}

describe("a provider", () => {
  for (const [document, served] of Object.entries(HOSTILE))
    it.scopedLive(`is off where it serves ${document}`, () => refused(signed, served))

  it.scopedLive("with 100 keys is used", () =>
    Effect.gen(function* () {
      const { result } = yield* signIn(signed, {
        keys: (keys) => ({
          keys: [
            ...keys,
            ...Array.from({ length: 99 }, (_, place) => ({ ...keys[0], kid: `other-${place}` }))
          ]
        })
      })
      assert.strictEqual(result._tag, "Right")
    })
  )

  it.scopedLive("is never reached on a private network, whoever names the address", () =>
    Effect.gen(function* () {
      const { provider } = yield* start(signed)
      const { outbound } = yield* Https.guard([])
      const credentials = ClientCredentials.ofSecret(Redacted.make(SECRET))
      const providers = yield* Effect.provide(
        ProviderConnections,
        SignInProviders.layer([{ provider, credentials }], outbound)
      )
      const failed = yield* Effect.flip(providers.check(provider))
      assert.strictEqual(failed.failure, "provider")
      assert.include(failed.detail, "blocked destination")
    })
  )

  it.scopedLive("that is down is asked again after ten seconds, and not before", () =>
    Effect.gen(function* () {
      const urls: Array<string> = []
      const { provider } = yield* start(signed)
      const credentials = ClientCredentials.ofSecret(Redacted.make(SECRET))
      const providers = yield* Effect.provide(
        ProviderConnections,
        SignInProviders.layer([{ provider, credentials }], ({ url }) => {
          urls.push(url)
          return Effect.fail({ reason: "connection" })
        })
      )
      const begin = Effect.flip(
        providers.begin({ provider, redirectUri: CALLBACK, maxAge: null, context: "" })
      )
      assert.strictEqual((yield* begin).detail, "connection")
      yield* begin
      assert.lengthOf(urls, 1)
      yield* Effect.flip(providers.check(provider))
      assert.lengthOf(urls, 2)
    })
  )
})
