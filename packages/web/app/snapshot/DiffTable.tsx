/** Pairs of rows as a table: left side, right side, and their differences. */
import type { ShortRow } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import { preferences } from "../shared/Preferences.js"
import * as Reveal from "../shared/Reveal.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"
import { flowOf, verdictOf } from "./RowFilter.js"
import type { Pair, PairKind } from "./SnapshotPairs.js"

const NAME_MAX = 40

const Half = ({ org, row }: { readonly org: string; readonly row: ShortRow | undefined }) => {
  if (row === undefined) return <span class="quiet">–</span>
  const { fingerprint, flow_name, git_commit } = row
  const name = (
    <span title={Reveal.plain(row.name)}>
      <RevealedText text={Shorten.artifact(row.name, NAME_MAX)} />
    </span>
  )
  return (
    <span class="half">
      <VerdictMark verdict={verdictOf(row)} />{" "}
      {fingerprint === "" ? (
        name
      ) : (
        <a href={Navigation.href("Artifact", { org, fingerprint })}>{name}</a>
      )}{" "}
      <code
        class="quiet"
        title={fingerprint === "" ? "the runtime reported no digest" : fingerprint}
      >
        {fingerprint === "" ? "unknown" : Shorten.fingerprint(fingerprint)}
      </code>{" "}
      <span class="quiet">
        {flow_name === null
          ? flowOf(row)
          : git_commit === null
            ? ""
            : `commit ${Shorten.commit(git_commit)}`}
      </span>
    </span>
  )
}

const WORDS: { readonly [kind in PairKind]: string } = {
  version: "",
  scaled: "",
  started: "only right",
  stopped: "only left",
  same: "same"
}

/** The differences of a pair: instance counts, then the flow and the slot. */
const Difference = ({ pair: { kind, left, right } }: { readonly pair: Pair }) => {
  const row = right ?? left
  const isCounted = left !== undefined && right !== undefined && left.instances !== right.instances
  return (
    <>
      {isCounted ? `× ${left.instances} → ${right.instances} ` : ""}
      {WORDS[kind]}
      {row?.flow_name == null || kind === "same" ? null : (
        <span class="quiet">
          {WORDS[kind] === "" ? "" : " · "}
          <RevealedText text={row.flow_name} /> ›{" "}
          <RevealedText text={row.template_reference_name ?? ""} />
        </span>
      )}
    </>
  )
}

const columnsOf = (org: string): ReadonlyArray<Column<Pair>> => [
  { name: "left", title: "Left", cell: ({ left }) => <Half org={org} row={left} /> },
  { name: "right", title: "Right", cell: ({ right }) => <Half org={org} row={right} /> },
  { name: "difference", title: "Difference", cell: (pair) => <Difference pair={pair} /> }
]

export const DiffTable = ({
  org,
  pairs
}: {
  readonly org: string
  readonly pairs: ReadonlyArray<Pair>
}) => (
  <VirtualTable
    caption="Differences"
    columns={columnsOf(org)}
    rows={pairs}
    keyOf={({ key }) => key}
    rowHeight={preferences.value.density === "compact" ? 28 : 36}
  />
)
