/** Every path parameter with its schema, under the name that the specification gives it. SPEC §1 */
import {
  ApiKeyId,
  EnvironmentName,
  FlowName,
  OrgName,
  ServiceAccountName
} from "@attestry/core/Identifier"
import * as SnapshotExpression from "@attestry/core/SnapshotExpression"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"

/** `{org}` */
export const org = HttpApiSchema.param("org", OrgName)
/** `{flow_name}` */
export const flowName = HttpApiSchema.param("flow_name", FlowName)
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
