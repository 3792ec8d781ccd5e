/**
 * The connection to one provider: its discovery document, kept for a while, and the library's configuration.
 *
 * Every server of a deployment keeps its own. A document is fetched when a person signs in, again after ten minutes,
 * and after a failure at most once in ten seconds. The keys of the provider are the library's: fetched again after five
 * minutes, and for an unknown key at most once a minute.
 */

import type { Provider } from "@attestry/core/Provider"
import type { SignInFailed } from "@attestry/core/ProviderConnections"
import { SignInFailed as Failed } from "@attestry/core/ProviderConnections"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as client from "openid-client"
import type { ClientCredentials } from "../ClientCredentials.js"
import type { Outbound } from "../Outbound.js"
import * as GuardedFetch from "./GuardedFetch.js"
import * as ProviderFailure from "./ProviderFailure.js"
import * as SealedText from "./SealedText.js"

/** A provider with what its client proves itself with. */
export interface ConnectedProvider {
  readonly provider: Provider
  readonly credentials: ClientCredentials
}

/** A connection. */
export interface ProviderConnection {
  readonly provider: Provider
  readonly sealing: SealedText.Sealing
  /** The configuration of the library, with a discovery document that is recent. */
  readonly configuration: Effect.Effect<client.Configuration, SignInFailed>
  /** The same, with a document that is fetched now. */
  readonly refreshed: Effect.Effect<client.Configuration, SignInFailed>
}

const KEPT_MILLIS = 600_000
const FAILED_MILLIS = 10_000
const TIMEOUT_SECONDS = 10

/** The endpoints that a sign-in uses; each is an https address. */
const endpointsOf = (metadata: client.ServerMetadata): ReadonlyArray<string | undefined> => [
  metadata.authorization_endpoint,
  metadata.token_endpoint,
  metadata.jwks_uri
]

/** WHY by the document: providers take a secret in the body, in the header, or both, and say which. */
const authenticationFor = (
  credentials: ClientCredentials,
  { token_endpoint_auth_methods_supported: methods }: client.ServerMetadata
): client.ClientAuth => {
  if (credentials._tag === "PrivateKey") return client.PrivateKeyJwt(credentials.key)
  const secret = Redacted.value(credentials.secret)
  return methods?.includes("client_secret_post") === true &&
    !methods.includes("client_secret_basic")
    ? client.ClientSecretPost(secret)
    : client.ClientSecretBasic(secret)
}

const problemOf = (provider: Provider, metadata: client.ServerMetadata): string | null => {
  if (metadata.issuer !== provider.issuer) return "its discovery document names another issuer"
  return endpointsOf(metadata).every((endpoint) => endpoint?.startsWith("https://") === true)
    ? null
    : "its discovery document lacks an endpoint, or has one that is not https"
}

/** A connection, which asks the provider for nothing yet. */
export const make = (
  { provider, credentials }: ConnectedProvider,
  outbound: Outbound
): Effect.Effect<ProviderConnection> =>
  Effect.gen(function* () {
    const fetch = GuardedFetch.make(outbound)
    const sealing = yield* SealedText.make(credentials, provider.id)
    const fetching = yield* Effect.makeSemaphore(1)
    let kept: { readonly configuration: client.Configuration; readonly at: number } | undefined
    let failed: { readonly failure: SignInFailed; readonly at: number } | undefined

    const discover = Effect.tryPromise({
      try: async () => {
        const found = await client.discovery(
          new URL(provider.issuer),
          provider.client_id,
          undefined,
          client.None(),
          { [client.customFetch]: fetch, timeout: TIMEOUT_SECONDS }
        )
        const metadata = found.serverMetadata()
        const configuration = new client.Configuration(
          metadata,
          provider.client_id,
          undefined,
          authenticationFor(credentials, metadata)
        )
        configuration[client.customFetch] = fetch
        configuration.timeout = TIMEOUT_SECONDS
        // WHY: without it the library accepts a token that any key has signed, since the token came over TLS.
        client.enableNonRepudiationChecks(configuration)
        return configuration
      },
      catch: (cause) => ProviderFailure.from(provider.id, cause)
    }).pipe(
      Effect.filterOrElse(
        (configuration) => problemOf(provider, configuration.serverMetadata()) === null,
        (configuration) =>
          new Failed({
            provider: provider.id,
            failure: "provider",
            detail: problemOf(provider, configuration.serverMetadata()) ?? ""
          })
      )
    )

    const refreshed = discover.pipe(
      Effect.tap((configuration) =>
        Effect.clockWith((clock) =>
          Effect.sync(() => {
            kept = { configuration, at: clock.unsafeCurrentTimeMillis() }
            failed = undefined
          })
        )
      ),
      Effect.tapError((failure) =>
        Effect.clockWith((clock) =>
          Effect.sync(() => {
            failed = { failure, at: clock.unsafeCurrentTimeMillis() }
          })
        )
      )
    )

    const configuration = fetching.withPermits(1)(
      Effect.clockWith((clock) => {
        const now = clock.unsafeCurrentTimeMillis()
        if (kept !== undefined && now < kept.at + KEPT_MILLIS)
          return Effect.succeed(kept.configuration)
        return failed !== undefined && now < failed.at + FAILED_MILLIS ? failed.failure : refreshed
      })
    )

    return { provider, sealing, configuration, refreshed }
  })
