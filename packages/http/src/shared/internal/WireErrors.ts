/**
 * Translates each error of the domain to its HTTP error; no other module knows both.
 *
 * Messages that clients compare literally are built here from the values of the error. A handler does not compile
 * while it can fail with a domain error that is missing here.
 */
import * as HttpError from "@attestry/api/HttpError"
import type { AccessDenied } from "@attestry/core/Access"
import type { EnvironmentNotificationNotFound } from "@attestry/core/EnvironmentNotification"
import type { FlowNotFound } from "@attestry/core/Flow"
import type { ActionNotFound } from "@attestry/core/FlowNotification"
import * as FlowTemplate from "@attestry/core/FlowTemplate"
import type { DestinationRefused } from "@attestry/core/OutboundUrlCheck"
import type { RuleEngineError } from "@attestry/core/PayloadRules"
import type { OperationRefused } from "@attestry/core/ProposedOperations"
import type { StoreError } from "@attestry/core/StoreError"
import * as Effect from "effect/Effect"
import * as ParseResult from "effect/ParseResult"
import * as IdempotencyErrors from "../../idempotency/internal/IdempotencyErrors.js"
import * as CapsuleErrors from "./CapsuleErrors.js"
import * as ControlErrors from "./ControlErrors.js"
import * as CredentialErrors from "./CredentialErrors.js"
import * as EnvironmentErrors from "./EnvironmentErrors.js"
import * as EvidenceErrors from "./EvidenceErrors.js"
import * as IntakeErrors from "./IntakeErrors.js"
import * as LogErrors from "./LogErrors.js"
import * as PeopleErrors from "./PeopleErrors.js"
import * as PlaceErrors from "./PlaceErrors.js"
import * as PolicyErrors from "./PolicyErrors.js"
import * as ProposalErrors from "./ProposalErrors.js"
import * as ReceiptErrors from "./ReceiptErrors.js"
import * as ReleaseErrors from "./ReleaseErrors.js"
import * as SignInErrors from "./SignInErrors.js"
import * as WaiverErrors from "./WaiverErrors.js"

/** Every domain error that can reach a handler. */
export type DomainError =
  | AccessDenied
  | IdempotencyErrors.IdempotencyError
  | CapsuleErrors.CapsuleError
  | ControlErrors.ControlError
  | CredentialErrors.CredentialError
  | DestinationRefused
  | ActionNotFound
  | EnvironmentNotificationNotFound
  | EvidenceErrors.EvidenceError
  | IntakeErrors.IntakeError
  | LogErrors.LogError
  | RuleEngineError
  | EnvironmentErrors.EnvironmentError
  | FlowNotFound
  | FlowTemplate.InvalidFlowTemplate
  | PeopleErrors.PeopleError
  | PlaceErrors.PlaceError
  | SignInErrors.SignInError
  | PolicyErrors.PolicyError
  | ProposalErrors.ProposalError
  | ReceiptErrors.ReceiptError
  | ReleaseErrors.ReleaseError
  | StoreError
  | WaiverErrors.WaiverError

/** The message of every 403 for a missing permission: it does not reveal whether the org or the resource exists. */
export const FORBIDDEN = "You don't have permission to access this resource"

/** The message while the store is unavailable. */
export const UNAVAILABLE = "The service cannot answer at the moment: please try again"

/** The message for a stored record that cannot be read. */
export const DAMAGED = "A stored record is damaged and cannot be shown"

const destinationRefused = (error: DestinationRefused) =>
  HttpError.invalid(
    Object.fromEntries(
      error.problems.map(({ position, reason }) => [
        `targets[${position}].webhook`,
        `${reason} [input: **REDACTED**]`
      ])
    )
  )

/** The message repeats the details, because clients of trails read them there. SPEC §4.7 */
const templateRefused = (error: FlowTemplate.InvalidFlowTemplate) => {
  const errors = FlowTemplate.fieldErrors(error)
  const details = Object.entries(errors).map(([field, problem]) => `${field}\n  ${problem}`)
  const title = `${error.problems.length} validation errors for Template`
  return new HttpError.BadRequest({ message: [title, ...details].join("\n"), errors })
}

/** 500 for a record that cannot be decoded, because repeating the request does not help. */
const storeFailed = (error: RuleEngineError | StoreError): HttpError.HttpError =>
  ParseResult.isParseError(error.cause)
    ? new HttpError.Damaged({ message: DAMAGED })
    : new HttpError.Unavailable({ message: UNAVAILABLE, cause: error })

/** The errors that modules translate which say themselves what they cover. */
type Covered =
  | CapsuleErrors.CapsuleError
  | EnvironmentErrors.EnvironmentError
  | EvidenceErrors.EvidenceError
  | IntakeErrors.IntakeError
  | PeopleErrors.PeopleError
  | PlaceErrors.PlaceError
  | ProposalErrors.ProposalError
  | ReceiptErrors.ReceiptError
  | ReleaseErrors.ReleaseError
  | SignInErrors.SignInError
  | WaiverErrors.WaiverError

const covered = (error: Covered): HttpError.HttpError => {
  if (CapsuleErrors.covers(error)) return CapsuleErrors.translate(error)
  if (IntakeErrors.covers(error)) return IntakeErrors.translate(error, UNAVAILABLE)
  if (PeopleErrors.covers(error)) return PeopleErrors.translate(error)
  if (PlaceErrors.covers(error)) return PlaceErrors.translate(error)
  if (ProposalErrors.covers(error)) return ProposalErrors.translate(error)
  if (ReceiptErrors.covers(error)) return ReceiptErrors.translate(error)
  if (ReleaseErrors.covers(error)) return ReleaseErrors.translate(error)
  if (SignInErrors.covers(error)) return SignInErrors.translate(error)
  if (WaiverErrors.covers(error)) return WaiverErrors.translate(error)
  return EnvironmentErrors.covers(error)
    ? EnvironmentErrors.translate(error)
    : EvidenceErrors.translate(error)
}

/** The HTTP error of a domain error. */
export const translate = (error: DomainError): HttpError.HttpError => {
  if (LogErrors.isLogError(error)) return LogErrors.translate(error, DAMAGED)
  switch (error._tag) {
    case "AccessDenied":
      return new HttpError.Forbidden({ message: FORBIDDEN })
    case "FlowNotFound":
      return new HttpError.NotFound({
        message: `Flow named '${error.flow}' does not exist for organization '${error.org}'`
      })
    case "InvalidFlowTemplate":
      return templateRefused(error)
    case "InvalidPolicyDocument":
    case "InvalidPolicyTests":
    case "InvalidTrustPolicyDocument":
    case "TrustPolicyNotFound":
    case "PolicyNotFound":
    case "PolicyVersionNotFound":
    case "PolicyWouldBeWeaker":
    case "InvalidBacktest":
    case "TooManyBacktests":
    case "TooManyRows":
      return PolicyErrors.translate(error)
    case "DestinationRefused":
      return destinationRefused(error)
    case "ActionNotFound":
    case "EnvironmentNotificationNotFound":
      return new HttpError.NotFound({ message: "action not found" })
    case "ApiKeyInGrace":
    case "ApiKeyNotFound":
    case "ExpiryNotInFuture":
    case "InvalidCredential":
    case "InvalidIdentityRules":
    case "InvalidIdToken":
    case "InvalidKeyScope":
    case "IssuerKeysPending":
    case "RotationFailed":
    case "ExpiryTooLate":
    case "PersonalKeyRefused":
    case "TooManyEmergencyKeys":
    case "ScopeExceeded":
    case "ServiceAccountExists":
    case "ServiceAccountNotFound":
      return CredentialErrors.translate(error, UNAVAILABLE)
    case "ControlNotFound":
    case "ControlDecisionNotFound":
    case "ControlVersionNotFound":
    case "ControlExists":
    case "ControlArchived":
      return ControlErrors.translate(error)
    case "IdempotencyKeyReused":
    case "ResponseWithheld":
    case "RequestUnderWay":
      return IdempotencyErrors.translate(error)
    case "RuleEngineError":
    case "StoreError":
      return storeFailed(error)
    default:
      return covered(error)
  }
}

/** Translates the errors of a use case. */
export const toWire = <A, E extends DomainError | OperationRefused | HttpError.HttpError, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, HttpError.HttpError, R> => Effect.mapError(effect, wireOf)

const isWire = (error: DomainError | HttpError.HttpError): error is HttpError.HttpError =>
  error._tag in httpTags

const httpTags: { readonly [Tag in HttpError.HttpError["_tag"]]: true } = {
  BadRequest: true,
  Unauthorized: true,
  Forbidden: true,
  NotFound: true,
  MethodNotAllowed: true,
  Conflict: true,
  PayloadTooLarge: true,
  UnsupportedMediaType: true,
  UnprocessableContent: true,
  TooManyRequests: true,
  Damaged: true,
  Unavailable: true
}

/** The HTTP error of an error of a use case. A proposed operation has refused with the error that it answers. */
export const wireOf = (
  error: DomainError | OperationRefused | HttpError.HttpError
): HttpError.HttpError => {
  if (error._tag !== "OperationRefused") return isWire(error) ? error : translate(error)
  // WHY: the server's own port makes these errors, of HTTP errors alone.
  return error.error as HttpError.HttpError
}
