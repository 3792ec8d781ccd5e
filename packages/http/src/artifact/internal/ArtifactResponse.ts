/** Makes the response of an artifact: its reported fields under their names, and derived fields. */
import type { ArtifactResponse } from "@attestry/api/ArtifactResponse"
import { commitOf } from "@attestry/core/Artifact"
import type { ArtifactView } from "@attestry/core/ArtifactViews"
import type { OrgName } from "@attestry/core/Identifier"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Links from "../../shared/internal/Links.js"

/** The address of an artifact's page. */
export const pageOf = (base: string, org: OrgName, { artifact, flow }: ArtifactView): string =>
  Links.artifactPage(base, { org, flow, fingerprint: artifact.fingerprint }, artifact.id)

/** The response of an artifact. */
export const responseOf = (
  base: string,
  org: OrgName,
  view: ArtifactView
): typeof ArtifactResponse.Type => {
  const { artifact, flow, trail, state, running, exited, history } = view
  return {
    id: artifact.id,
    ...artifact.report,
    git_commit: commitOf(artifact.report) ?? "",
    trail_name: trail,
    template_reference_name: artifact.slot,
    flow_name: flow,
    created_at: Timestamp.toSeconds(artifact.created_at),
    created_by: artifact.created_by,
    html_url: pageOf(base, org, view),
    state,
    running,
    exited,
    history: history.map(({ event, timestamp }) => ({ event, timestamp }))
  }
}
