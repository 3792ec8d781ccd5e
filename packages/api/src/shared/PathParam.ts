/** Every path parameter with its schema, under its name in the specification. SPEC §1 */
import { Fingerprint, FingerprintPrefix } from "@attestry/core/Fingerprint"
import {
  ApiKeyId,
  AttestationId,
  CommitSha,
  EnvironmentName,
  FlowName,
  InvitationId,
  Login,
  OrgName,
  PolicyName,
  ServiceAccountName,
  TeamName,
  TrailName
} from "@attestry/core/Identifier"
import * as SnapshotExpression from "@attestry/core/SnapshotExpression"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Schema from "effect/Schema"

/**
 * The form of `{repo}`, an id of ours: `x/deployments` is the name of a repository otherwise.
 */
export const REPO_ID_FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{8}$/

/** Parameters of many paths, by name, for paths that are written as text. */
export const fields = {
  org: OrgName.annotations({ description: "The name of the org." }),
  flow_name: FlowName.annotations({
    description: "The name of the flow, or one that it had before it was renamed."
  }),
  trail_name: TrailName.annotations({ description: "The name of the trail in its flow." }),
  env_name: EnvironmentName.annotations({
    description: "The name of the environment, or one that it had before it was renamed."
  })
}

/** `{org}` */
export const org = HttpApiSchema.param("org", fields.org)
/** `{flow_name}` */
export const flowName = HttpApiSchema.param("flow_name", fields.flow_name)
/** `{trail_name}` */
export const trailName = HttpApiSchema.param("trail_name", fields.trail_name)
/** `{attestation_name}` */
export const attestationName = HttpApiSchema.param(
  "attestation_name",
  Schema.String.annotations({
    description:
      "The name under which attestations were reported; for an artifact without its slot."
  })
)
/** `{attestation_id}` */
export const attestationId = HttpApiSchema.param(
  "attestation_id",
  AttestationId.annotations({
    description: "The id that the attestation got when it was reported."
  })
)
/** `{fingerprint}`, whole or a prefix */
export const fingerprint = HttpApiSchema.param(
  "fingerprint",
  FingerprintPrefix.annotations({
    description: "The SHA-256 fingerprint of the artifact, or its first 5 characters or more."
  })
)
/** `{sha}`, a whole commit */
export const commitSha = HttpApiSchema.param(
  "sha",
  CommitSha.annotations({ description: "The whole id of the commit, in lower case." })
)
/** `{sha}`, a whole commit or a prefix */
export const commitPrefix = HttpApiSchema.param(
  "sha",
  Schema.String.pipe(Schema.pattern(/^[a-f0-9]{5,40}$/)).annotations({
    description: "The id of the commit, or its first 5 characters or more."
  })
)
/** `{env_name}` */
export const envName = HttpApiSchema.param("env_name", fields.env_name)
/** `{snapshot_expression}` */
export const snapshotExpression = HttpApiSchema.param(
  "snapshot_expression",
  SnapshotExpression.FromText.annotations({
    description:
      "Which snapshot: `N` or `#N` by index, `-N` from the end, `~N` behind the latest, " +
      "`@{YYYY-MM-DDTHH:MM:SS}` at a moment in UTC, `@{N.hours.ago}` (days, weeks, months) " +
      "or `@{now}`."
  })
)
/** `{name}` of a service account */
export const serviceAccountName = HttpApiSchema.param(
  "name",
  ServiceAccountName.annotations({ description: "The name of the service account." })
)
/** `{key_id}` */
export const keyId = HttpApiSchema.param(
  "key_id",
  ApiKeyId.annotations({ description: "The id of the API key, which is not secret." })
)
/** `{login}` */
export const login = HttpApiSchema.param(
  "login",
  Login.annotations({ description: "The login of the person." })
)
/** `{invitation_id}` */
export const invitationId = HttpApiSchema.param(
  "invitation_id",
  InvitationId.annotations({ description: "The id of the invitation, which is not secret." })
)
/** `{team}` */
export const teamName = HttpApiSchema.param(
  "team",
  TeamName.annotations({ description: "The name of the team." })
)
/** `{name}` of a policy */
export const policyName = HttpApiSchema.param(
  "name",
  PolicyName.annotations({ description: "The name of the policy." })
)
/** `{fingerprint}`, whole */
export const wholeFingerprint = HttpApiSchema.param(
  "fingerprint",
  Fingerprint.annotations({ description: "The whole SHA-256 fingerprint of the artifact." })
)
/** `{deployment_id}` */
export const deploymentId = HttpApiSchema.param(
  "deployment_id",
  Schema.String.annotations({ description: "The id of the deployment, as lists show it." })
)
/** `{repo}`, our id of a repository */
export const repoId = HttpApiSchema.param(
  "repo",
  Schema.String.pipe(Schema.pattern(REPO_ID_FORM)).annotations({
    description: "The id that the repository has here, as lists of repositories show it."
  })
)
/** `{repo_name}` */
export const repoName = HttpApiSchema.param(
  "repo_name",
  Schema.String.annotations({ description: "The name of the repository, slashes included." })
)
/** `{tile_path}` */
export const tilePath = HttpApiSchema.param(
  "tile_path",
  Schema.String.annotations({
    description:
      "The index in groups of three digits, all but the last behind an `x`, such as `x001/x234/067`, and `.p/` with " +
      "the width of a partial tile.",
    examples: ["000.p/1"]
  })
)
/** `{level}` of a tile */
export const tileLevel = HttpApiSchema.param(
  "level",
  Schema.String.annotations({ description: "The level of the tile, 0 to 63.", examples: ["0"] })
)
/** `{epoch}` of a log */
export const epoch = HttpApiSchema.param(
  "epoch",
  Schema.NumberFromString.pipe(Schema.int(), Schema.between(1, 2 ** 31 - 1)).annotations({
    description: "The number of the epoch, from 1.",
    examples: [1]
  })
)
/** `{entry}` of a log */
export const entryId = HttpApiSchema.param(
  "entry",
  Schema.String.annotations({
    description: "The id of the entry, 16 hexadecimal digits.",
    examples: ["9f02c4e1d6a83b57"]
  })
)
