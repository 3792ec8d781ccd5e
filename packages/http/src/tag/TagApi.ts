/** The operation that tags resources. */
import { Tags } from "@attestry/core/Tags"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { OkBody } from "../shared/OkBody.js"
import { jsonBody, Operation, rule } from "../shared/Operation.js"
import { org } from "../shared/PathParam.js"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** The sorts of resources that can be tagged, with the words that clients use for each. */
export const ResourceType = Schema.Literal("env", "environment", "environments")

/** Tags to set and keys to remove. */
export const PatchTags = Schema.Struct({
  set_tags: optional(Schema.NullOr(Tags)),
  remove_tags: optional(Schema.NullOr(Schema.Array(Schema.String)))
}).annotations({ identifier: "PatchTags" })

const resourceType = HttpApiSchema.param("resource_type", ResourceType)
const resourceId = HttpApiSchema.param("resource_id", Schema.String)

/** The operation that tags resources. */
export class TagApi extends HttpApiGroup.make("tag")
  .add(
    HttpApiEndpoint.patch("patch")`/tags/${org}/${resourceType}/${resourceId}`
      .setPayload(PatchTags)
      .addSuccess(OkBody)
      .annotate(Operation, rule("environment.write", jsonBody))
      .annotate(OpenApi.Summary, "Set and remove tags of a resource")
  )
  .annotate(OpenApi.Title, "Tags") {}
