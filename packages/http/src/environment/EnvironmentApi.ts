/** The operations of environments. SPEC §4.4 */
import { EnvironmentKind } from "@attestry/core/EnvironmentKind"
import { SORTS } from "@attestry/core/EnvironmentList"
import { EnvironmentName, OrgName } from "@attestry/core/Identifier"
import { Tags } from "@attestry/core/Tags"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { CreatedBody, OkBody } from "../shared/OkBody.js"
import { jsonBody, noBody, Operation, rule } from "../shared/Operation.js"
import { counterFields, pageFields } from "../shared/Paging.js"
import { envName, org } from "../shared/PathParam.js"
import * as QueryParam from "../shared/QueryParam.js"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const Members = Schema.Array(Schema.String)

/** What an environment is asked to be; an empty description keeps the stored one. */
export const PutEnvironment = Schema.Struct({
  name: EnvironmentName,
  type: EnvironmentKind,
  description: optional(Schema.String),
  include_scaling: optional(Schema.Boolean),
  included_environments: optional(Schema.NullOr(Members))
}).annotations({ identifier: "CreateEnvironmentPutInput" })

/** What is to change; what is absent stays, and an empty description clears. */
export const PatchEnvironment = Schema.Struct({
  description: optional(Schema.String),
  include_scaling: optional(Schema.Boolean),
  included_environments: optional(Members)
}).annotations({ identifier: "EnvironmentPatchInput" })

/** An environment as answers show it. */
export const EnvironmentResponse = Schema.Struct({
  org: OrgName,
  name: EnvironmentName,
  type: EnvironmentKind,
  description: Schema.String,
  last_modified_at: EpochSeconds,
  last_reported_at: Schema.NullOr(EpochSeconds),
  last_changed_at: Schema.NullOr(EpochSeconds),
  state: Schema.NullOr(Schema.Boolean),
  include_scaling: Schema.Boolean,
  tags: Tags,
  policies: Schema.Array(Schema.String),
  included_environments: Schema.NullOr(Schema.Array(EnvironmentName))
}).annotations({ identifier: "Environment" })

/** One page of environments. */
export const EnvironmentPage = Schema.Struct({
  ...counterFields,
  environments: Schema.Array(EnvironmentResponse)
}).annotations({ identifier: "EnvironmentPage" })

const query = Schema.Struct({
  ...pageFields(),
  name: QueryParam.optional(Schema.String),
  type: QueryParam.optional(QueryParam.repeatable(EnvironmentKind)),
  tag: QueryParam.optional(QueryParam.repeatable(Schema.String)),
  sort: QueryParam.optional(Schema.Literal(...SORTS)),
  sort_direction: QueryParam.optional(Schema.Literal("asc", "desc"))
})

const write = rule("environment.write", jsonBody)

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
    HttpApiEndpoint.get("list")`/environments/${org}`
      .setUrlParams(query)
      .addSuccess(Schema.Union(Schema.Array(EnvironmentResponse), EnvironmentPage))
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List environments; with `page` or `per_page` as a page")
  )
  .add(
    HttpApiEndpoint.get("get")`/environments/${org}/${envName}`
      .addSuccess(EnvironmentResponse)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get an environment")
  )
  .add(
    HttpApiEndpoint.patch("patch")`/environments/${org}/${envName}`
      .setPayload(PatchEnvironment)
      .addSuccess(OkBody)
      .annotate(Operation, write)
      .annotate(OpenApi.Summary, "Change fields of an environment")
  )
  .add(
    HttpApiEndpoint.put("archive")`/environments/${org}/${envName}/archive`
      .addSuccess(OkBody)
      .annotate(Operation, rule("environment.write", noBody))
      .annotate(OpenApi.Summary, "Archive an environment; its name becomes free")
  )
  .add(
    HttpApiEndpoint.put("rename")`/environments/${org}/${envName}/rename`
      .setPayload(Schema.Struct({ new_name: EnvironmentName }))
      .addSuccess(OkBody)
      .annotate(Operation, write)
      .annotate(
        OpenApi.Summary,
        "Rename an environment; the old name leads to it until it is taken"
      )
  )
  .add(
    HttpApiEndpoint.put("join")`/environments/${org}/${envName}/join`
      .setPayload(Schema.Struct({ physical_env_name: Schema.String }))
      .addSuccess(OkBody)
      .annotate(Operation, write)
      .annotate(OpenApi.Summary, "Add a physical environment to a logical one")
  )
  .annotate(OpenApi.Title, "Environments") {}
