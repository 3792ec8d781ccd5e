/** The operations of placement rules: where a new thing goes by its name. SPEC §4.30 */
import { NamePattern, RULES_MAX } from "@attestry/core/PlacementRule"
import { SpacePath } from "@attestry/core/Space"
import { ThingKind } from "@attestry/core/ThingPlace"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { jsonBody, noBody, Operation, rule } from "../shared/Operation.js"
import { org } from "../shared/PathParam.js"

const described = {
  type: ThingKind,
  name: NamePattern.annotations({
    description: "A pattern of names: `*` is any run of characters without `/`, `**` any run."
  })
}

/** The placement rules to set. */
export const PutPlacementRules = Schema.Struct({
  rules: Schema.Array(
    Schema.Struct({
      ...described,
      space: SpacePath.annotations({ description: "The path of the space that such names go to." })
    }).annotations({ identifier: "PutPlacementRule" })
  ).pipe(Schema.maxItems(RULES_MAX))
}).annotations({ identifier: "PutPlacementRules" })

/** The placement rules of an org. */
export const PlacementRulesResponse = Schema.Struct({
  rules: Schema.Array(
    Schema.Struct({ ...described, space: Schema.String }).annotations({
      identifier: "PlacementRule"
    })
  )
}).annotations({ identifier: "PlacementRules" })

/** The operations of placement rules. */
export class PlacementRuleApi extends HttpApiGroup.make("placementRule")
  .add(
    HttpApiEndpoint.get("get")`/placement-rules/${org}`
      .addSuccess(PlacementRulesResponse)
      .annotate(Operation, rule("placement.write", noBody))
      .annotate(OpenApi.Summary, "Get where new things go by their names")
      .annotate(OpenApi.Description, "Answers the placement rules of the org, in their order.")
  )
  .add(
    HttpApiEndpoint.put("put")`/placement-rules/${org}`
      .setPayload(PutPlacementRules)
      .addSuccess(PlacementRulesResponse)
      .annotate(Operation, rule("placement.write", jsonBody, { isSensitive: true }))
      .annotate(OpenApi.Summary, "Set where new things go by their names")
      .annotate(
        OpenApi.Description,
        "Replaces the placement rules. The first rule that fits a name reserves it for its space; what is there " +
          "already stays where it is."
      )
  )
  .annotate(OpenApi.Title, "Placement rules")
  .annotate(OpenApi.Description, "Placement rules: names that are reserved for spaces.") {}
