/** A time: relative while it is recent, absolute afterwards. The tooltip has the other form and UTC. */
import { now } from "./Clock.js"
import { preferences } from "./Preferences.js"
import * as TimeText from "./TimeText.js"

/** `at` is in epoch seconds, as in the API. */
export const Timestamp = ({
  seconds,
  always
}: {
  readonly seconds: number
  /** Audit lists only show absolute times. */
  readonly always?: "absolute"
}) => {
  const atMs = seconds * 1_000
  const { zone } = preferences.value
  const { text, title } = TimeText.timeText(atMs, now.value, zone)
  const isValid = Number.isFinite(atMs) && Math.abs(atMs) <= 8.64e15
  return (
    <time
      dateTime={isValid ? new Date(atMs).toISOString() : undefined}
      title={title}
      data-absolute={TimeText.absolute(atMs, zone)}
    >
      {always === "absolute" ? TimeText.absolute(atMs, zone) : text}
    </time>
  )
}
