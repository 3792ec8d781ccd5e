/** The class of what can go wrong with a provider, and a sentence for the operator's log without secrets and claims. */

import type { ProviderId } from "@attestry/core/Provider"
import { SignInFailed } from "@attestry/core/ProviderConnections"
import type { FailureClass } from "@attestry/core/SignIn"
import * as Predicate from "effect/Predicate"
import { AuthorizationResponseError, ResponseBodyError } from "openid-client"
import { ProviderUnreachable } from "./GuardedFetch.js"

/** Answers by which a person, or the provider in their place, has declined. OpenID Connect Core, 3.1.2.6 */
const DECLINED: ReadonlySet<string> = new Set([
  "access_denied",
  "account_selection_required",
  "consent_required",
  "interaction_required",
  "login_required"
])

/** A code of an error, as the standards spell them: anything else is not repeated. */
const CODE = /^[a-zA-Z0-9_.-]{1,64}$/

const safe = (code: unknown): string =>
  typeof code === "string" && CODE.test(code) ? code : "an unknown error"

const causeOf = (cause: unknown, depth = 0): unknown =>
  depth < 8 &&
  !(cause instanceof ProviderUnreachable) &&
  Predicate.hasProperty(cause, "cause") &&
  cause.cause instanceof Error
    ? causeOf(cause.cause, depth + 1)
    : cause

/** The failure of a conversation with a provider. */
export const from = (provider: ProviderId, cause: unknown): SignInFailed => {
  const failed = (failure: FailureClass, detail: string) =>
    new SignInFailed({ provider, failure, detail })
  if (cause instanceof AuthorizationResponseError)
    return failed(
      DECLINED.has(cause.error) ? "cancelled" : "provider",
      `the provider answered ${safe(cause.error)}`
    )
  if (cause instanceof ResponseBodyError)
    // A code that was used, or is another client's, or has ended.
    return failed(
      cause.error === "invalid_grant" ? "expired" : "provider",
      `the provider refused the code: ${safe(cause.error)}`
    )
  const root = causeOf(cause)
  if (root instanceof ProviderUnreachable) return failed("provider", root.message)
  const code = Predicate.hasProperty(cause, "code") ? safe(cause.code) : "no code"
  return failed("provider", `the answer of the provider is not accepted (${code})`)
}
