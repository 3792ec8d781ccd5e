/**
 * The conversation with providers of identities: authorization code with PKCE, by OpenID Connect.
 *
 * The verifier, state and nonce of a sign-in wait in the browser, sealed; a callback without them, or of another
 * sign-in, ends before the provider is asked. Every request goes through the host's guard.
 */

import type { Provider } from "@attestry/core/Provider"
import {
  type BeginSignIn,
  type EndSession,
  type FinishSignIn,
  PENDING_SECONDS,
  ProviderConnections,
  SignInFailed
} from "@attestry/core/ProviderConnections"
import { Providers } from "@attestry/core/Providers"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as client from "openid-client"
import * as ProviderConnection from "./internal/ProviderConnection.js"
import * as ProviderFailure from "./internal/ProviderFailure.js"
import type { Outbound } from "./Outbound.js"

/** A provider with what its client proves itself with. */
export type ConnectedProvider = ProviderConnection.ConnectedProvider

/** What a sign-in remembers until the browser comes back. */
const Pending = Schema.Struct({
  state: Schema.String,
  nonce: Schema.String,
  verifier: Schema.String,
  maxAge: Schema.NullOr(Schema.Finite),
  context: Schema.String,
  /** When it began, in milliseconds. */
  at: Schema.Finite
})
const PendingText = Schema.parseJson(Pending)
const decodePending = Schema.decodeOption(PendingText)
const encodePending = Schema.encodeSync(PendingText)

const begin = (connection: ProviderConnection.ProviderConnection, request: BeginSignIn) =>
  Effect.gen(function* () {
    const { provider, redirectUri, maxAge, context } = request
    const configuration = yield* connection.configuration
    const at = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    const [state, nonce, verifier] = [
      client.randomState(),
      client.randomNonce(),
      client.randomPKCECodeVerifier()
    ]
    const challenge = yield* Effect.promise(() => client.calculatePKCECodeChallenge(verifier))
    const location = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      response_type: "code",
      scope: provider.scopes.join(" "),
      state,
      nonce,
      code_challenge: challenge,
      code_challenge_method: "S256",
      ...(maxAge === null ? {} : { max_age: String(maxAge) })
    })
    const pending = encodePending({ state, nonce, verifier, maxAge, context, at })
    return { location: location.href, sealed: yield* connection.sealing.seal(pending) }
  })

const pendingOf = (
  { sealing }: ProviderConnection.ProviderConnection,
  { sealed, url }: FinishSignIn
) =>
  Effect.gen(function* () {
    const text = Option.isNone(sealed) ? Option.none() : yield* sealing.open(sealed.value)
    const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    return Option.filter(
      Option.flatMap(text, decodePending),
      ({ at, state }) =>
        now >= at &&
        now < at + PENDING_SECONDS * 1_000 &&
        new URL(url).searchParams.getAll("state").join(" ") === state
    )
  })

/** The difference of clocks that is tolerated, in seconds. */
const LEEWAY_SECONDS = 60

/** What the library lets pass: a token that another client asked for, and one that is issued later. */
const problemOf = (
  { azp, iat }: client.IDToken,
  configuration: client.Configuration,
  nowMillis: number
): string | null => {
  if (azp !== undefined && azp !== configuration.clientMetadata().client_id)
    return "another client asked for it"
  return iat > nowMillis / 1_000 + LEEWAY_SECONDS ? "it is issued in the future" : null
}

const finish = (connection: ProviderConnection.ProviderConnection, request: FinishSignIn) =>
  Effect.gen(function* () {
    const { id } = connection.provider
    const pending = yield* pendingOf(connection, request)
    if (Option.isNone(pending))
      return yield* new SignInFailed({
        provider: id,
        failure: "expired",
        detail: "the browser brought back no sign-in that it began within ten minutes"
      })
    const { state, nonce, verifier, maxAge, context } = pending.value
    const configuration = yield* connection.configuration
    const claims = yield* Effect.tryPromise({
      try: async () => {
        const answer = await client.authorizationCodeGrant(configuration, new URL(request.url), {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
          ...(maxAge === null ? {} : { maxAge })
        })
        return answer.claims()
      },
      catch: (cause) => ProviderFailure.from(id, cause)
    })
    const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    const problem = claims === undefined ? "there is none" : problemOf(claims, configuration, now)
    if (claims === undefined || problem !== null)
      return yield* new SignInFailed({
        provider: id,
        failure: "provider",
        detail: `the id token of the provider is not accepted: ${problem}`
      })
    return { claims: { ...claims }, context }
  })

/** The address that ends the session at the provider; none where it offers none. */
const endSession = (
  { configuration, provider }: ProviderConnection.ProviderConnection,
  { returnTo }: EndSession
) =>
  provider.logout
    ? configuration.pipe(
        Effect.map((known) =>
          known.serverMetadata().end_session_endpoint === undefined
            ? Option.none<string>()
            : Option.some(
                client.buildEndSessionUrl(known, { post_logout_redirect_uri: returnTo }).href
              )
        ),
        // WHY: the session here has ended; a provider that is down keeps no person from signing out.
        Effect.catchTag("SignInFailed", () => Effect.succeedNone)
      )
    : Effect.succeedNone

/** The providers of a host, reached through its guard. */
export const layer = (
  connected: ReadonlyArray<ConnectedProvider>,
  outbound: Outbound
): Layer.Layer<never> =>
  Layer.merge(
    Layer.succeed(
      Providers,
      connected.map(({ provider }) => provider)
    ),
    Layer.effect(
      ProviderConnections,
      Effect.gen(function* () {
        const connections = yield* Effect.forEach(connected, (each) =>
          ProviderConnection.make(each, outbound)
        )
        const connectionOf = (provider: Provider) => {
          const found = connections.find((each) => each.provider.id === provider.id)
          return found === undefined
            ? new SignInFailed({
                provider: provider.id,
                failure: "provider",
                detail: "this host does not know it"
              })
            : Effect.succeed(found)
        }
        return {
          begin: (request) =>
            Effect.flatMap(connectionOf(request.provider), (found) => begin(found, request)),
          finish: (request) =>
            Effect.flatMap(connectionOf(request.provider), (found) => finish(found, request)),
          endSession: (request) =>
            Effect.flatMap(connectionOf(request.provider), (found) =>
              endSession(found, request)
            ).pipe(Effect.catchTag("SignInFailed", () => Effect.succeedNone)),
          check: (provider) =>
            Effect.flatMap(connectionOf(provider), ({ refreshed }) => Effect.asVoid(refreshed))
        }
      })
    )
  )
