/** The operation that tags flows and environments by name, controls by identifier, and repositories by id. */
import { Tags } from "@attestry/core/Tags"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { OkBody } from "../shared/OkBody.js"
import { jsonBody, type Narrowing, Operation, rule } from "../shared/Operation.js"
import { org } from "../shared/PathParam.js"

/** The resource types with tags; singular and plural mean the same. */
export const ResourceType = Schema.Literal(
  "env",
  "environment",
  "environments",
  "flow",
  "flows",
  "control",
  "controls",
  "repo",
  "repos"
)

const resourceType = HttpApiSchema.param(
  "resource_type",
  ResourceType.annotations({
    description: "The type of the tagged resource; singular and plural mean the same."
  })
)
const resourceId = HttpApiSchema.param(
  "resource_id",
  Schema.String.annotations({
    description:
      "The name of the flow or environment, the identifier of the control, or the id that " +
      "the repository has here."
  })
)

/** Tags to set, which replace those of the same key, and keys to remove. */
export const ChangeTags = Schema.Struct({
  set_tags: Schema.optionalWith(Schema.NullOr(Tags), { exact: true }),
  remove_tags: Schema.optionalWith(Schema.NullOr(Schema.Array(Schema.String)), { exact: true })
}).annotations({ identifier: "ChangeTags" })

/** Tags of controls require the permission and the feature flag of controls. */
const narrow = ({ resource_type }: { readonly [name: string]: string }): Narrowing =>
  /^controls?$/.test(resource_type ?? "") ? { access: "control.write", gate: "controls" } : {}

/** The operation that changes tags. */
export class TagApi extends HttpApiGroup.make("tag")
  .add(
    HttpApiEndpoint.patch("change")`/tags/${org}/${resourceType}/${resourceId}`
      .setPayload(ChangeTags)
      .addSuccess(OkBody)
      .annotate(Operation, rule("tag.write", jsonBody, { narrow }))
      .annotate(OpenApi.Summary, "Set and remove tags")
      .annotate(
        OpenApi.Description,
        "Sets tags and removes others, in one step. A key that is set replaces its value; " +
          "removing an unknown key succeeds. Tags of controls are for admins, and are beta as " +
          "controls are."
      )
  )
  .annotate(OpenApi.Title, "Tags")
  .annotate(
    OpenApi.Description,
    "Keys and values on flows, environments, controls and repositories."
  ) {}
