/**
 * Providers of identities that say what a test wants: the port without a network. Tokens and their verification are
 * tested with a real provider in the package of sign-in.
 */

import { type Provider, ProviderId } from "@attestry/core/Provider"
import { ProviderConnections, SignInFailed } from "@attestry/core/ProviderConnections"
import { Providers } from "@attestry/core/Providers"
import type { FailureClass } from "@attestry/core/SignIn"
import { Effect, Layer, Option, Redacted } from "effect"

const providerOf = (id: string, more: Partial<Provider> = {}): Provider => ({
  id: ProviderId.make(id),
  label: `Sign in with ${id}`,
  issuer: `https://${id}.example.org`,
  client_id: "attestry",
  scopes: ["openid"],
  subject: "sub",
  groups: "groups",
  orgs: null,
  link: "none",
  domains: [],
  logout: false,
  ...more
})

/** The providers of the tests. */
export const PROVIDERS = [providerOf("okta", { logout: true }), providerOf("entra")] as const

/** What the provider says at the next callback. */
export interface Script {
  claims: { readonly [name: string]: unknown }
  failure: FailureClass | undefined
}

/** A script, and the services that follow it. */
export const make = () => {
  const script: Script = { claims: {}, failure: undefined }
  const failed = ({ id }: Provider, failure: FailureClass) =>
    new SignInFailed({ provider: id, failure, detail: "as the test wants" })
  const layer = Layer.merge(
    Layer.succeed(Providers, PROVIDERS),
    Layer.succeed(ProviderConnections, {
      begin: ({ provider, redirectUri, maxAge, context }) =>
        script.failure === undefined
          ? Effect.succeed({
              location: `${provider.issuer}/authorize?max_age=${maxAge}&redirect_uri=${redirectUri}`,
              sealed: Redacted.make(btoa(context))
            })
          : failed(provider, script.failure),
      finish: ({ provider, sealed }) => {
        if (script.failure !== undefined) return failed(provider, script.failure)
        return Option.isNone(sealed)
          ? failed(provider, "expired")
          : Effect.succeed({ claims: script.claims, context: atob(Redacted.value(sealed.value)) })
      },
      endSession: ({ provider, returnTo }) =>
        Effect.succeed(
          provider.logout
            ? Option.some(`${provider.issuer}/logout?to=${encodeURIComponent(returnTo)}`)
            : Option.none()
        ),
      check: () => Effect.void
    })
  )
  return { script, layer }
}
