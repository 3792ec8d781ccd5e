/** The operations of protections: which changes need the approval of other people. SPEC §4.28 */
import { TeamName } from "@attestry/core/Identifier"
import { optional } from "@attestry/core/OptionalField"
import {
  DAYS_DEFAULT,
  PROTECTIONS_MAX,
  Protection,
  ProtectionKind
} from "@attestry/core/Protection"
import { SpacePath } from "@attestry/core/Space"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { jsonBody, noBody, Operation, rule } from "../shared/Operation.js"
import { org } from "../shared/PathParam.js"

const { approvals, days, team } = Protection.fields

const space = Schema.String.annotations({
  description: "The path of the space where it holds; `/` for the whole org."
})

const described = {
  kinds: Schema.Array(ProtectionKind).pipe(Schema.minItems(1)).annotations({
    description: "The changes that it holds back."
  }),
  approvals: approvals.annotations({ description: "How many other people must approve." })
}

/** The protections to set. */
export const PutProtections = Schema.Struct({
  protections: Schema.Array(
    Schema.Struct({
      kinds: described.kinds,
      space: optional(SpacePath).annotations({
        description: "It holds in this space and in all below it; without it in `/`, the whole org."
      }),
      approvals: optional(approvals).annotations({
        description: "How many other people must approve; 1 without it."
      }),
      team: optional(TeamName).annotations({
        description: "A team whose people may approve besides admins."
      }),
      days: optional(days).annotations({
        description: `How many days a proposal waits; ${DAYS_DEFAULT} without it.`
      })
    }).annotations({ identifier: "PutProtection" })
  ).pipe(Schema.maxItems(PROTECTIONS_MAX))
}).annotations({ identifier: "PutProtections" })

/** The protections of an org. */
export const ProtectionsResponse = Schema.Struct({
  protections: Schema.Array(
    Schema.Struct({ ...described, space, team, days }).annotations({
      identifier: "Protection"
    })
  )
}).annotations({ identifier: "Protections" })

/** The operations of protections. */
export class ProtectionApi extends HttpApiGroup.make("protection")
  .add(
    HttpApiEndpoint.get("get")`/protections/${org}`
      .addSuccess(ProtectionsResponse)
      .annotate(Operation, rule("protection.write", noBody))
      .annotate(OpenApi.Summary, "Get which changes need other people")
      .annotate(
        OpenApi.Description,
        "Answers the protections of the org; none while it has set none."
      )
  )
  .add(
    HttpApiEndpoint.put("put")`/protections/${org}`
      .setPayload(PutProtections)
      .addSuccess(ProtectionsResponse)
      .annotate(Operation, rule("protection.write", jsonBody, { isSensitive: true }))
      .annotate(OpenApi.Summary, "Set which changes need other people")
      .annotate(
        OpenApi.Description,
        "Replaces the protections. Of several that cover a change, the strictest applies. A replacement that asks " +
          "for less than before is a change that the weakened protection holds back itself: propose it."
      )
  )
  .annotate(OpenApi.Title, "Protections")
  .annotate(
    OpenApi.Description,
    "Protections: changes that are made only after other people have approved them."
  ) {}
