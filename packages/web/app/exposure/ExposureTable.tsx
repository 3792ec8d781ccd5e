/** Exposures as a table: artifact, environment, time and duration, and verdicts. */

import { ArtifactLink, SnapshotLink } from "../shared/AddressLinks.js"
import { now } from "../shared/Clock.js"
import type { Exposure } from "../shared/Contract.js"
import { Commit } from "../shared/Fingerprint.js"
import { preferences } from "../shared/Preferences.js"
import { Timestamp } from "../shared/Timestamp.js"
import * as TimeText from "../shared/TimeText.js"
import { fromState, WORDS } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"

/** How long it ran, with its end in the tooltip. */
const Length = ({ exposure: { from, to } }: { readonly exposure: Exposure }) =>
  to === null ? (
    <span>{TimeText.duration(now.value - from * 1_000)}, runs now</span>
  ) : (
    <span title={`until ${TimeText.absolute(to * 1_000, preferences.value.zone)}`}>
      {TimeText.duration((to - from) * 1_000)}
    </span>
  )

/** How long it was non-compliant, and the verdict at the start if that differed. */
const NotCompliant = ({ exposure }: { readonly exposure: Exposure }) => {
  const { at_end, at_start, seconds_non_compliant } = exposure.compliant
  if (seconds_non_compliant === 0) return <span class="quiet">–</span>
  return (
    <span title={at_start === at_end ? undefined : `${WORDS[fromState(at_start)]} at its start`}>
      {TimeText.duration(seconds_non_compliant * 1_000)}
    </span>
  )
}

const columnsOf = (org: string): ReadonlyArray<Column<Exposure>> => [
  {
    name: "verdict",
    title: <span class="visually-hidden">Verdict</span>,
    cell: ({ compliant: { at_end } }) => <VerdictMark verdict={fromState(at_end)} />
  },
  {
    name: "artifact",
    title: "Artifact",
    isHeader: true,
    cell: ({ flow_name, fingerprint, name }) => (
      <ArtifactLink org={org} flow={flow_name} fingerprint={fingerprint} name={name} />
    )
  },
  {
    name: "environment",
    isFlexible: true,
    title: "Environment",
    cell: ({ environment, first_index }) => (
      <SnapshotLink org={org} environment={environment} index={first_index} />
    )
  },
  { name: "from", title: "From", cell: ({ from }) => <Timestamp seconds={from} /> },
  { name: "length", title: "For", cell: (exposure) => <Length exposure={exposure} /> },
  {
    name: "judged",
    title: "Not compliant",
    isNumber: true,
    cell: (exposure) => <NotCompliant exposure={exposure} />
  },
  {
    name: "commit",
    title: "Commit",
    cell: ({ flow_name, git_commit }) =>
      git_commit === null ? (
        <span class="quiet">{flow_name === null ? "no provenance" : "–"}</span>
      ) : (
        <Commit value={git_commit} />
      )
  }
]

export const ExposureTable = ({
  org,
  exposures
}: {
  readonly org: string
  readonly exposures: ReadonlyArray<Exposure>
}) => (
  <VirtualTable
    caption="Each time by itself"
    columns={columnsOf(org)}
    rows={exposures}
    keyOf={({ environment, fingerprint, first_index, name }) =>
      [environment, first_index, fingerprint, name].join(" ")
    }
    rowHeight={preferences.value.density === "compact" ? 28 : 36}
  />
)
