/** The running artifacts of a repository, as a response. */
import { EnvironmentKind } from "@attestry/core/EnvironmentKind"
import { Fingerprint } from "@attestry/core/Fingerprint"
import { GitCommitInfo } from "@attestry/core/GitCommit"
import { EnvironmentName, FlowName, TrailName } from "@attestry/core/Identifier"
import { Verdict } from "@attestry/core/Verdict"
import * as Schema from "effect/Schema"

/** The running artifacts of a repository, with their environments. */
export const LiveArtifactsResponse = Schema.Struct({
  live_artifacts: Schema.Array(
    Schema.Struct({
      fingerprint: Fingerprint,
      artifact_name: Schema.String,
      environment_name: EnvironmentName,
      snapshot_index: Schema.Int,
      flow_name: FlowName,
      trail_name: TrailName,
      git_commit: Schema.NullOr(Schema.String),
      compliant: Schema.Boolean,
      /** With `include=verdict`. */
      verdict: Schema.optionalWith(Verdict, { exact: true }),
      started_at: Schema.NullOr(Schema.Finite)
    }).annotations({ identifier: "LiveArtifact" })
  ),
  _embedded: Schema.Struct({
    environments: Schema.Array(
      Schema.Struct({
        name: EnvironmentName,
        type: EnvironmentKind,
        state: Schema.NullOr(Schema.Boolean),
        snapshot_index: Schema.Int,
        html_url: Schema.String
      }).annotations({ identifier: "LiveEnvironment" })
    ),
    artifacts: Schema.Array(
      Schema.Struct({
        fingerprint: Fingerprint,
        name: Schema.String,
        flow_name: FlowName,
        git_commit: Schema.NullOr(Schema.String),
        git_commit_info: Schema.NullOr(GitCommitInfo),
        commit_url: Schema.NullOr(Schema.String),
        html_url: Schema.String
      }).annotations({ identifier: "LiveRecord" })
    )
  })
}).annotations({ identifier: "LiveArtifacts" })
