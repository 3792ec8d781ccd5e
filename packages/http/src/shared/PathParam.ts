/** Every path parameter with its schema, under the name that the specification gives it. SPEC §1 */
import { Fingerprint, FingerprintPrefix } from "@attestry/core/Fingerprint"
import {
  ApiKeyId,
  AttestationId,
  CommitSha,
  EnvironmentName,
  FlowName,
  OrgName,
  ServiceAccountName,
  TrailName
} from "@attestry/core/Identifier"
import * as SnapshotExpression from "@attestry/core/SnapshotExpression"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Schema from "effect/Schema"

/** `{org}` */
export const org = HttpApiSchema.param("org", OrgName)
/** `{flow_name}` */
export const flowName = HttpApiSchema.param("flow_name", FlowName)
/** `{trail_name}` */
export const trailName = HttpApiSchema.param("trail_name", TrailName)
/** `{attestation_name}` */
export const attestationName = HttpApiSchema.param("attestation_name", Schema.String)
/** `{attestation_id}` */
export const attestationId = HttpApiSchema.param("attestation_id", AttestationId)
/** `{fingerprint}`, whole or its beginning */
export const fingerprint = HttpApiSchema.param("fingerprint", FingerprintPrefix)
/** `{sha}`, a whole commit */
export const commitSha = HttpApiSchema.param("sha", CommitSha)
/** `{sha}`, a whole commit or its beginning */
export const commitPrefix = HttpApiSchema.param(
  "sha",
  Schema.String.pipe(Schema.pattern(/^[a-f0-9]{5,40}$/))
)
/** `{env_name}` */
export const envName = HttpApiSchema.param("env_name", EnvironmentName)
/** `{snapshot_expression}` */
export const snapshotExpression = HttpApiSchema.param(
  "snapshot_expression",
  SnapshotExpression.FromText
)
/** `{name}` of a service account */
export const serviceAccountName = HttpApiSchema.param("name", ServiceAccountName)
/** `{key_id}` */
export const keyId = HttpApiSchema.param("key_id", ApiKeyId)
/** `{fingerprint}`, whole */
export const wholeFingerprint = HttpApiSchema.param("fingerprint", Fingerprint)
/** `{deployment_id}` */
export const deploymentId = HttpApiSchema.param("deployment_id", Schema.String)
