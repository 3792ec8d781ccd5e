/** The operations of the current user: the default org. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { OkBody } from "../shared/OkBody.js"
import { noBody, Operation, rule } from "../shared/Operation.js"
import { org } from "../shared/PathParam.js"

/** The name of the default org; empty where there is none. */
export const DefaultOrg = Schema.Struct({ default_org_name: Schema.String }).annotations({
  identifier: "DefaultOrg"
})

/** The operations of the current user. */
export class UserApi extends HttpApiGroup.make("user")
  .add(
    HttpApiEndpoint.get("getDefaultOrg", "/user/default-org")
      .addSuccess(DefaultOrg)
      .annotate(Operation, rule("authenticated", noBody))
      .annotate(OpenApi.Summary, "Get your default org")
      .annotate(
        OpenApi.Description,
        "Answers the name of the org that the caller has chosen, or an empty text."
      )
  )
  .add(
    HttpApiEndpoint.put("setDefaultOrg")`/user/${org}`
      .addSuccess(OkBody)
      .annotate(Operation, rule("member", noBody, { denial: "path" }))
      .annotate(OpenApi.Summary, "Make an org your default")
      .annotate(OpenApi.Description, "Sets the default org of the caller, who must belong to it.")
  )
  .annotate(OpenApi.Title, "Users")
  .annotate(OpenApi.Description, "Settings of the user who calls.") {}
