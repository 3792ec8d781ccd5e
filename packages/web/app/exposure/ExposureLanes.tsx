/** Where artifacts ran and run: one lane per environment over a shared time axis. */

import { SnapshotLink } from "../shared/AddressLinks.js"
import { callOf } from "../shared/Api.js"
import { now } from "../shared/Clock.js"
import type { Exposure } from "../shared/Contract.js"
import * as Damaged from "../shared/Damaged.js"
import { DamagedNote } from "../shared/DamagedNote.js"
import * as Navigation from "../shared/Navigation.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { Timestamp } from "../shared/Timestamp.js"
import * as TimeText from "../shared/TimeText.js"
import type { Window } from "../shared/TimeWindow.js"
import { fromState } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { EVER, type ExposureLine, linesOf, snapshotsText, spanOf } from "./ExposureLines.js"
import { queryOf, routeOf, type Subject } from "./ExposureSubject.js"
import { isMitigated, MITIGATED } from "./ExposureText.js"

const EXPOSURES = 100

/** The top and height of a segment by verdict; non-compliant is the tallest, as on the timeline. */
const BANDS = {
  "run-compliant": [2.4, 3.2],
  "run-non-compliant": [0, 8],
  "run-unknown": [2.4, 3.2]
} as const

const bandOf = (verdict: string): keyof typeof BANDS =>
  verdict === "compliant"
    ? "run-compliant"
    : verdict === "non-compliant"
      ? "run-non-compliant"
      : "run-unknown"

const Line = ({ line }: { readonly line: ExposureLine }) => (
  <svg class="run-line" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
    <rect class="run-track" x="0" y="3.7" width="100" height="0.6" />
    {line.segments.map(({ from, to, verdict, exposure }) => {
      const band = bandOf(verdict)
      const [y, height] = BANDS[band]
      return (
        <rect
          key={`${exposure.first_index} ${exposure.fingerprint} ${exposure.name}`}
          class={band}
          x={from * 100}
          y={y}
          width={(to - from) * 100}
          height={height}
        />
      )
    })}
  </svg>
)

const timesText = ({ artifacts, newest, segments }: ExposureLine): string => {
  const times = segments.length > 1 ? `, ${segments.length} times` : ""
  return artifacts > 1 ? `, ${artifacts} artifacts${times}` : `, ${snapshotsText(newest)}${times}`
}

const Entry = ({ org, line }: { readonly org: string; readonly line: ExposureLine }) => {
  const { artifacts, environment, newest } = line
  const { from, to, first_index, last_index, compliant } = newest
  return (
    <li class="run">
      <VerdictMark verdict={fromState(compliant.at_end)} />
      <SnapshotLink org={org} environment={environment} index={last_index ?? first_index} />
      <Line line={line} />
      <span class="quiet">
        {artifacts > 1 ? <RevealedText text={`${Shorten.artifact(newest.name, 28)} `} /> : null}
        {to === null ? (
          <>
            runs since <Timestamp seconds={from} />
          </>
        ) : (
          <>
            ran {TimeText.duration((to - from) * 1_000)}, until <Timestamp seconds={to} />
          </>
        )}
        {timesText(line)}
        {isMitigated(line.segments.map(({ exposure }) => exposure)) ? `, ${MITIGATED}` : ""}
      </span>
    </li>
  )
}

/** The lanes of a time window, with the ends of its axis. */
export const ExposureLanes = ({
  org,
  exposures,
  window = EVER
}: {
  readonly org: string
  readonly exposures: ReadonlyArray<Exposure>
  readonly window?: Window
}) => {
  const { from, to, isNow } = spanOf(exposures, now.value / 1_000, window)
  return (
    <>
      <ul class="runs">
        {linesOf(exposures, now.value / 1_000, window).map((line) => (
          <Entry key={line.environment} org={org} line={line} />
        ))}
      </ul>
      <p class="run run-ends quiet">
        <span class="run-span">
          <Timestamp seconds={from} always="absolute" />
          {isNow ? <span>now</span> : <Timestamp seconds={to} always="absolute" />}
        </span>
      </p>
    </>
  )
}

/** The lanes of a subject over its whole history. */
export const WhereItRan = ({
  org,
  subject,
  none
}: {
  readonly org: string
  readonly subject: Subject
  /** The sentence for a subject that never ran. */
  readonly none: string
}) => {
  const params = { org, query: { ...queryOf(subject), page: 1, per_page: EXPOSURES } }
  const state = useQuery("exposure.list", params)
  return (
    <section class="block">
      <h2>Where it ran</h2>
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("exposure.list", params).path)}
      >
        {({ exposures, total_count }) => {
          const { items, damaged } = Damaged.readable(exposures)
          if (exposures.length === 0) return <p class="quiet">{none}</p>
          return (
            <>
              <DamagedNote count={damaged} />
              <ExposureLanes org={org} exposures={items} />
              <p class="quiet">
                {total_count > exposures.length
                  ? `The newest ${exposures.length} of ${total_count} times. `
                  : ""}
                <a href={Navigation.hrefOf(routeOf(org, subject))}>Each time by itself</a>
              </p>
            </>
          )
        }}
      </QueryView>
    </section>
  )
}
