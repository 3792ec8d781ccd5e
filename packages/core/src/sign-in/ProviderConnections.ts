/**
 * Port: the conversation with providers of identities, by OpenID Connect. The default has no provider.
 *
 * What a sign-in must remember until the browser comes back waits in the browser, sealed: nothing is stored here.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Claims } from "./IdentityClaims.js"
import { type Provider, ProviderId } from "./Provider.js"
import { FailureClass } from "./SignIn.js"

/** A sealed sign-in can be finished for this long. */
export const PENDING_SECONDS = 600

/** The sign-in did not come to an end that is accepted; the detail is for the operator's log and names no secret. */
export class SignInFailed extends Schema.TaggedError<SignInFailed>()("SignInFailed", {
  provider: ProviderId,
  failure: FailureClass,
  detail: Schema.String
}) {
  override get message(): string {
    return `signing in with \`${this.provider}\` failed: ${this.detail}`
  }
}

/** A sign-in to begin. */
export interface BeginSignIn {
  readonly provider: Provider
  /** Where the provider sends the browser back to. */
  readonly redirectUri: string
  /** How many seconds ago the provider may have asked the person; `null` does not ask. */
  readonly maxAge: number | null
  /** A text that comes back with the sign-in, sealed meanwhile. */
  readonly context: string
}

/** A sign-in that has begun. */
export interface BegunSignIn {
  /** The address of the provider for the browser. */
  readonly location: string
  /** What the browser keeps until it comes back. */
  readonly sealed: Redacted.Redacted<string>
}

/** The browser that came back. */
export interface FinishSignIn {
  readonly provider: Provider
  /** The address to which the provider sent the browser, with its query. */
  readonly url: string
  /** What the browser has kept; none where it has nothing. */
  readonly sealed: Option.Option<Redacted.Redacted<string>>
}

/** What the provider has confirmed. */
export interface FinishedSignIn {
  readonly claims: Claims
  readonly context: string
}

/** A way to sign out at the provider too. */
export interface EndSession {
  readonly provider: Provider
  /** Where the provider sends the browser back to. */
  readonly returnTo: string
}

/** Port: the conversation with providers of identities. */
export class ProviderConnections extends Context.Reference<ProviderConnections>()(
  "@attestry/core/ProviderConnections",
  {
    defaultValue: (): {
      /** Prepares a sign-in; fails where the provider cannot be reached or is not what it was. */
      readonly begin: (request: BeginSignIn) => Effect.Effect<BegunSignIn, SignInFailed>
      /** Verifies what the browser brought back, and exchanges its code for the claims of the person. */
      readonly finish: (request: FinishSignIn) => Effect.Effect<FinishedSignIn, SignInFailed>
      /** The address that ends the person's session at the provider; none where it offers none. */
      readonly endSession: (request: EndSession) => Effect.Effect<Option.Option<string>>
      /** Whether the provider can be reached and is the issuer that was configured. */
      readonly check: (provider: Provider) => Effect.Effect<void, SignInFailed>
    } => ({
      begin: ({ provider }) => missing(provider),
      finish: ({ provider }) => missing(provider),
      endSession: () => Effect.succeedNone,
      check: missing
    })
  }
) {}

const missing = ({ id }: Provider) =>
  new SignInFailed({ provider: id, failure: "provider", detail: "this host connects to none" })
