/** The operations of environments. SPEC §4.4 */

import { PhysicalKind } from "@attestry/core/EnvironmentKind"
import { EnvironmentName, OrgName } from "@attestry/core/Identifier"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { CreatedBody, OkBody } from "../shared/OkBody.js"
import { jsonBody, noBody, Operation, rule } from "../shared/Operation.js"
import { envName, org } from "../shared/PathParam.js"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** What an environment is asked to be; an empty description keeps the stored one. */
export const PutEnvironment = Schema.Struct({
  name: EnvironmentName,
  type: PhysicalKind,
  description: optional(Schema.String),
  include_scaling: optional(Schema.Boolean)
}).annotations({ identifier: "CreateEnvironmentPutInput" })

/** An environment as answers show it. */
export const EnvironmentResponse = Schema.Struct({
  org: OrgName,
  name: EnvironmentName,
  type: PhysicalKind,
  description: Schema.String,
  last_modified_at: EpochSeconds,
  last_reported_at: Schema.NullOr(EpochSeconds),
  last_changed_at: Schema.NullOr(EpochSeconds),
  include_scaling: Schema.Boolean
}).annotations({ identifier: "Environment" })

/** The operations of environments. */
export class EnvironmentApi extends HttpApiGroup.make("environment")
  .add(
    HttpApiEndpoint.put("put")`/environments/${org}`
      .setPayload(PutEnvironment)
      .addSuccess(OkBody)
      .addSuccess(CreatedBody)
      .annotate(Operation, rule("environment.put", jsonBody))
      .annotate(OpenApi.Summary, "Create or update an environment")
  )
  .add(
    HttpApiEndpoint.get("get")`/environments/${org}/${envName}`
      .addSuccess(EnvironmentResponse)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get an environment")
  )
  .annotate(OpenApi.Title, "Environments") {}
