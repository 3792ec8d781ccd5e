/** Exposures as a table: artifact, environment, time and duration, and verdicts. */

import { ComponentLink } from "../component/ComponentLink.js"
import { ArtifactLink, SnapshotLink } from "../shared/AddressLinks.js"
import { now } from "../shared/Clock.js"
import type { Exposure } from "../shared/Contract.js"
import { Commit } from "../shared/Fingerprint.js"
import { preferences } from "../shared/Preferences.js"
import * as Reveal from "../shared/Reveal.js"
import { Timestamp } from "../shared/Timestamp.js"
import * as TimeText from "../shared/TimeText.js"
import { fromState, WORDS } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"
import { MITIGATED } from "./ExposureText.js"

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

/** The first asked component in the artifact, and how many more there are. */
const Components = ({ org, exposure }: { readonly org: string; readonly exposure: Exposure }) => {
  const { components = [] } = exposure
  const [first] = components
  if (first === undefined) return <span class="quiet">–</span>
  return (
    <span title={Reveal.plain(components.join("\n"))}>
      <ComponentLink org={org} purl={first} />
      {components.length > 1 ? ` and ${components.length - 1} more` : ""}
    </span>
  )
}

const Mitigated = ({ exposure: { mitigated } }: { readonly exposure: Exposure }) =>
  mitigated === true ? (
    <VerdictMark verdict="allowed" word label={MITIGATED} />
  ) : (
    <span class="quiet">–</span>
  )

/** The columns of questions about components; that of VEX only if something is mitigated. */
const componentColumns = (
  org: string,
  exposures: ReadonlyArray<Exposure>
): ReadonlyArray<Column<Exposure>> => [
  {
    name: "components",
    title: "Components",
    isFlexible: true,
    cell: (exposure) => <Components org={org} exposure={exposure} />
  },
  ...(exposures.some(({ mitigated }) => mitigated === true)
    ? [
        {
          name: "mitigated",
          title: "VEX",
          cell: (exposure: Exposure) => <Mitigated exposure={exposure} />
        }
      ]
    : [])
]

const COMMIT: Column<Exposure> = {
  name: "commit",
  title: "Commit",
  cell: ({ flow_name, git_commit }) =>
    git_commit === null ? (
      <span class="quiet">{flow_name === null ? "no provenance" : "–"}</span>
    ) : (
      <Commit value={git_commit} />
    )
}

const isAboutComponents = (exposures: ReadonlyArray<Exposure>): boolean =>
  exposures.some(({ components }) => components !== undefined)

const columnsOf = (
  org: string,
  exposures: ReadonlyArray<Exposure>
): ReadonlyArray<Column<Exposure>> => [
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
  ...(isAboutComponents(exposures) ? componentColumns(org, exposures) : []),
  { name: "from", title: "From", cell: ({ from }) => <Timestamp seconds={from} /> },
  { name: "length", title: "For", cell: (exposure) => <Length exposure={exposure} /> },
  {
    name: "judged",
    title: "Not compliant",
    isNumber: true,
    cell: (exposure) => <NotCompliant exposure={exposure} />
  },
  // WHY not beside components: the table would be too wide, and the page of the artifact has its commit.
  ...(isAboutComponents(exposures) ? [] : [COMMIT])
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
    columns={columnsOf(org, exposures)}
    rows={exposures}
    keyOf={({ environment, fingerprint, first_index, name }) =>
      [environment, first_index, fingerprint, name].join(" ")
    }
    rowHeight={preferences.value.density === "compact" ? 28 : 36}
  />
)
