/** Translates errors of keys, service accounts and id tokens. */
import * as HttpError from "@attestry/api/HttpError"
import type {
  ApiKeyInGrace,
  ApiKeyNotFound,
  ExpiryNotInFuture,
  ExpiryTooLate,
  InvalidCredential,
  PersonalKeyRefused,
  RotationFailed,
  TooManyEmergencyKeys
} from "@attestry/core/ApiKey"
import type { ScopeExceeded } from "@attestry/core/Gifts"
import type { InvalidIdentityRules } from "@attestry/core/IdentityRule"
import type { InvalidIdToken, IssuerKeysPending } from "@attestry/core/IdToken"
import type { InvalidKeyScope } from "@attestry/core/KeyScope"
import type { ServiceAccountExists, ServiceAccountNotFound } from "@attestry/core/ServiceAccount"
import { toSeconds } from "@attestry/core/Timestamp"

/** The errors of keys, service accounts and id tokens. */
export type CredentialError =
  | ApiKeyInGrace
  | ApiKeyNotFound
  | ExpiryNotInFuture
  | ExpiryTooLate
  | InvalidCredential
  | InvalidIdentityRules
  | InvalidIdToken
  | InvalidKeyScope
  | IssuerKeysPending
  | PersonalKeyRefused
  | RotationFailed
  | ScopeExceeded
  | ServiceAccountExists
  | ServiceAccountNotFound
  | TooManyEmergencyKeys

const rotationFailed = (error: RotationFailed, unavailable: string): HttpError.HttpError =>
  new HttpError.Unavailable({
    message: unavailable,
    details: error.cleanedUp
      ? `${error.message}: it works as before, and no new key was made`
      : `${error.message}: whether a new key was made is not known, and its secret was never shown`,
    cause: error
  })

/** The HTTP error; `unavailable` is the message while the store is unavailable. */
export const translate = (error: CredentialError, unavailable: string): HttpError.HttpError => {
  switch (error._tag) {
    case "InvalidCredential":
    case "InvalidIdToken":
      return new HttpError.Unauthorized({ message: error.message })
    case "IssuerKeysPending":
      return new HttpError.Unavailable({ message: error.message })
    case "InvalidIdentityRules":
    case "InvalidKeyScope":
      return HttpError.invalid(error.problems)
    case "ServiceAccountNotFound":
      return new HttpError.NotFound({ message: "Service account not found" })
    case "ServiceAccountExists":
      return HttpError.invalid({ name: `${error.message} [input: ${error.name}]` })
    case "ApiKeyNotFound":
      return new HttpError.NotFound({ message: "API key not found" })
    case "ApiKeyInGrace":
      return new HttpError.BadRequest({ message: error.message })
    case "ExpiryNotInFuture":
      return HttpError.invalid({
        expires_at: `Input should not be in the past [input: ${toSeconds(error.expires_at)}]`
      })
    case "TooManyEmergencyKeys":
      return new HttpError.Conflict({ message: error.message })
    case "ExpiryTooLate":
      return HttpError.invalid({ expires_at: error.message })
    case "PersonalKeyRefused":
    case "ScopeExceeded":
      return new HttpError.Forbidden({ message: error.message })
    case "RotationFailed":
      return rotationFailed(error, unavailable)
  }
}
