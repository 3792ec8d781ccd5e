/** Translates the errors of flows, trails, artifacts, attestations and repositories to HTTP errors. */
import { BadRequest, type HttpError, invalid, NotFound } from "@attestry/api/HttpError"
import type { ApprovalNotFound } from "@attestry/core/Approval"
import type { AmbiguousFingerprint, ArtifactNotFound } from "@attestry/core/ArtifactLookup"
import type { NamePatternTooCostly } from "@attestry/core/AttestationNamePattern"
import type { ArtifactNotInTrail, AttestationNeedsCommit } from "@attestry/core/AttestationScope"
import type {
  AttestationTypeNotFound,
  InvalidAttestationData,
  InvalidAttestationType,
  TypeVersionNotFound
} from "@attestry/core/AttestationType"
import type { EvidenceNotFound, TooManyAttestations } from "@attestry/core/AttestationViews"
import type { FlowNameTaken } from "@attestry/core/Flow"
import type { AmbiguousRepo, RepoNotFound } from "@attestry/core/Repo"
import type { NoMatches } from "@attestry/core/ShaSearch"
import type { TrailNotFound } from "@attestry/core/Trail"

/** The domain errors of flows, trails, artifacts, attestations and repositories. */
export type EvidenceError =
  | AmbiguousFingerprint
  | AmbiguousRepo
  | ApprovalNotFound
  | ArtifactNotFound
  | ArtifactNotInTrail
  | AttestationNeedsCommit
  | AttestationTypeNotFound
  | EvidenceNotFound
  | FlowNameTaken
  | InvalidAttestationData
  | InvalidAttestationType
  | NamePatternTooCostly
  | NoMatches
  | RepoNotFound
  | TooManyAttestations
  | TrailNotFound
  | TypeVersionNotFound

const notFound = (...parts: ReadonlyArray<string>) => new NotFound({ message: parts.join(" ") })

/** The HTTP error of a domain error. */
export const translate = (error: EvidenceError): HttpError => {
  switch (error._tag) {
    case "FlowNameTaken":
      return new BadRequest({
        message: `Flow named '${error.flow}' already exists for organization '${error.org}'`
      })
    case "TrailNotFound":
      return notFound(
        `Trail with name '${error.trail}' does not exist`,
        `for Organization '${error.org}' and Flow '${error.flow}'`
      )
    case "ApprovalNotFound":
      return notFound(
        `Approval ${error.number} does not exist in flow '${error.flow}'`,
        `belonging to organization '${error.org}'`
      )
    case "ArtifactNotFound":
      return notFound(
        `Artifact with fingerprint '${error.fingerprint}' does not exist`,
        `in flow '${error.flow}' belonging to organization '${error.org}'`
      )
    case "ArtifactNotInTrail":
      return notFound(
        `Artifact with fingerprint ${error.fingerprint} does not exist in trail "${error.trail}"`,
        `of flow "${error.flow}" belonging to organization "${error.org}"`
      )
    case "AmbiguousFingerprint": {
      const message = `Prefix matches ${error.count} artifacts: give more characters`
      return invalid({ fingerprint: `${message} [input: ${error.prefix}]` })
    }
    case "AttestationNeedsCommit": {
      const needs = "requires at least one of: artifact_fingerprint or git_commit_info."
      return new BadRequest({
        message: `Attestation of '${error.slots.join(", ")}' ${needs}`
      })
    }
    case "NamePatternTooCostly":
    case "TooManyAttestations":
      return translateQuery(error)
    case "EvidenceNotFound":
      return notFound(`Attestation '${error.attestation}' has no such evidence file here`)
    case "RepoNotFound":
      return notFound(`Repo '${error.repo}' not found in organization '${error.org}'`)
    case "AmbiguousRepo": {
      const several = `Multiple repos named '${error.repo}' exist (${error.providers.join(", ")}).`
      return new BadRequest({ message: `${several} Specify the 'provider' query parameter.` })
    }
    case "NoMatches":
      return notFound(`No matches for '${error.text}'.`)
    default:
      return translateType(error)
  }
}

/** The errors of queries that ask for too much. */
const translateQuery = (error: NamePatternTooCostly | TooManyAttestations): HttpError => {
  switch (error._tag) {
    case "NamePatternTooCostly":
      return invalid({
        "query.name_regex":
          "Pattern is too much work for the names in this org: use `name`, or a simpler pattern " +
          `[input: ${error.pattern}]`
      })
    case "TooManyAttestations":
      return invalid({
        "query.commit_list":
          `The trails of these commits have ${error.total} attestations: ask for fewer commits, ` +
          "or filter by name, type or flow [input: …]"
      })
  }
}

const translateType = (
  error:
    | AttestationTypeNotFound
    | InvalidAttestationData
    | InvalidAttestationType
    | TypeVersionNotFound
): HttpError => {
  switch (error._tag) {
    case "AttestationTypeNotFound":
      return notFound(
        `Custom attestation type '${error.type}' does not exist for org '${error.org}'`
      )
    case "TypeVersionNotFound":
      return notFound(
        `version ${error.version} does not exist for custom attestation type '${error.type}'`
      )
    case "InvalidAttestationType":
      return invalid(
        Object.fromEntries(
          error.problems.map(({ field, message }) => [field, `${message} [input: …]`])
        )
      )
    case "InvalidAttestationData":
      return invalid({ attestation_data: `${error.problem} [input: …]` })
  }
}
