/** The operation that reads an org. */
import { OrgName } from "@attestry/core/Identifier"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { noBody, Operation, rule } from "../shared/Operation.js"
import { org } from "../shared/PathParam.js"

/** An org in a response. */
export const OrgResponse = Schema.Struct({ name: OrgName, created_at: EpochSeconds }).annotations({
  identifier: "Org"
})

/** The operation that reads an org. */
export class OrgApi extends HttpApiGroup.make("org")
  .add(
    HttpApiEndpoint.get("get")`/organizations/${org}`
      .addSuccess(OrgResponse)
      .annotate(Operation, rule("member", noBody))
      .annotate(OpenApi.Summary, "Get an org")
      .annotate(
        OpenApi.Description,
        "Answers the name of the org and when it was made; 403 for an org that the caller does " +
          "not belong to, whether or not it exists."
      )
  )
  .annotate(OpenApi.Title, "Orgs")
  .annotate(OpenApi.Description, "The organizations that own everything else.") {}
