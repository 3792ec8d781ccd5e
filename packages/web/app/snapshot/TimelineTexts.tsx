/** The texts around a timeline: the labels of the axis, and the rows at the cursor. */
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import type { Timeline } from "../shared/Contract.js"
import { preferences } from "../shared/Preferences.js"
import { useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import * as TimeText from "../shared/TimeText.js"
import { fromStatus } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import * as TimelineLayout from "./TimelineLayout.js"
import * as TimelineRange from "./TimelineRange.js"

/** The cursor must rest this long before its rows are requested. */
const REST_MS = 150
/** The space that a label needs at its right. */
const LABEL_PX = 48

const formats = {
  second: { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" },
  time: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  date: { day: "numeric", month: "short" }
} as const satisfies { readonly [unit: string]: Intl.DateTimeFormatOptions }

const offsetOf = (seconds: number): number => -new Date(seconds * 1_000).getTimezoneOffset() * 60

/** The labels of the axis, in the reader's zone or in UTC. */
export const TimelineLabels = ({
  timeline,
  width
}: {
  readonly timeline: Timeline
  readonly width: number
}) => {
  const isUtc = preferences.value.zone === "utc"
  const labels = TimelineLayout.labelsOf(timeline, width, isUtc ? 0 : offsetOf(timeline.to))
  return (
    <div class="timeline-labels" aria-hidden="true">
      {labels
        .filter(({ x }) => x >= 0 && x <= width - LABEL_PX)
        .map(({ x, seconds, unit }) => (
          <span key={seconds} style={{ insetInlineStart: `${x}px` }}>
            {new Date(seconds * 1_000).toLocaleString("en-GB", {
              ...formats[unit],
              ...(isUtc ? { timeZone: "UTC" } : {})
            })}
          </span>
        ))}
    </div>
  )
}

export const ScrubReadout = ({
  org,
  environment,
  seconds
}: {
  readonly org: string
  readonly environment: string
  readonly seconds: number
}) => {
  const expression = TimelineRange.expressionAt(seconds)
  const rested = useSignal("")
  useEffect(() => {
    const timer = setTimeout(() => {
      rested.value = expression
    }, REST_MS)
    return () => clearTimeout(timer)
  }, [expression, rested])
  const isResting = rested.value === expression
  const state = useQuery(
    "snapshot.rows",
    { org, env_name: environment, snapshot_expression: rested.value, query: { per_page: 0 } },
    { skip: rested.value === "" }
  )
  const known = isResting ? knownOf(state)?.value : undefined
  const counts = known?.artifact_compliance_count
  return (
    <p class="timeline-readout">
      as of {TimeText.absolute(seconds * 1_000, preferences.value.zone)}
      {known === undefined || counts === undefined ? null : (
        <>
          {" → "}snapshot {known.index} <VerdictMark verdict={fromStatus(known.verdict)} word />
          {`, ${counts.false + counts.null} of ${counts.true + counts.false + counts.null} not compliant`}
        </>
      )}
      {isResting && state._tag === "Failed" ? " → no snapshot yet" : null}
    </p>
  )
}
