/** The periods of a timeline as a table, for screen readers and for printing. */
import type { Timeline } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import { preferences } from "../shared/Preferences.js"
import * as TimeText from "../shared/TimeText.js"
import { WORDS } from "../shared/Verdict.js"
import { runsOf } from "./TimelineLayout.js"

const SnapshotLink = ({
  org,
  environment,
  index
}: {
  readonly org: string
  readonly environment: string
  readonly index: number
}) => (
  // WHY no tab stop: an invisible link must not take the focus; the slider reaches every snapshot.
  <a
    tabIndex={-1}
    href={Navigation.href("Snapshot", { org, environment, expression: String(index) })}
  >
    {index}
  </a>
)

export const TimelineTable = ({
  org,
  environment,
  timeline
}: {
  readonly org: string
  readonly environment: string
  readonly timeline: Timeline
}) => {
  const { zone } = preferences.value
  const time = (seconds: number) => TimeText.absolute(seconds * 1_000, zone)
  return (
    <div class="timeline-table">
      <table class="table">
        <caption>Verdicts over time</caption>
        <thead>
          <tr>
            {["From", "To", "Verdict", "First snapshot", "Last snapshot"].map((title) => (
              <th key={title} scope="col" class="cell">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {runsOf(timeline).map(({ from, to, verdict, firstIndex, lastIndex }) => (
            <tr key={from}>
              <td class="cell">{time(from)}</td>
              <td class="cell">{time(to)}</td>
              <td class="cell">{WORDS[verdict]}</td>
              <td class="cell">
                <SnapshotLink org={org} environment={environment} index={firstIndex} />
              </td>
              <td class="cell">
                <SnapshotLink org={org} environment={environment} index={lastIndex} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
