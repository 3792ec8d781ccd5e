/** Every path parameter with its schema, under the name that the specification gives it. SPEC §1 */
import { Fingerprint } from "@attestry/core/Fingerprint"
import { EnvironmentName, FlowName, OrgName } from "@attestry/core/Identifier"
import * as SnapshotExpression from "@attestry/core/SnapshotExpression"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Schema from "effect/Schema"

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
/** `{fingerprint}` */
export const fingerprint = HttpApiSchema.param("fingerprint", Fingerprint)
/** `{deployment_id}` */
export const deploymentId = HttpApiSchema.param("deployment_id", Schema.String)
