/** Environments as a table. */
import type { Environment } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import { preferences } from "../shared/Preferences.js"
import * as ProductName from "../shared/ProductName.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Timestamp } from "../shared/Timestamp.js"
import { fromState } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"
import { DaySparkline } from "./DaySparkline.js"
import { NextChange } from "./DecaysNext.js"
import { PendingTag, Policies, Reported } from "./EnvironmentRemarks.js"
import { RowCounts } from "./RowCounts.js"

const columnsOf = (org: string): ReadonlyArray<Column<Environment>> => [
  {
    name: "verdict",
    title: "Verdict",
    cell: (environment) => (
      <>
        <VerdictMark verdict={fromState(environment.state)} word />{" "}
        <PendingTag environment={environment} /> <NextChange environment={environment} />
      </>
    )
  },
  {
    name: "name",
    title: "Environment",
    isHeader: true,
    cell: ({ name }) => (
      <a href={Navigation.href("Environment", { org, environment: name })}>
        <RevealedText text={name} />
      </a>
    )
  },
  { name: "kind", title: "Kind", cell: ({ type }) => ProductName.ofKind(type) },
  {
    name: "rows",
    title: "Running",
    cell: ({ name, latest_snapshot }) =>
      latest_snapshot ? (
        <RowCounts org={org} environment={name} latest={latest_snapshot} />
      ) : (
        <span class="quiet">–</span>
      )
  },
  {
    name: "day",
    title: "Last day",
    cell: ({ day }) =>
      day === undefined || day.length === 0 ? (
        <span class="quiet">–</span>
      ) : (
        <DaySparkline day={day} />
      )
  },
  {
    name: "policies",
    isFlexible: true,
    title: "Policies",
    cell: (environment) => <Policies org={org} environment={environment} />
  },
  {
    name: "reported",
    isFlexible: true,
    title: "Last report",
    cell: (environment) => <Reported environment={environment} />
  },
  {
    name: "changed",
    title: "Last change",
    cell: ({ last_changed_at }) =>
      last_changed_at === null ? (
        <span class="quiet">–</span>
      ) : (
        <Timestamp seconds={last_changed_at} />
      )
  }
]

export const EnvironmentTable = ({
  org,
  environments
}: {
  readonly org: string
  readonly environments: ReadonlyArray<Environment>
}) => (
  <VirtualTable
    caption="Environments"
    columns={columnsOf(org)}
    rows={environments}
    keyOf={({ name }) => name}
    rowHeight={preferences.value.density === "compact" ? 28 : 36}
    onOpen={({ name }) =>
      Navigation.go({ _tag: "Environment", params: { org, environment: name }, query: [] })
    }
  />
)
