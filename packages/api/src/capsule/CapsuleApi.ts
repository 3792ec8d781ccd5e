/** The operation that makes audit capsules. SPEC §4.35 */
import {
  CapsuleEvidence,
  ENVIRONMENTS_MAX,
  MEDIA_TYPE,
  NAMES_MAX
} from "@attestry/core/CapsuleLimits"
import { Fingerprint } from "@attestry/core/Fingerprint"
import { EnvironmentName, FlowName, PolicyName, TrailName } from "@attestry/core/Identifier"
import { optional } from "@attestry/core/OptionalField"
import * as SnapshotExpression from "@attestry/core/SnapshotExpression"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { inOrder } from "../release-evidence/ReleaseEvidenceApi.js"
import { jsonBody, Operation, rule } from "../shared/Operation.js"
import { org } from "../shared/PathParam.js"
import * as QueryParam from "../shared/QueryParam.js"

const capsule = HttpApiSchema.Uint8Array({ contentType: MEDIA_TYPE })

const Size = Schema.Int.pipe(Schema.between(1, Number.MAX_SAFE_INTEGER))

/** The snapshots of an environment: a range, or one of them; without either, the latest. */
const CapsuleEnvironment = Schema.Struct({
  name: EnvironmentName,
  from: optional(SnapshotExpression.FromText),
  to: optional(SnapshotExpression.FromText),
  at: optional(SnapshotExpression.FromText)
}).annotations({ identifier: "CapsuleEnvironment" })

const CapsuleTrail = Schema.Struct({ flow_name: FlowName, trail_name: TrailName }).annotations({
  identifier: "CapsuleTrail"
})

/** The evidence of releases in a period, by the parameters of the operation that lists it. */
const CapsuleReleases = Schema.Struct({
  environments: optional(Schema.Array(EnvironmentName).pipe(Schema.maxItems(ENVIRONMENTS_MAX))),
  flow: optional(FlowName),
  policy: optional(PolicyName),
  from: optional(QueryParam.isoInstant),
  to: optional(QueryParam.isoInstant)
})
  .pipe(Schema.filter(inOrder))
  .annotations({ identifier: "CapsuleReleases" })

/** The selection that a capsule proves, and how much of the evidence it shows. */
export const CapsuleRequest = Schema.Struct({
  environments: optional(Schema.Array(CapsuleEnvironment).pipe(Schema.maxItems(ENVIRONMENTS_MAX))),
  trails: optional(Schema.Array(CapsuleTrail).pipe(Schema.maxItems(NAMES_MAX))),
  fingerprints: optional(Schema.Array(Fingerprint).pipe(Schema.maxItems(NAMES_MAX))),
  releases: optional(CapsuleReleases),
  evidence: optional(CapsuleEvidence),
  size: optional(Size)
}).annotations({ identifier: "CapsuleRequest" })

/** The operations of capsules. */
export class CapsuleApi extends HttpApiGroup.make("capsule")
  .add(
    HttpApiEndpoint.post("create")`/capsules/${org}`
      .setPayload(CapsuleRequest)
      .addSuccess(capsule)
      .annotate(Operation, rule("org.read", jsonBody, { reads: true }))
      .annotate(OpenApi.Summary, "Make an audit capsule")
      .annotate(
        OpenApi.Description,
        "Answers a ZIP file, as a download, from which anybody recomputes the verdicts of the selected snapshots " +
          "without a network: the entries of the log with their proof, the signed checkpoint, the answers that were " +
          "given, and a page that verifies all of it. At least one of `environments`, `trails`, `fingerprints` and " +
          "`releases` is needed; `releases` is a question of release evidence, whose table is then recomputed cell " +
          "by cell. `evidence` is `facts`, `bodies` (the default) or `files`. 400 for more than 250,000 entries or " +
          "2 GiB; 503 while another capsule of the org is made, and until the log has the selected snapshots."
      )
  )
  .annotate(OpenApi.Title, "Audit capsules")
  .annotate(
    OpenApi.Description,
    "Files that prove verdicts offline, for auditors who do not trust the deployment."
  ) {}
