/** A snapshot in a response, with links and with fields that are derived on reading. */
import type {
  SnapshotArtifact,
  SnapshotFlow,
  SnapshotResponse,
  SnapshotRowResponse,
  SnapshotRowsResponse
} from "@attestry/api/SnapshotApi"
import * as DeploymentDiff from "@attestry/core/DeploymentDiff"
import { kindWord } from "@attestry/core/Environment"
import type { FlowView } from "@attestry/core/FlowView"
import { toHidden } from "@attestry/core/Hidden"
import type { OrgName } from "@attestry/core/Identifier"
import { type Page, pageCount } from "@attestry/core/Page"
import * as Slices from "@attestry/core/Slices"
import { isAllowed } from "@attestry/core/SnapshotRows"
import type { CompleteRow, CompleteSnapshot, ShortSnapshot } from "@attestry/core/Snapshots"
import * as SnapshotTimeline from "@attestry/core/SnapshotTimeline"
import { toBoolean } from "@attestry/core/Verdict"
import * as WaivedResult from "@attestry/core/WaivedResult"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Links from "../../shared/internal/Links.js"

type Row = CompleteSnapshot["rows"][number]

/** The values for links and names of a snapshot. */
interface Shown {
  readonly base: string
  readonly org: OrgName
  readonly flowNames: CompleteSnapshot["flowNames"]
  /** The fingerprints that run in this snapshot. */
  readonly running: ReadonlySet<string>
}

const diffOf = (view: FlowView, { running }: Shown): DeploymentDiff.DeploymentDiff | null =>
  view.previous === null
    ? null
    : {
        diff_url: DeploymentDiff.diffUrl({
          repo: view.repo,
          previous: view.previous.git_commit,
          current: view.git_commit
        }),
        previous_git_commit: view.previous.git_commit,
        previous_git_commit_url: view.previous.commit_url,
        previous_fingerprint: view.previous.fingerprint,
        previous_artifact_name: view.previous.name,
        previous_artifact_compliance_state: view.previous.status,
        previous_running: running.has(view.previous.fingerprint),
        previous_trail_name: view.previous.trail_name,
        previous_template_reference_name: view.previous.slot
      }

const flowOf =
  (shown: Shown, { fingerprint, creationTimestamp }: Row) =>
  (view: FlowView): typeof SnapshotFlow.Type => {
    const { base, org } = shown
    const flow = shown.flowNames.get(view.flow_id) ?? ""
    return {
      flow_name: flow,
      git_commit: view.git_commit,
      commit_url: view.commit_url,
      html_url: Links.artifactPage(base, { org, flow, fingerprint }, view.artifact_id),
      flow_html_url: Links.flowPage(base, { org, flow }),
      deployment_diff: diffOf(view, shown),
      commit_lead_time: DeploymentDiff.commitLeadTime(
        creationTimestamp,
        view.git_commit_info?.timestamp ?? null
      ),
      trail_name: view.trail_name,
      template_reference_name: view.slot,
      git_commit_info: view.git_commit_info,
      artifact_compliance_in_flow: view.status === "COMPLIANT",
      flow_reasons_for_non_compliance: view.reasons
    }
  }

const artifactOf =
  (shown: Shown, isLogical: boolean) =>
  (row: Row): typeof SnapshotArtifact.Type => {
    const flows = row.flows.map(flowOf(shown, row))
    const primary = row.hidden === "primary" ? undefined : flows[0]
    return {
      name: row.name,
      fingerprint: row.fingerprint,
      creationTimestamp: row.creationTimestamp,
      annotation: row.annotation,
      flow_name: primary?.flow_name ?? null,
      git_commit: primary?.git_commit ?? null,
      commit_url: primary?.commit_url ?? null,
      html_url: primary?.html_url ?? null,
      flow_html_url: primary?.flow_html_url ?? null,
      deployment_diff: primary?.deployment_diff ?? null,
      commit_lead_time: primary?.commit_lead_time ?? null,
      flows,
      compliant: toBoolean(row.verdict),
      deployments: [],
      policy_decisions: row.policy_decisions,
      reasons_for_incompliance: row.reasons,
      ...(row.warnings.length === 0 ? {} : { warnings: row.warnings }),
      ...WaivedResult.toField(row.policy_decisions),
      pods: row.pods,
      container_task_context: row.container_task_context,
      serverless_run_context: row.serverless_run_context,
      ...(isLogical ? { environment: row.environment } : {}),
      ...(row.expires_at === undefined ? {} : { expires_at: row.expires_at }),
      ...toHidden(row.hidden !== undefined)
    }
  }

const runningOf = (rows: ReadonlyArray<Row>): ReadonlySet<string> =>
  new Set<string>(
    rows
      .filter(({ annotation }) => annotation.type !== "exited")
      .map(({ fingerprint }) => fingerprint)
  )

/** The rows of a snapshot in responses, one by one. */
export const rowsOf = (
  base: string,
  org: OrgName,
  { snapshot, rows, flowNames }: Pick<CompleteSnapshot, "snapshot" | "rows" | "flowNames">
): ((row: Row) => typeof SnapshotRowResponse.Type) => {
  const shown = artifactOf(
    { base, org, flowNames, running: runningOf(rows) },
    snapshot.members !== null
  )
  return (row) => ({ ...shown(row), verdict: row.verdict, is_allowed: isAllowed(row) })
}

/** One row in a response. */
export const rowOf = (
  base: string,
  org: OrgName,
  found: CompleteRow
): typeof SnapshotRowResponse.Type => rowsOf(base, org, found)(found.row)

/** A snapshot in short in a response. */
export const shortOf = (
  {
    base,
    org,
    page: { page, perPage }
  }: {
    readonly base: string
    readonly org: OrgName
    readonly page: Page
  },
  { environment, snapshot, policies, rules, members, exited, waived, items, total }: ShortSnapshot
): typeof SnapshotRowsResponse.Type => ({
  index: snapshot.index,
  ...SnapshotTimeline.neighbours(Option.fromNullable(snapshot.next_timestamp)),
  timestamp: snapshot.timestamp,
  type: kindWord(environment),
  verdict: snapshot.verdict,
  reasons: snapshot.reasons ?? [],
  artifact_compliance_count: snapshot.counts,
  exited_count: exited,
  ...waivedRows(waived),
  html_url: Links.snapshotPage(base, {
    org,
    environment: environment.name,
    index: snapshot.index
  }),
  policies,
  members,
  rules,
  rows: items,
  page,
  per_page: perPage,
  total_pages: perPage === 0 ? 0 : pageCount(total, perPage),
  total_count: total
})

/** How many running rows a waiver turned; absent where there is none. */
export const waivedRows = (count: number): { readonly waived_rows?: number } =>
  count === 0 ? {} : { waived_rows: count }

/** A snapshot in a response, without its rows. */
export const headOf = (
  base: string,
  org: OrgName,
  { environment, snapshot, policies }: CompleteSnapshot
): Omit<typeof SnapshotResponse.Type, "artifacts"> => ({
  index: snapshot.index,
  ...SnapshotTimeline.neighbours(Option.fromNullable(snapshot.next_timestamp)),
  artifact_compliance_count: snapshot.counts,
  timestamp: snapshot.timestamp,
  type: kindWord(environment),
  compliant: toBoolean(snapshot.verdict),
  reasons: snapshot.reasons ?? [],
  html_url: Links.snapshotPage(base, {
    org,
    environment: environment.name,
    index: snapshot.index
  }),
  applied_policies: policies
})

/** A snapshot in a response. */
export const responseOf = (
  base: string,
  org: OrgName,
  found: CompleteSnapshot
): Effect.Effect<typeof SnapshotResponse.Type> => {
  const { flowNames, rows, snapshot } = found
  const shown = { base, org, flowNames, running: runningOf(rows) }
  return Effect.map(
    Slices.map(rows, artifactOf(shown, snapshot.members !== null)),
    (artifacts): typeof SnapshotResponse.Type => ({
      ...headOf(base, org, found),
      artifacts,
      ...waivedRows(
        artifacts.filter(
          ({ annotation, waived }) => waived !== undefined && annotation.type !== "exited"
        ).length
      )
    })
  )
}
