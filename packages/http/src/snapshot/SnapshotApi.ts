/** The operations of snapshots. SPEC §4.5 */

import { PhysicalKind } from "@attestry/core/EnvironmentKind"
import { ReportedFingerprint } from "@attestry/core/Fingerprint"
import { ContainerTaskContext, Pods, ServerlessRunContext } from "@attestry/core/RunningRow"
import { SnapshotAnnotation } from "@attestry/core/SnapshotAnnotation"
import { SnapshotCounts } from "@attestry/core/SnapshotCounts"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { noBody, Operation, rule } from "../shared/Operation.js"
import { envName, org, snapshotExpression } from "../shared/PathParam.js"

/** A row of a snapshot as answers show it. */
export const SnapshotArtifact = Schema.Struct({
  name: Schema.String,
  fingerprint: ReportedFingerprint,
  creationTimestamp: Schema.Array(Schema.Number),
  annotation: SnapshotAnnotation,
  compliant: Schema.Boolean,
  pods: Schema.NullOr(Pods),
  container_task_context: Schema.NullOr(ContainerTaskContext),
  serverless_run_context: Schema.NullOr(ServerlessRunContext)
}).annotations({ identifier: "SnapshotArtifact" })

/** A snapshot as answers show it. */
export const SnapshotResponse = Schema.Struct({
  index: Schema.Int,
  is_latest: Schema.Boolean,
  next_snapshot_timestamp: Schema.NullOr(EpochSeconds),
  artifact_compliance_count: SnapshotCounts,
  timestamp: EpochSeconds,
  type: PhysicalKind,
  compliant: Schema.Boolean,
  html_url: Schema.String,
  artifacts: Schema.Array(SnapshotArtifact)
}).annotations({ identifier: "Snapshot" })

/** The operations of snapshots. */
export class SnapshotApi extends HttpApiGroup.make("snapshot")
  .add(
    HttpApiEndpoint.get("get")`/snapshots/${org}/${envName}/${snapshotExpression}`
      .addSuccess(SnapshotResponse)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get one snapshot of an environment")
  )
  .annotate(OpenApi.Title, "Snapshots") {}
