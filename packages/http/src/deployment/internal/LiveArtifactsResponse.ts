/** Makes the response of what of a repository runs now. */
import type { LiveArtifactsResponse } from "@attestry/api/LiveArtifactsResponse"
import type { LiveArtifact } from "@attestry/core/LiveArtifact"
import { toState } from "@attestry/core/Verdict"
import * as Links from "../../shared/internal/Links.js"

/** The values with the first item of each key. */
const distinct = <A>(items: ReadonlyArray<A>, keyOf: (item: A) => string): ReadonlyArray<A> => [
  ...new Map(items.map((item) => [keyOf(item), item])).values()
]

/** The response of what runs. */
export const make = (
  base: string,
  { org, include }: { readonly org: string; readonly include: ReadonlyArray<string> },
  live: ReadonlyArray<LiveArtifact>
): typeof LiveArtifactsResponse.Type => ({
  live_artifacts: live.map((each) => ({
    fingerprint: each.fingerprint,
    artifact_name: each.name,
    environment_name: each.environment.name,
    snapshot_index: each.snapshotIndex,
    flow_name: each.flowName,
    trail_name: each.view.trail_name,
    git_commit: each.view.git_commit,
    compliant: each.compliant,
    ...(include.includes("verdict") ? { verdict: each.verdict } : {}),
    started_at: each.startedAt
  })),
  _embedded: {
    environments: distinct(live, ({ environment }) => environment.id).map(
      ({ environment, snapshotIndex: index }) => ({
        name: environment.name,
        type: environment.type,
        state: environment.verdict === null ? null : toState(environment.verdict),
        snapshot_index: index,
        html_url: Links.snapshotPage(base, { org, environment: environment.name, index })
      })
    ),
    artifacts: distinct(live, ({ record }) => record.id).map(({ record, view, flowName }) => ({
      fingerprint: record.fingerprint,
      name: record.report.filename,
      flow_name: flowName,
      git_commit: view.git_commit,
      git_commit_info: view.git_commit_info,
      commit_url: view.commit_url,
      html_url: Links.artifactPage(
        base,
        { org, flow: flowName, fingerprint: record.fingerprint },
        record.id
      )
    }))
  }
})
