/** The operations of snapshots. SPEC §4.5 */
import { AppliedPolicy } from "@attestry/core/AppliedPolicy"
import { FlowReason } from "@attestry/core/ComplianceStatus"
import { DeploymentDiff } from "@attestry/core/DeploymentDiff"
import { KindWord } from "@attestry/core/EnvironmentKind"
import { ReportedFingerprint } from "@attestry/core/Fingerprint"
import { GitCommitInfo } from "@attestry/core/GitCommit"
import { hiddenField } from "@attestry/core/Hidden"
import { PolicyDecision } from "@attestry/core/PolicyDecision"
import { warningField } from "@attestry/core/PolicyMode"
import { PolicyReason } from "@attestry/core/PolicyReason"
import { ContainerTaskContext, Pods, ServerlessRunContext } from "@attestry/core/RunningRow"
import { SnapshotAnnotation } from "@attestry/core/SnapshotAnnotation"
import { SnapshotComparison } from "@attestry/core/SnapshotComparison"
import { SnapshotCounts } from "@attestry/core/SnapshotCounts"
import * as SnapshotRows from "@attestry/core/SnapshotRows"
import { ShortRow, SnapshotRule } from "@attestry/core/SnapshotRows"
import { SnapshotSummary } from "@attestry/core/SnapshotTimeline"
import { COLUMNS_MAX, Timeline } from "@attestry/core/TimelineColumns"
import { EpochSeconds } from "@attestry/core/Timestamp"
import { Verdict } from "@attestry/core/Verdict"
import { waivedField } from "@attestry/core/WaivedResult"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { answeredAsOf, asOf, recorded, rowAsOf } from "../history/AsOfFields.js"
import { noBody, Operation, rule } from "../shared/Operation.js"
import { pageFields } from "../shared/Paging.js"
import { envName, org, snapshotExpression } from "../shared/PathParam.js"
import * as QueryParam from "../shared/QueryParam.js"

/** The fields of the primary flow, which the artifact repeats; null without a flow. */
const provenance = {
  flow_name: Schema.NullOr(Schema.String),
  git_commit: Schema.NullOr(Schema.String),
  commit_url: Schema.NullOr(Schema.String),
  html_url: Schema.NullOr(Schema.String),
  flow_html_url: Schema.NullOr(Schema.String),
  deployment_diff: Schema.NullOr(DeploymentDiff),
  commit_lead_time: Schema.NullOr(Schema.Number)
}

/** A running artifact in one flow. */
export const SnapshotFlow = Schema.Struct({
  ...provenance,
  trail_name: Schema.String,
  template_reference_name: Schema.String,
  git_commit_info: Schema.NullOr(GitCommitInfo),
  artifact_compliance_in_flow: Schema.Boolean,
  flow_reasons_for_non_compliance: Schema.Array(FlowReason)
}).annotations({ identifier: "SnapshotFlow" })

/** A row of a snapshot in a response. */
export const SnapshotArtifact = Schema.Struct({
  name: Schema.String,
  fingerprint: ReportedFingerprint,
  creationTimestamp: Schema.Array(Schema.Number),
  annotation: SnapshotAnnotation,
  ...provenance,
  flows: Schema.Array(SnapshotFlow),
  compliant: Schema.Boolean,
  /** Always empty; explicit deployments do not exist any more. */
  deployments: Schema.Array(Schema.Int),
  policy_decisions: Schema.Array(PolicyDecision),
  reasons_for_incompliance: Schema.Array(PolicyReason),
  /** The reasons of policies that only warn; absent without such policies. */
  warnings: Schema.optionalWith(Schema.Array(PolicyReason), { exact: true }),
  /** The results that waivers turned; absent where there is none. */
  ...waivedField,
  pods: Schema.NullOr(Pods),
  container_task_context: Schema.NullOr(ContainerTaskContext),
  serverless_run_context: Schema.NullOr(ServerlessRunContext),
  /** The physical environment where it runs; only in snapshots of logical environments. */
  environment: Schema.optionalWith(Schema.String, { exact: true }),
  /** Until when it stays compliant without new evidence; absent without an end, and in all but the latest snapshot. */
  expires_at: Schema.optionalWith(EpochSeconds, { exact: true }),
  /** Only where a flow knows it that the caller may not read: `flows` leaves it out, and what is null may be of it. */
  ...hiddenField,
  ...rowAsOf
}).annotations({ identifier: "SnapshotArtifact" })

const waivedRows = {
  /** How many running rows have a result that a waiver turned; absent where there is none. */
  waived_rows: Schema.optionalWith(Schema.Int, { exact: true })
}
/** A reason for the verdict of a snapshot that is about no row. */
export const SnapshotReason = Schema.Struct({
  type: Schema.Literal("environment_silent"),
  /** The instant by which a report was due. */
  silent_since: EpochSeconds,
  description: Schema.String
}).annotations({ identifier: "SnapshotReason" })

/** A snapshot in a response. */
export const SnapshotResponse = Schema.Struct({
  index: Schema.Int,
  is_latest: Schema.Boolean,
  next_snapshot_timestamp: Schema.NullOr(EpochSeconds),
  artifact_compliance_count: SnapshotCounts,
  timestamp: EpochSeconds,
  type: KindWord,
  compliant: Schema.Boolean,
  /** The reasons for its verdict that are about no artifact. */
  reasons: Schema.Array(SnapshotReason),
  html_url: Schema.String,
  artifacts: Schema.Array(SnapshotArtifact),
  applied_policies: Schema.Array(AppliedPolicy),
  ...waivedRows,
  ...answeredAsOf,
  recorded
}).annotations({ identifier: "Snapshot" })

/** One row of a snapshot, with its verdict in three values. */
export const SnapshotRowResponse = Schema.Struct({
  ...SnapshotArtifact.fields,
  verdict: Verdict,
  /** Whether it is compliant because it is allowed, whatever the policies decide. */
  is_allowed: Schema.Boolean
}).annotations({ identifier: "SnapshotRow" })

/** A snapshot in short: the policies that evaluated it, and one page of its rows. */
export const SnapshotRowsResponse = Schema.Struct({
  index: Schema.Int,
  is_latest: Schema.Boolean,
  next_snapshot_timestamp: Schema.NullOr(EpochSeconds),
  timestamp: EpochSeconds,
  type: KindWord,
  verdict: Verdict,
  /** The reasons for its verdict that are about no row. */
  reasons: Schema.Array(SnapshotReason),
  artifact_compliance_count: SnapshotCounts,
  /** How many of its rows exited in it; the counts are of those that run. */
  exited_count: Schema.Int,
  ...waivedRows,
  html_url: Schema.String,
  policies: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      version: Schema.Int,
      /** For a policy that only warns, the rows that it would fail. */
      rows_failing: Schema.Int,
      ...warningField
    })
  ),
  /** The members of a logical environment with the snapshots that count; null for a physical one. */
  members: Schema.NullOr(
    Schema.Array(Schema.Struct({ environment: Schema.String, index: Schema.Int, verdict: Verdict }))
  ),
  rules: Schema.Array(SnapshotRule),
  rows: Schema.Array(ShortRow),
  page: Schema.Int,
  per_page: Schema.Int,
  total_pages: Schema.Int,
  total_count: Schema.Int
}).annotations({ identifier: "SnapshotRows" })

/** The largest number of rows on a page of a snapshot in short. */
export const ROWS_PER_PAGE_MAX = 5_000

const RULE_FORM = "Input should be the name of a policy, a dot, and the index of a rule or `error`"

const RuleText = Schema.String.pipe(
  Schema.filter((text) => SnapshotRows.parseRule(text) !== undefined, {
    message: () => RULE_FORM,
    jsonSchema: { pattern: "^[\\s\\S]+\\.(error|[0-9]{1,6})$" }
  })
)

const rowsQuery = Schema.Struct({
  page: pageFields().page,
  per_page: QueryParam.optional(
    QueryParam.integer(0, ROWS_PER_PAGE_MAX),
    `How many rows a page has, at most ${ROWS_PER_PAGE_MAX}; 0 answers everything but rows.`
  ),
  search: QueryParam.optional(
    Schema.String,
    "Only rows with this text in the name, fingerprint, flow, trail, commit or member, in any case."
  ),
  verdict: QueryParam.optional(
    Verdict,
    "Only rows with this verdict: `Compliant`, `NonCompliant` or `Unknown`."
  ),
  rule: QueryParam.optional(
    RuleText,
    "Only rows that fail this rule: the name of the policy, a dot, and the `rule_index`; " +
      "`error` instead of an index is a policy that cannot be evaluated."
  ),
  flow_name: QueryParam.optional(
    Schema.String,
    "Only rows whose primary flow has this name; `no provenance` is those without one."
  )
})

const asOfQuery = Schema.Struct({
  as_of: asOf,
  policies: QueryParam.optional(
    Schema.Literal("recorded", "latest"),
    "With `as_of`: whether the policies of the snapshot are used (`recorded`, the " +
      "default), or those that the environment has now."
  )
}).pipe(
  Schema.filter(({ as_of, policies }) =>
    policies !== undefined && as_of === undefined
      ? { path: ["policies"], message: "Input should be left out, or given together with `as_of`" }
      : undefined
  )
)

const timelineQuery = Schema.Struct({
  from: QueryParam.optional(
    QueryParam.laterTimestamp,
    "The beginning, in epoch seconds; 30 days before the end by default."
  ),
  to: QueryParam.optional(
    QueryParam.laterTimestamp,
    "The end, in epoch seconds; now by default. Not before `from`."
  ),
  buckets: QueryParam.optional(
    QueryParam.integer(1, COLUMNS_MAX),
    "The number of columns, at most 2000; 200 by default."
  )
}).pipe(
  Schema.filter(({ from, to }) =>
    from !== undefined && to !== undefined && from > to
      ? { path: ["from"], message: "Input should not be after `to`" }
      : undefined
  )
)

/** The operations of snapshots. */
export class SnapshotApi extends HttpApiGroup.make("snapshot")
  .add(
    HttpApiEndpoint.get("list")`/snapshots/${org}/${envName}`
      .setUrlParams(
        Schema.Struct({
          ...pageFields(),
          interval: QueryParam.optional(
            Schema.String,
            "Only snapshots from one to another, `A..B`: each side an index, `-N`, `~N` or `NOW`."
          ),
          reverse: QueryParam.optional(QueryParam.boolean, "Whether the oldest come first.")
        })
      )
      .addSuccess(Schema.Array(SnapshotSummary))
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List snapshots of an environment, newest first")
      .annotate(
        OpenApi.Description,
        "Answers one page of the snapshots of the environment: index, time, duration and verdict of each."
      )
  )
  .add(
    HttpApiEndpoint.get("timeline")`/snapshots/${org}/${envName}/timeline`
      .setUrlParams(timelineQuery)
      .addSuccess(Timeline)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get the history of an environment in columns")
      .annotate(
        OpenApi.Description,
        "Divides a time into columns of equal width, and answers for each how many snapshots begin in it, the first " +
          "one in force, and for how many seconds each verdict was in force; with at most 400 times of equal " +
          "verdicts, also those as bands."
      )
  )
  .add(
    HttpApiEndpoint.get("get")`/snapshots/${org}/${envName}/${snapshotExpression}`
      .setUrlParams(asOfQuery)
      .addSuccess(SnapshotResponse)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get one snapshot of an environment")
      .annotate(
        OpenApi.Description,
        "Answers one snapshot: all artifacts that ran, their provenance, and the results of " +
          "policies. With `as_of` its rows are evaluated again by the evidence that was " +
          "accepted by that instant, beside the recorded verdicts and with the evidence that " +
          "came after a row started."
      )
  )
  .add(
    HttpApiEndpoint.get("rows")`/snapshots/${org}/${envName}/${snapshotExpression}/rows`
      .setUrlParams(rowsQuery)
      .addSuccess(SnapshotRowsResponse)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List the rows of one snapshot in short")
      .annotate(
        OpenApi.Description,
        "Answers one snapshot without repetitions: its verdict in three values, its policies, the rules with the " +
          "number of running rows that fail each, and one page of rows. `failing` of a row has positions in `rules`. " +
          "Running rows come first, the most recent ones first, then those that exited in this snapshot."
      )
  )
  .add(
    HttpApiEndpoint.get("row")`/snapshots/${org}/${envName}/${snapshotExpression}/row`
      .setUrlParams(
        Schema.Struct({
          name: Schema.String.annotations({ description: "The name of the row." }),
          fingerprint: ReportedFingerprint.annotations({
            description: "The fingerprint of the row; empty where the runtime reported none."
          }),
          environment: QueryParam.optional(
            Schema.String,
            "The member of a logical environment in which it runs; by default the first one that " +
              "has it."
          )
        })
      )
      .addSuccess(SnapshotRowResponse)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get one row of a snapshot")
      .annotate(
        OpenApi.Description,
        "Answers one row as the whole snapshot has it, with the decision of each rule and the reasons, and its " +
          "verdict in three values."
      )
  )
  .add(
    HttpApiEndpoint.get("compare")`/env-diff/${org}`
      .setUrlParams(
        Schema.Struct({
          snappish1: Schema.String.annotations({
            description:
              "One side: `env`, `env#N`, `env~N` or `env@{…}`; a bare name is its latest snapshot."
          }),
          snappish2: Schema.String.annotations({
            description: "The other side, in the same forms; of the same environment or of another."
          })
        })
      )
      .addSuccess(SnapshotComparison)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Compare two snapshots, of one environment or of two")
      .annotate(
        OpenApi.Description,
        "Answers the artifacts that run on one side only, on both with different numbers of " +
          "instances, and on both alike."
      )
  )
  .annotate(OpenApi.Title, "Snapshots")
  .annotate(
    OpenApi.Description,
    "The numbered states of an environment, each with its artifacts and its verdict."
  ) {}
