/** Columns of tables of components: how many artifacts contain each, and where these run. */
import { WhereLink } from "../exposure/WhereLink.js"
import type { Component } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import * as Reveal from "../shared/Reveal.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import type { Column } from "../shared/VirtualTable.js"
import { short } from "./PackageUrl.js"

const SHOWN_MAX = 3

/** The first environments with links, and how many more there are. */
export const RunsIn = ({
  org,
  environments
}: {
  readonly org: string
  readonly environments: ReadonlyArray<string>
}) => {
  if (environments.length === 0) return <span class="quiet">–</span>
  const more = environments.length - SHOWN_MAX
  return (
    <span title={Reveal.plain(environments.join(", "))}>
      {environments.slice(0, SHOWN_MAX).map((environment, at) => (
        <span key={environment}>
          {at === 0 ? "" : ", "}
          <a href={Navigation.href("Environment", { org, environment })}>
            <RevealedText text={environment} />
          </a>
        </span>
      ))}
      {more > 0 ? ` and ${Shorten.count(more)} more` : ""}
    </span>
  )
}

/** The columns that every table of components ends with. */
export const usageColumns = (org: string): ReadonlyArray<Column<Component>> => [
  {
    name: "artifacts",
    title: "Artifacts",
    isNumber: true,
    cell: ({ artifacts }) => Shorten.count(artifacts)
  },
  {
    name: "running",
    title: "Runs in",
    isFlexible: true,
    cell: ({ running_in }) => <RunsIn org={org} environments={running_in} />
  },
  {
    name: "where",
    title: <span class="visually-hidden">Where it ran</span>,
    cell: ({ purl }) => (
      <WhereLink org={org} subject={{ name: "purl", value: purl }} what={short(purl)} />
    )
  }
]
