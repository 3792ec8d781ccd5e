/** The cookie of a sign-in that has begun: sealed, for ten minutes, and sent to the paths of sign-in alone. */

import type { ProviderId } from "@attestry/core/Provider"
import { PENDING_SECONDS } from "@attestry/core/ProviderConnections"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { IncomingRequest } from "../../shared/HttpMessage.js"

/** Where browsers begin to sign in and come back to, below the address of the deployment. */
export const PATH = "/_/sign-in/"

const nameOf = (provider: ProviderId): string => `attestry_sign_in_${provider}`

/** The path of an address without a slash at its end. */
export const pathOf = (base: string): string => new URL(base).pathname.replace(/\/+$/, "")

/** The address to which a provider sends the browser back. */
export const callbackOf = (base: string, provider: ProviderId): string =>
  `${base.replace(/\/+$/, "")}${PATH}${provider}/callback`

/**
 * The header that sets the cookie.
 *
 * WHY lax: the provider sends the browser back from another site, and a strict cookie would stay at home.
 */
export const print = (
  base: string,
  provider: ProviderId,
  sealed: Redacted.Redacted<string>
): string =>
  [
    `${nameOf(provider)}=${Redacted.value(sealed)}`,
    `Path=${pathOf(base)}${PATH}${provider}/`,
    "HttpOnly",
    "SameSite=Lax",
    `Max-Age=${PENDING_SECONDS}`,
    ...(base.startsWith("https:") ? ["Secure"] : [])
  ].join("; ")

/** What the browser has kept for a provider. */
export const read = (
  { headers }: Pick<IncomingRequest, "headers">,
  provider: ProviderId
): Option.Option<Redacted.Redacted<string>> => {
  const wanted = `${nameOf(provider)}=`
  const pair = headers("cookie")
    .flatMap((header) => header.split(";"))
    .map((each) => each.trim())
    .find((each) => each.startsWith(wanted))
  return Option.map(Option.fromNullable(pair), (text) => Redacted.make(text.slice(wanted.length)))
}
