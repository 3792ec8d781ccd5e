/** Translates the errors of sign-in and identities. */
import * as HttpError from "@attestry/api/HttpError"
import type {
  IdentityNotFound,
  IdentityTaken,
  KeyNotFresh,
  ProviderNotFound
} from "@attestry/core/Identity"
import type { SignInFailed } from "@attestry/core/ProviderConnections"
import type { ClaimRefused } from "@attestry/core/Session"
import type { InvalidSignInSettings } from "@attestry/core/SignInSettings"

/** The errors of sign-in and identities. */
export type SignInError =
  | ClaimRefused
  | IdentityNotFound
  | IdentityTaken
  | InvalidSignInSettings
  | KeyNotFresh
  | ProviderNotFound
  | SignInFailed

const TAGS: { readonly [Tag in SignInError["_tag"]]: true } = {
  ClaimRefused: true,
  IdentityNotFound: true,
  IdentityTaken: true,
  InvalidSignInSettings: true,
  KeyNotFresh: true,
  ProviderNotFound: true,
  SignInFailed: true
}

/** Whether an error is one of sign-in. */
export const covers = <E extends { readonly _tag: string }>(
  error: E
): error is Extract<E, SignInError> => error._tag in TAGS

/** The HTTP error of a domain error. */
export const translate = (error: SignInError): HttpError.HttpError => {
  const { message } = error
  switch (error._tag) {
    case "ClaimRefused":
      return HttpError.invalid({ code: `${message} [input: **REDACTED**]` })
    case "IdentityNotFound":
    case "ProviderNotFound":
      return new HttpError.NotFound({ message })
    case "IdentityTaken":
      return new HttpError.Conflict({ message })
    case "KeyNotFresh":
      return new HttpError.Forbidden({ message })
    case "InvalidSignInSettings":
      return HttpError.invalid(error.problems)
    case "SignInFailed":
      return new HttpError.Unavailable({
        message: `the provider \`${error.provider}\` cannot be reached at the moment`,
        cause: error
      })
  }
}
