/** Translates the errors of environments, snapshots and deployments to HTTP errors. */
import { BadRequest, type HttpError, invalid, NotFound } from "@attestry/api/HttpError"
import {
  type AllowListEndOutOfRange,
  type AllowListEntryNotFound,
  type AllowListOwnerNotMember,
  DAYS_MAX
} from "@attestry/core/AllowListEntry"
import type { ArtifactUnknown } from "@attestry/core/ArtifactFacts"
import type { NotYetThere, SnapshotAfterAsOf } from "@attestry/core/AsOf"
import type { DeploymentNotFound, NeverDeployed } from "@attestry/core/Deployment"
import type * as EnvironmentFailure from "@attestry/core/EnvironmentFailure"
import type { GraphRootNotFound } from "@attestry/core/Graph"
import type { InvalidReport } from "@attestry/core/ReportContent"
import type { SnapshotNotFound, SnapshotRowNotFound } from "@attestry/core/Snapshot"
import { toSeconds } from "@attestry/core/Timestamp"

/** The domain errors of environments, snapshots and deployments. */
export type EnvironmentError =
  | AllowListEndOutOfRange
  | AllowListEntryNotFound
  | AllowListOwnerNotMember
  | ArtifactUnknown
  | EnvironmentFailure.CadenceOfLogicalEnvironment
  | DeploymentNotFound
  | EnvironmentFailure.EnvironmentArchived
  | EnvironmentFailure.EnvironmentKindMismatch
  | EnvironmentFailure.EnvironmentNameTaken
  | EnvironmentFailure.EnvironmentNotFound
  | EnvironmentFailure.EnvironmentNotLogical
  | EnvironmentFailure.EnvironmentNotPhysical
  | GraphRootNotFound
  | InvalidReport
  | NeverDeployed
  | EnvironmentFailure.PolicyNotAttached
  | NotYetThere
  | SnapshotAfterAsOf
  | SnapshotNotFound
  | SnapshotRowNotFound

const tags: { readonly [Tag in EnvironmentError["_tag"]]: true } = {
  AllowListEndOutOfRange: true,
  AllowListEntryNotFound: true,
  AllowListOwnerNotMember: true,
  ArtifactUnknown: true,
  CadenceOfLogicalEnvironment: true,
  DeploymentNotFound: true,
  EnvironmentArchived: true,
  EnvironmentKindMismatch: true,
  EnvironmentNameTaken: true,
  EnvironmentNotFound: true,
  EnvironmentNotLogical: true,
  EnvironmentNotPhysical: true,
  GraphRootNotFound: true,
  InvalidReport: true,
  NeverDeployed: true,
  NotYetThere: true,
  PolicyNotAttached: true,
  SnapshotAfterAsOf: true,
  SnapshotNotFound: true,
  SnapshotRowNotFound: true
}

/** Whether an error is one of these. */
export const covers = <E extends { readonly _tag: string }>(
  error: E
): error is Extract<E, EnvironmentError> => error._tag in tags

const snapshotNotFound = (error: SnapshotNotFound): string =>
  `Org: '${error.org}'. Snapshot '${error.asked ?? `${error.environment}#${error.expression}`}' resolves to ` +
  `'${error.environment}#${error.index}'. len(snapshots) == ${error.latestIndex}. Indexes are 1-based`

/** The HTTP error of a domain error. */
export const translate = (error: EnvironmentError): HttpError => {
  switch (error._tag) {
    case "EnvironmentNotFound":
      return new NotFound({
        message: `Environment named '${error.environment}' does not exist for organization '${error.org}'`
      })
    case "EnvironmentArchived":
      return new NotFound({
        message: `Environment named '${error.environment}' has been archived for organization '${error.org}'`
      })
    case "InvalidReport":
      return invalid(error.errors)
    case "EnvironmentNameTaken":
      return new BadRequest({
        message: `Environment named '${error.environment}' already exists for organization '${error.org}'`
      })
    case "ArtifactUnknown":
      return new NotFound({
        message: `Artifact with fingerprint '${error.fingerprint}' does not exist in organization '${error.org}'`
      })
    case "EnvironmentNotLogical":
      return invalid({
        included_environments: `${error.message} [input: ${error.environment}]`
      })
    case "PolicyNotAttached":
      return invalid({
        [`policy_modes.${error.policy}`]:
          `${error.message}: attach it with \`policies\`, or leave it out ` +
          `[input: ${error.policy}]`
      })
    case "CadenceOfLogicalEnvironment":
      return invalid({ [error.field]: `${error.message} [input: ${error.environment}]` })
    case "EnvironmentNotPhysical":
      return invalid({
        physical_env_name: `${error.message} [input: ${error.environment}]`
      })
    case "AllowListEndOutOfRange":
      return invalid({
        expires_at:
          `Input should be in the future and at most ${DAYS_MAX} days away ` +
          `[input: ${toSeconds(error.expires_at)}]`
      })
    case "AllowListOwnerNotMember":
      return invalid({ owner: `Input should be the login of a member [input: ${error.owner}]` })
    case "AllowListEntryNotFound":
    case "DeploymentNotFound":
    case "GraphRootNotFound":
    case "NeverDeployed":
    case "NotYetThere":
    case "SnapshotRowNotFound":
      return new NotFound({ message: error.message })
    case "SnapshotAfterAsOf":
      return invalid({ "query.as_of": `${error.message} [input: ${toSeconds(error.asOf)}]` })
    case "SnapshotNotFound":
      return new NotFound({ message: snapshotNotFound(error) })
    case "EnvironmentKindMismatch":
      return invalid({ type: `${error.message} [input: ${error.asked}]` })
  }
}
