/** The operations of the evidence of releases in a period. SPEC §4.36 */
import { EnvironmentName, FlowName, PolicyName } from "@attestry/core/Identifier"
import {
  DAYS,
  DAYS_MAX,
  RELEASES_MAX,
  Release,
  ReleaseTotals,
  RequirementTotal
} from "@attestry/core/ReleaseEvidence"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { CSV } from "../environment-events/EventApi.js"
import { noBody, Operation, rule } from "../shared/Operation.js"
import * as Paging from "../shared/Paging.js"
import { org } from "../shared/PathParam.js"
import * as QueryParam from "../shared/QueryParam.js"

const filters = {
  environment: QueryParam.optional(
    QueryParam.repeatable(EnvironmentName),
    "Only releases to the environment of this name. May be repeated; any of them may fit."
  ),
  flow: QueryParam.optional(
    FlowName,
    "Only releases of artifacts of this flow, whose template then counts."
  ),
  policy: QueryParam.optional(
    PolicyName,
    "The policy whose rules are the requirements, in the version that was the latest when the period ended; by " +
      "default the requirements are those of the templates of flows."
  ),
  from: QueryParam.optional(
    QueryParam.isoInstant,
    "Only releases at this time or later: ISO 8601, a date alone is its beginning in UTC; " +
      `${DAYS} days before \`to\` by default, and at most ${DAYS_MAX}.`
  ),
  to: QueryParam.optional(
    QueryParam.isoInstant,
    "Only releases at this time or earlier, in the form of `from`; now by default, and never later."
  )
}

/** The failure of a period that ends before it begins; undefined for another one. */
export const inOrder = ({ from, to }: { readonly from?: number; readonly to?: number }) =>
  from !== undefined && to !== undefined && from > to
    ? { path: ["from"], message: "Input should not be after `to`" }
    : undefined

/** One page of releases, with the numbers of the whole selection. */
export const ReleaseEvidencePage = Schema.Struct({
  ...Paging.counterFields,
  from: EpochSeconds,
  to: EpochSeconds,
  policy: Schema.NullOr(
    Schema.Struct({ name: Schema.String, version: Schema.Int }).annotations({
      identifier: "ReleasePolicy"
    })
  ),
  totals: ReleaseTotals,
  requirements: Schema.Array(RequirementTotal),
  releases: Schema.Array(Release)
}).annotations({ identifier: "ReleaseEvidence" })

/** The operations of the evidence of releases. */
export class ReleaseEvidenceApi extends HttpApiGroup.make("releaseEvidence")
  .add(
    HttpApiEndpoint.get("list")`/release-evidence/${org}`
      .setUrlParams(
        Schema.Struct({ ...Paging.pageFields(), ...filters }).pipe(Schema.filter(inOrder))
      )
      .addSuccess(ReleaseEvidencePage)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(
        OpenApi.Summary,
        "List the releases of a period with the evidence that was required"
      )
      .annotate(
        OpenApi.Description,
        "Answers one page of the artifacts that began to run in environments within a period, newest first: for each " +
          "what was required of it, whether that was met, by which attestations, by whom and when, as it was known " +
          "at the release. `totals` and `requirements` count the whole selection. 400 for a selection of more than " +
          `${RELEASES_MAX} releases, which can be downloaded as CSV.`
      )
  )
  .add(
    HttpApiEndpoint.get("export")`/release-evidence/${org}/csv`
      .setUrlParams(Schema.Struct(filters).pipe(Schema.filter(inOrder)))
      .addSuccess(
        Schema.String.pipe(HttpApiSchema.withEncoding({ kind: "Text", contentType: CSV }))
      )
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Download the releases of a period with their evidence as CSV")
      .annotate(
        OpenApi.Description,
        "Answers the same releases as a download: a header, and one line for each release and requirement, in the " +
          "order of the list. A release of which nothing was required has one line."
      )
  )
  .annotate(OpenApi.Title, "Release evidence")
  .annotate(
    OpenApi.Description,
    "The releases of a period, and whether each had what was required of it, by whom and when."
  ) {}
