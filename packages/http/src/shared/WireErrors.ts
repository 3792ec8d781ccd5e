/**
 * How each failure of the domain reads on the wire: the one place that knows both.
 *
 * Messages that clients know literally are spelled here from the failure's own values. A failure of the
 * domain that is missing here does not compile where it would leave a handler.
 */
import type { AccessDenied } from "@attestry/core/Access"
import type { InvalidCredential } from "@attestry/core/ApiKey"
import type { AmbiguousFingerprint, ArtifactNotFound } from "@attestry/core/ArtifactLookup"
import type { ArtifactNotInTrail, AttestationNeedsCommit } from "@attestry/core/AttestationScope"
import type { EvidenceNotFound } from "@attestry/core/AttestationViews"
import type { EnvironmentKindMismatch, EnvironmentNotFound } from "@attestry/core/Environment"
import type { FlowNameTaken, FlowNotFound } from "@attestry/core/Flow"
import * as FlowTemplate from "@attestry/core/FlowTemplate"
import type { AmbiguousRepo, RepoNotFound } from "@attestry/core/Repo"
import type { NoMatches } from "@attestry/core/ShaSearch"
import type { SnapshotNotFound } from "@attestry/core/Snapshot"
import type { StoreError } from "@attestry/core/StoreError"
import type { TrailNotFound } from "@attestry/core/Trail"
import * as Effect from "effect/Effect"
import * as HttpError from "./HttpError.js"

/** Every failure of the domain that can reach a handler. */
export type DomainError =
  | AccessDenied
  | AmbiguousFingerprint
  | AmbiguousRepo
  | ArtifactNotFound
  | ArtifactNotInTrail
  | AttestationNeedsCommit
  | EnvironmentKindMismatch
  | EnvironmentNotFound
  | EvidenceNotFound
  | FlowNameTaken
  | FlowNotFound
  | InvalidCredential
  | FlowTemplate.InvalidFlowTemplate
  | NoMatches
  | RepoNotFound
  | SnapshotNotFound
  | StoreError
  | TrailNotFound

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
    case "FlowNameTaken":
      return new HttpError.Conflict({
        message: `Flow named '${error.flow}' already exists for organization '${error.org}'`
      })
    case "RepoNotFound":
      return new HttpError.NotFound({
        message: `Repo '${error.repo}' not found in organization '${error.org}'`
      })
    case "AmbiguousRepo":
      return new HttpError.BadRequest({
        message:
          `Multiple repos named '${error.repo}' exist (${error.providers.join(", ")}). ` +
          "Specify the 'provider' to choose one",
        errors: null
      })
    case "NoMatches":
      return new HttpError.NotFound({ message: `No matches for '${error.text}'.` })
    case "TrailNotFound":
      return new HttpError.NotFound({
        message: `Trail with name '${error.trail}' does not exist for Organization '${error.org}' and Flow '${error.flow}'`
      })
    case "ArtifactNotFound":
      return new HttpError.NotFound({
        message: `Artifact with fingerprint '${error.fingerprint}' does not exist in flow '${error.flow}' belonging to organization '${error.org}'`
      })
    case "AmbiguousFingerprint":
      return HttpError.invalid({
        fingerprint: `Prefix matches ${error.count} artifacts: give more characters [input: ${error.prefix}]`
      })
    case "ArtifactNotInTrail":
      return new HttpError.NotFound({
        message: `Artifact with fingerprint ${error.fingerprint} does not exist in trail "${error.trail}" of flow "${error.flow}" belonging to organization "${error.org}"`
      })
    case "AttestationNeedsCommit":
      return new HttpError.BadRequest({
        message: `Attestation of '${error.slots.join(", ")}' requires at least one of: artifact_fingerprint or git_commit_info.`,
        errors: null
      })
    case "EvidenceNotFound":
      return new HttpError.NotFound({
        message: `Attestation '${error.attestation}' has no such evidence file here`
      })
    case "EnvironmentNotFound":
      return new HttpError.NotFound({
        message: `Environment named '${error.environment}' does not exist for organization '${error.org}'`
      })
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
