/** The operations that answer the facts which policies evaluate. SPEC §4.5 */

import { hiddenField } from "@attestry/core/Hidden"
import * as PolicyFacts from "@attestry/core/PolicyFacts"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { answeredAsOf, asOf } from "../history/AsOfFields.js"
import { noBody, Operation, rule } from "../shared/Operation.js"
import { counterFields, pageFields } from "../shared/Paging.js"
import { envName, org, snapshotExpression, wholeFingerprint } from "../shared/PathParam.js"

/** The largest number of rows on a page of facts, and the number by default. */
export const FACTS_PER_PAGE_MAX = 1_000
/** The number of rows on a page of facts by default. */
export const FACTS_PER_PAGE_DEFAULT = 100

/** A running row with its facts. */
export const RowFacts = Schema.Struct({
  /** The physical environment where it runs; only in snapshots of logical environments. */
  environment: Schema.optionalWith(Schema.String, { exact: true }),
  is_allowed: Schema.Boolean.annotations({
    description: "Whether the allow-list makes the row compliant although a policy fails it."
  }),
  facts: PolicyFacts.Facts,
  /** Only where a flow knows it that the caller may not read; then it has no facts. */
  ...hiddenField
}).annotations({ identifier: "RowFacts" })

/** The facts about an artifact. */
export const ArtifactFactsResponse = Schema.Struct({
  ...PolicyFacts.Facts.fields,
  /** Only where a flow knows it that the caller may not read; then no flow is listed. */
  ...hiddenField
}).annotations({ identifier: "ArtifactFacts" })

/** One page of the running rows of a snapshot, with the facts of now. */
export const SnapshotFacts = Schema.Struct({
  ...counterFields,
  index: Schema.Int,
  timestamp: EpochSeconds,
  /** The policies that evaluated the snapshot; the implicit one that requires provenance has version 0. */
  policies: Schema.Array(Schema.Struct({ name: Schema.String, version: Schema.Int })),
  rows: Schema.Array(RowFacts),
  ...answeredAsOf
}).annotations({ identifier: "SnapshotFacts" })

/** The operations that answer facts. */
export class FactApi extends HttpApiGroup.make("fact")
  .add(
    HttpApiEndpoint.get("get")`/facts/${org}/${wholeFingerprint}`
      .addSuccess(ArtifactFactsResponse)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get the facts about an artifact for policies")
      .annotate(
        OpenApi.Description,
        "Answers the evidence of each flow about the artifact now: its newest record there, " +
          "its status, and the attestations that count for it, overrides applied. 404 if it " +
          "was reported to no flow."
      )
  )
  .add(
    HttpApiEndpoint.get("list")`/snapshots/${org}/${envName}/${snapshotExpression}/facts`
      .setUrlParams(Schema.Struct({ ...pageFields(FACTS_PER_PAGE_MAX), as_of: asOf }))
      .addSuccess(SnapshotFacts)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get the facts about the running artifacts of a snapshot")
      .annotate(
        OpenApi.Description,
        "Answers one page of the running rows of the snapshot, each with the current facts " +
          "for its evaluation, not those of the time of the snapshot; with `as_of`, with the " +
          "facts of that instant."
      )
  )
  .annotate(OpenApi.Title, "Facts")
  .annotate(
    OpenApi.Description,
    "The inputs of policies: an artifact, and the current evidence of each flow about it."
  ) {}
