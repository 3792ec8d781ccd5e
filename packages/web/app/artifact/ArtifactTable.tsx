/** Artifacts as a table: name, commit, status, and the environments that run them. */

import { ArtifactLink, FlowLink, TrailLink } from "../shared/AddressLinks.js"
import type { Artifact } from "../shared/Contract.js"
import { Commit } from "../shared/Fingerprint.js"
import { preferences } from "../shared/Preferences.js"
import * as Reveal from "../shared/Reveal.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Timestamp } from "../shared/Timestamp.js"
import { fromStatus } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"

const runningText = ({ running }: Artifact): string =>
  running.map(({ environment_name }) => environment_name).join(", ")

const columnsOf = (org: string, withFlow: boolean): ReadonlyArray<Column<Artifact>> => [
  {
    name: "state",
    title: "Status",
    cell: ({ state }) => <VerdictMark verdict={fromStatus(state)} word />
  },
  {
    name: "artifact",
    title: "Artifact",
    isHeader: true,
    cell: ({ flow_name, fingerprint, filename }) => (
      <ArtifactLink org={org} flow={flow_name} fingerprint={fingerprint} name={filename} />
    )
  },
  ...(withFlow
    ? [
        {
          name: "flow",
          isFlexible: true,
          title: "Flow",
          cell: ({ flow_name }: Artifact) => <FlowLink org={org} flow={flow_name} />
        }
      ]
    : []),
  {
    name: "trail",
    title: "Trail",
    cell: ({ flow_name, trail_name }) => <TrailLink org={org} flow={flow_name} trail={trail_name} />
  },
  {
    name: "commit",
    title: "Commit",
    cell: ({ git_commit }) =>
      git_commit === "" ? <span class="quiet">–</span> : <Commit value={git_commit} />
  },
  {
    name: "running",
    isFlexible: true,
    title: "Running in",
    cell: (artifact) => (
      <span title={Reveal.plain(runningText(artifact))}>
        <RevealedText text={runningText(artifact)} />
      </span>
    )
  },
  {
    name: "reported",
    title: "Reported",
    cell: ({ created_at }) => <Timestamp seconds={created_at} />
  }
]

export const ArtifactTable = ({
  org,
  artifacts,
  withFlow
}: {
  readonly org: string
  readonly artifacts: ReadonlyArray<Artifact>
  readonly withFlow: boolean
}) => (
  <VirtualTable
    caption="Artifacts"
    columns={columnsOf(org, withFlow)}
    rows={artifacts}
    keyOf={({ id }) => id}
    rowHeight={preferences.value.density === "compact" ? 28 : 36}
  />
)
