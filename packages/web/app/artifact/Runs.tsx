/** Where an artifact ran and runs: a line for each environment. */

import { SnapshotLink } from "../shared/AddressLinks.js"
import { callOf } from "../shared/Api.js"
import { now } from "../shared/Clock.js"
import * as Damaged from "../shared/Damaged.js"
import { DamagedNote } from "../shared/DamagedNote.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { Timestamp } from "../shared/Timestamp.js"
import * as TimeText from "../shared/TimeText.js"
import { fromStatus } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { linesOf, type RunLine, snapshotsText } from "./RunLines.js"

const RUNS = 100

const Line = ({ line }: { readonly line: RunLine }) => (
  <svg class="run-line" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
    <rect class="run-track" x="0" y="3.5" width="100" height="1" />
    {line.segments.map(({ from, to, verdict, run }) => (
      <rect
        key={run.first_index}
        class={
          verdict === "compliant"
            ? "run-compliant"
            : verdict === "non-compliant"
              ? "run-non-compliant"
              : "run-unknown"
        }
        x={from * 100}
        y="1"
        width={(to - from) * 100}
        height="6"
      />
    ))}
  </svg>
)

const Entry = ({ org, line }: { readonly org: string; readonly line: RunLine }) => {
  const { newest, environment, segments } = line
  const { started_at, ended_at, first_index, last_index, verdict } = newest
  return (
    <li class="run">
      <VerdictMark verdict={fromStatus(verdict)} />
      <SnapshotLink org={org} environment={environment} index={last_index ?? first_index} />
      <Line line={line} />
      <span class="quiet">
        {ended_at === null ? (
          <>
            runs since <Timestamp seconds={started_at} />
          </>
        ) : (
          <>
            ran {TimeText.duration((ended_at - started_at) * 1_000)}, until{" "}
            <Timestamp seconds={ended_at} />
          </>
        )}
        {`, ${snapshotsText(newest)}`}
        {segments.length > 1 ? `, ${segments.length} times` : ""}
      </span>
    </li>
  )
}

/** The lines of a whole fingerprint. */
export const Runs = ({
  org,
  fingerprint
}: {
  readonly org: string
  readonly fingerprint: string
}) => {
  const params = { org, fingerprint, query: { page: 1, per_page: RUNS, sort_direction: "desc" } }
  const state = useQuery("A7", params)
  return (
    <section class="block">
      <h2>Where it ran</h2>
      <QueryView state={state} retry={() => void cache.refresh(callOf("A7", params).path)}>
        {({ runs, total_count }) => {
          const { items, damaged } = Damaged.readable(runs)
          if (runs.length === 0) return <p class="quiet">No environment has reported it.</p>
          return (
            <>
              <DamagedNote count={damaged} />
              <ul class="runs">
                {linesOf(items, now.value / 1_000).map((line) => (
                  <Entry key={line.environment} org={org} line={line} />
                ))}
              </ul>
              {total_count > runs.length ? (
                <p class="quiet">
                  The newest {runs.length} of {total_count} runs.
                </p>
              ) : null}
            </>
          )
        }}
      </QueryView>
    </section>
  )
}
