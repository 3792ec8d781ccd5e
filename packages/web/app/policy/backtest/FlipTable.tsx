/** The flips as a table, with the reasons of the selected one. */
import { SnapshotLink } from "../../shared/AddressLinks.js"
import type { BacktestFlip } from "../../shared/Contract.js"
import { Fingerprint } from "../../shared/Fingerprint.js"
import * as Navigation from "../../shared/Navigation.js"
import { preferences } from "../../shared/Preferences.js"
import * as Reveal from "../../shared/Reveal.js"
import { RevealedText } from "../../shared/RevealedText.js"
import * as Shorten from "../../shared/Shorten.js"
import { Timestamp } from "../../shared/Timestamp.js"
import * as TimeText from "../../shared/TimeText.js"
import { fromState } from "../../shared/Verdict.js"
import { VerdictMark } from "../../shared/VerdictMark.js"
import { type Column, VirtualTable } from "../../shared/VirtualTable.js"
import { keyOf } from "./FlipLanes.js"

const select = (flip: BacktestFlip) => Navigation.setQuery({ flip: keyOf(flip) }, { replace: true })

const reasonOf = ({ reasons = [] }: BacktestFlip): string => {
  const [first] = reasons
  if (first === undefined) return ""
  return reasons.length === 1
    ? first.description
    : `${first.description} (and ${reasons.length - 1} more)`
}

/** How long the verdict would have differed, with the end in the tooltip. */
const Length = ({ flip, horizon }: { readonly flip: BacktestFlip; readonly horizon: number }) => {
  const length = TimeText.duration(((flip.to ?? horizon) - flip.from) * 1_000)
  return flip.to === null ? (
    <span>{length}, still</span>
  ) : (
    <span title={`until ${TimeText.absolute(flip.to * 1_000, preferences.value.zone)}`}>
      {length}
    </span>
  )
}

const columnsOf = (horizon: number): ReadonlyArray<Column<BacktestFlip>> => [
  {
    name: "verdicts",
    title: "Was → would be",
    cell: ({ was, would_be }) => (
      <span class="flip-verdicts">
        <VerdictMark verdict={fromState(was)} /> →{" "}
        <VerdictMark verdict={fromState(would_be)} word />
      </span>
    )
  },
  {
    name: "artifact",
    title: "Artifact",
    isHeader: true,
    cell: (flip) => (
      <button
        type="button"
        class="link-button"
        title={Reveal.plain(flip.name)}
        onClick={() => select(flip)}
      >
        <RevealedText text={Shorten.artifact(flip.name, 28)} />
      </button>
    )
  },
  {
    name: "environment",
    isFlexible: true,
    title: "Environment",
    cell: ({ environment, member }) => (
      <RevealedText text={member === undefined ? environment : `${environment} / ${member}`} />
    )
  },
  { name: "from", title: "From", cell: ({ from }) => <Timestamp seconds={from} /> },
  {
    name: "length",
    title: "For",
    cell: (flip) => <Length flip={flip} horizon={horizon} />
  },
  {
    name: "reason",
    isFlexible: true,
    title: "Why",
    cell: (flip) => (
      <span title={Reveal.plain(reasonOf(flip))}>
        <RevealedText text={reasonOf(flip)} />
      </span>
    )
  }
]

const Detail = ({ org, flip }: { readonly org: string; readonly flip: BacktestFlip }) => {
  const { environment, fingerprint, first_index, last_index, member, name, to } = flip
  const { reasons = [] } = flip
  return (
    <section class="row-detail" aria-label={`Reasons for ${Reveal.plain(name)}`}>
      <div class="row-detail-head">
        <strong>
          <RevealedText text={name} />
        </strong>
        <button
          type="button"
          class="button"
          onClick={() => Navigation.setQuery({ flip: undefined }, { replace: true })}
        >
          Close
        </button>
      </div>
      <p>
        <Fingerprint value={fingerprint} />{" "}
        {member === undefined ? null : (
          <>
            {"in "}
            <a href={Navigation.href("Environment", { org, environment: member })}>
              <RevealedText text={member} />
            </a>
            {", "}
          </>
        )}
        <SnapshotLink org={org} environment={environment} index={first_index} />
        {to === null ? (
          " until now"
        ) : first_index === last_index ? null : (
          <>
            {" to "}
            <SnapshotLink org={org} environment={environment} index={last_index} />
          </>
        )}
        {" · "}
        <a href={Navigation.href("Artifact", { org, fingerprint })}>Open artifact</a>
      </p>
      {reasons.length === 0 ? (
        <p class="quiet">The candidate asks nothing that it fails.</p>
      ) : (
        <ul class="reason-list">
          {reasons.map(({ description }, at) => (
            <li key={at}>
              <RevealedText text={description} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** The table, with the selected flip above it. */
export const FlipTable = ({
  org,
  flips,
  horizon,
  selected
}: {
  readonly org: string
  readonly flips: ReadonlyArray<BacktestFlip>
  readonly horizon: number
  readonly selected: string | undefined
}) => {
  const flip = flips.find((each) => keyOf(each) === selected)
  return (
    <>
      {flip === undefined ? null : <Detail org={org} flip={flip} />}
      <VirtualTable
        caption="Flips"
        columns={columnsOf(horizon)}
        rows={flips}
        keyOf={keyOf}
        rowHeight={preferences.value.density === "compact" ? 28 : 36}
        selected={selected}
        onOpen={select}
      />
    </>
  )
}
