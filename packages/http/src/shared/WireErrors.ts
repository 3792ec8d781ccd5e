/**
 * How each failure of the domain reads on the wire: the one place that knows both.
 *
 * Messages that clients know literally are spelled here from the failure's own values. A failure of the
 * domain that is missing here does not compile where it would leave a handler.
 */
import type { AccessDenied } from "@attestry/core/Access"
import type { AllowListEntryNotFound } from "@attestry/core/AllowListEntry"
import type { InvalidCredential } from "@attestry/core/ApiKey"
import type { DeploymentNotFound } from "@attestry/core/Deployment"
import type * as EnvironmentFailure from "@attestry/core/EnvironmentFailure"
import type { FlowNotFound } from "@attestry/core/Flow"
import * as FlowTemplate from "@attestry/core/FlowTemplate"
import type { SnapshotNotFound } from "@attestry/core/Snapshot"
import type { RepoNotFound } from "@attestry/core/SnapshotEvents"
import type { StoreError } from "@attestry/core/StoreError"
import * as Effect from "effect/Effect"
import * as HttpError from "./HttpError.js"

/** Every failure of the domain that can reach a handler. */
export type DomainError =
  | AccessDenied
  | AllowListEntryNotFound
  | DeploymentNotFound
  | EnvironmentFailure.EnvironmentArchived
  | EnvironmentFailure.EnvironmentKindMismatch
  | EnvironmentFailure.EnvironmentNameTaken
  | EnvironmentFailure.EnvironmentNotFound
  | EnvironmentFailure.EnvironmentNotLogical
  | EnvironmentFailure.EnvironmentNotPhysical
  | FlowNotFound
  | InvalidCredential
  | FlowTemplate.InvalidFlowTemplate
  | RepoNotFound
  | SnapshotNotFound
  | StoreError

/** What every refusal for want of permission says: never whether the org or the thing exists. */
export const FORBIDDEN = "You don't have permission to access this resource"

/** What every answer says while the store does not. */
export const UNAVAILABLE = "The service cannot answer at the moment: please try again"

const snapshotNotFound = (error: SnapshotNotFound): string =>
  `Org: '${error.org}'. Snapshot '${error.environment}#${error.expression}' resolves to ` +
  `'${error.environment}#${error.index}'. len(snapshots) == ${error.latestIndex}. Indexes are 1-based`

/** The failure on the wire. */
export const translate = (error: DomainError): HttpError.HttpError => {
  switch (error._tag) {
    case "InvalidCredential":
      return new HttpError.Unauthorized({ message: error.message })
    case "AccessDenied":
      return new HttpError.Forbidden({ message: FORBIDDEN })
    case "FlowNotFound":
      return new HttpError.NotFound({
        message: `Flow named '${error.flow}' does not exist for organization '${error.org}'`
      })
    case "EnvironmentNotFound":
      return new HttpError.NotFound({
        message: `Environment named '${error.environment}' does not exist for organization '${error.org}'`
      })
    case "EnvironmentArchived":
      return new HttpError.NotFound({
        message: `Environment named '${error.environment}' has been archived for organization '${error.org}'`
      })
    case "EnvironmentNameTaken":
      return new HttpError.Conflict({
        message: `Environment named '${error.environment}' already exists for organization '${error.org}'`
      })
    case "EnvironmentNotLogical":
      return HttpError.invalid({
        included_environments: `${error.message} [input: ${error.environment}]`
      })
    case "EnvironmentNotPhysical":
      return HttpError.invalid({
        physical_env_name: `${error.message} [input: ${error.environment}]`
      })
    case "AllowListEntryNotFound":
    case "DeploymentNotFound":
      return new HttpError.NotFound({ message: error.message })
    case "RepoNotFound":
      return new HttpError.NotFound({ message: `Repo '${error.repo}' not found` })
    case "SnapshotNotFound":
      return new HttpError.NotFound({ message: snapshotNotFound(error) })
    case "EnvironmentKindMismatch":
      return HttpError.invalid({ type: `${error.message} [input: ${error.asked}]` })
    case "InvalidFlowTemplate":
      return new HttpError.BadRequest({
        message: `${error.problems.length} validation errors for Template`,
        errors: FlowTemplate.fieldErrors(error)
      })
    case "StoreError":
      return new HttpError.Unavailable({ message: UNAVAILABLE })
  }
}

/** Translates what a use case fails with. */
export const toWire = <A, E extends DomainError | HttpError.HttpError, R>(
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
  TooManyRequests: true,
  Unavailable: true
}

const wireOf = (error: DomainError | HttpError.HttpError): HttpError.HttpError =>
  isWire(error) ? error : translate(error)
