/** The rows of a snapshot as a table of any length. */
import * as Route from "@attestry/web/Route"
import { now } from "../shared/Clock.js"
import type { ShortRow } from "../shared/Contract.js"
import { Countdown } from "../shared/Countdown.js"
import { Fingerprint } from "../shared/Fingerprint.js"
import * as Navigation from "../shared/Navigation.js"
import { preferences } from "../shared/Preferences.js"
import * as Reveal from "../shared/Reveal.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import * as TimeText from "../shared/TimeText.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"
import { changeText } from "./ChangeText.js"
import * as RowFilter from "./RowFilter.js"

/** Longer names are cut in the middle, so that the tag stays visible. */
const NAME_MAX = 48

/** How long a row has been running, or ran until the snapshot; the oldest instance counts. */
const Running = ({ row }: { readonly row: ShortRow }) => {
  if (row.started_at === null) return <span class="quiet">–</span>
  const atMs = row.started_at * 1_000
  return (
    <time
      dateTime={new Date(atMs).toISOString()}
      title={`since ${TimeText.absolute(atMs, preferences.value.zone)}`}
    >
      {row.annotation.type === "exited" ? (
        <span class="quiet">exited</span>
      ) : (
        TimeText.duration(now.value - atMs)
      )}
    </time>
  )
}

const Provenance = ({ org, row }: { readonly org: string; readonly row: ShortRow }) =>
  row.flow_name === null ? (
    <span class="quiet">
      {RowFilter.flowOf(row)}
      {row.is_allowed ? ", allowed" : ""}
    </span>
  ) : (
    <>
      <a href={Navigation.href("Flow", { org, flow: row.flow_name })}>
        <RevealedText text={Shorten.middle(row.flow_name, 24)} />
      </a>
      {row.trail_name === null ? null : (
        <>
          {" › "}
          <a
            href={Navigation.href("Trail", { org, flow: row.flow_name, trail: row.trail_name })}
            title={Reveal.plain(row.trail_name)}
          >
            <RevealedText
              text={
                /^[0-9a-f]{40}$/.test(row.trail_name)
                  ? Shorten.commit(row.trail_name)
                  : Shorten.middle(row.trail_name, 20)
              }
            />
          </a>
        </>
      )}
    </>
  )

export const Change = ({ annotation }: Pick<ShortRow, "annotation">) => {
  const change = changeText(annotation)
  if (change === undefined) return null
  return (
    <span class={change.isBad ? "change change-bad" : "change"}>
      <span aria-hidden="true" class="change-sign">
        {change.sign}
      </span>
      {change.text}
    </span>
  )
}

const heading = (sort: string | undefined, column: string, title: string) => {
  const order = RowFilter.orderOf(sort)
  const isSorted = order.column === column
  const arrow = isSorted ? (order.isReversed ? " ↑" : " ↓") : ""
  return {
    name: column,
    sorted: isSorted ? (order.isReversed ? "descending" : "ascending") : undefined,
    title: (
      <button
        type="button"
        class="sort"
        onClick={() => Navigation.setQuery({ sort: RowFilter.nextSort(sort, column) })}
      >
        {title}
        <span aria-hidden="true">{arrow}</span>
      </button>
    )
  } as const
}

/** The verdict of a row, with a mark for a warning and for a waiver. */
const Verdict = ({ row }: { readonly row: ShortRow }) => (
  <>
    <VerdictMark verdict={RowFilter.verdictOf(row)} />
    {row.warning === undefined ? null : (
      <span class="warning-mark" title="A policy on trial says no">
        warned
      </span>
    )}
    {row.is_waived === true ? (
      <span class="warning-mark" title="A waiver accepts a failing rule">
        waived
      </span>
    ) : null}
  </>
)

const endColumn = (sort: string | undefined): Column<ShortRow> => ({
  ...heading(sort, "expires", "Expires"),
  label: "",
  cell: ({ expires_at }) =>
    expires_at === undefined ? null : <Countdown seconds={expires_at} event="expires" />
})

const columnsOf = (
  org: string,
  route: Route.Route,
  { hasEnds, isLogical }: { readonly hasEnds: boolean; readonly isLogical: boolean }
): ReadonlyArray<Column<ShortRow>> => {
  const sort = Route.parameter(route, "sort")
  return [
    {
      ...heading(sort, "verdict", "Verdict"),
      cell: (row) => <Verdict row={row} />
    },
    {
      ...heading(sort, "name", "Artifact"),
      isHeader: true,
      cell: (row) => (
        <a
          href={Navigation.hrefOf(Route.withQuery(route, { row: RowFilter.keyOf(row) }))}
          title={Reveal.plain(row.name)}
        >
          <RevealedText text={Shorten.artifact(row.name, NAME_MAX)} />
        </a>
      )
    },
    {
      name: "fingerprint",
      title: "Fingerprint",
      cell: ({ fingerprint }) =>
        fingerprint === "" ? (
          <span class="quiet">unknown</span>
        ) : (
          <Fingerprint value={fingerprint} />
        )
    },
    {
      ...heading(sort, "instances", "×"),
      label: "×",
      isNumber: true,
      cell: ({ instances }) => Shorten.count(instances)
    },
    {
      ...heading(sort, "started", "Running"),
      label: "Running",
      cell: (row) => <Running row={row} />
    },
    {
      ...heading(sort, "flow", "Flow › trail"),
      label: "Flow › trail",
      isFlexible: true,
      cell: (row) => <Provenance org={org} row={row} />
    },
    ...(isLogical
      ? [
          {
            name: "member",
            title: "Member",
            cell: ({ environment = "" }: ShortRow) => (
              <a href={Navigation.href("Environment", { org, environment })}>
                <RevealedText text={environment} />
              </a>
            )
          }
        ]
      : []),
    ...(hasEnds ? [endColumn(sort)] : []),
    {
      ...heading(sort, "change", "Change"),
      cell: (row) => <Change annotation={row.annotation} />
    }
  ]
}

export const SnapshotRows = ({
  org,
  route,
  rows,
  isLogical
}: {
  readonly org: string
  readonly route: Route.Route
  readonly rows: ReadonlyArray<ShortRow>
  readonly isLogical: boolean
}) => (
  <VirtualTable
    caption="Rows of the snapshot"
    columns={columnsOf(org, route, {
      isLogical,
      hasEnds: rows.some(({ expires_at }) => expires_at !== undefined)
    })}
    rows={rows}
    keyOf={RowFilter.keyOf}
    rowHeight={preferences.value.density === "compact" ? 28 : 36}
    selected={Route.parameter(route, "row")}
    onOpen={(row) => Navigation.setQuery({ row: RowFilter.keyOf(row) })}
  />
)
