/** Deployments as a table: start, environment, lead time, and the replaced artifact. */

import { ArtifactLink, FlowLink, SnapshotLink } from "../shared/AddressLinks.js"
import type { Deployment } from "../shared/Contract.js"
import { ExternalLink } from "../shared/ExternalLink.js"
import { Commit } from "../shared/Fingerprint.js"
import { preferences } from "../shared/Preferences.js"
import * as Reveal from "../shared/Reveal.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { Timestamp } from "../shared/Timestamp.js"
import * as TimeText from "../shared/TimeText.js"
import { fromStatus } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"

const Replaced = ({ deployment }: { readonly deployment: Deployment }) => {
  const { replaced, diff_url } = deployment
  if (replaced === null) return <span class="quiet">–</span>
  return (
    <span class="replaced">
      <span title={Reveal.plain(replaced.name)}>
        <RevealedText text={Shorten.artifact(replaced.name, 20)} />
      </span>
      {diff_url === null ? null : <ExternalLink address={diff_url} label="compare" />}
    </span>
  )
}

const columnsOf = (org: string, withFlow: boolean): ReadonlyArray<Column<Deployment>> => [
  {
    name: "verdict",
    title: <span class="visually-hidden">Verdict</span>,
    cell: ({ verdict }) => <VerdictMark verdict={fromStatus(verdict)} />
  },
  {
    name: "when",
    title: "When",
    cell: ({ deployed_at }) => <Timestamp seconds={deployed_at} />
  },
  {
    name: "environment",
    isFlexible: true,
    title: "Environment",
    cell: ({ environment, snapshot_index }) => (
      <SnapshotLink org={org} environment={environment} index={snapshot_index} />
    )
  },
  {
    name: "artifact",
    title: "Artifact",
    isHeader: true,
    cell: ({ flow_name, fingerprint, name }) => (
      <ArtifactLink org={org} flow={flow_name} fingerprint={fingerprint} name={name} />
    )
  },
  ...(withFlow
    ? [
        {
          name: "flow",
          isFlexible: true,
          title: "Flow",
          cell: ({ flow_name }: Deployment) =>
            flow_name === null ? (
              <span class="quiet">no provenance</span>
            ) : (
              <FlowLink org={org} flow={flow_name} />
            )
        }
      ]
    : []),
  {
    name: "commit",
    title: "Commit",
    cell: ({ git_commit }) =>
      git_commit === null ? <span class="quiet">–</span> : <Commit value={git_commit} />
  },
  {
    name: "lead",
    title: "Lead time",
    isNumber: true,
    cell: ({ lead_time_seconds }) =>
      lead_time_seconds === null || lead_time_seconds < 0 ? (
        <span class="quiet">–</span>
      ) : (
        TimeText.duration(lead_time_seconds * 1_000)
      )
  },
  {
    name: "replaced",
    isFlexible: true,
    title: "Replaced",
    cell: (deployment) => <Replaced deployment={deployment} />
  }
]

export const DeploymentTable = ({
  org,
  deployments,
  withFlow
}: {
  readonly org: string
  readonly deployments: ReadonlyArray<Deployment>
  readonly withFlow: boolean
}) => (
  <VirtualTable
    caption="Deployments"
    columns={columnsOf(org, withFlow)}
    rows={deployments}
    keyOf={({ id }) => id}
    rowHeight={preferences.value.density === "compact" ? 28 : 36}
  />
)
