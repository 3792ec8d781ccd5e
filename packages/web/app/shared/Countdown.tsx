/** An instant to come, as the time until then: `expires in 3 d 4 h`. Within a week it has a border. */
import { now } from "./Clock.js"
import { preferences } from "./Preferences.js"
import * as TimeText from "./TimeText.js"

/** `seconds` is in epoch seconds, as in the API. The tooltip has the instant. */
export const Countdown = ({
  seconds,
  event
}: {
  readonly seconds: number
  readonly event: TimeText.Event
}) => {
  const atMs = seconds * 1_000
  const { text, isSoon } = TimeText.countdown(atMs, now.value, event)
  return (
    <time
      class={isSoon ? "countdown countdown-soon" : "countdown"}
      dateTime={new Date(atMs).toISOString()}
      title={TimeText.instant(atMs, preferences.value.zone)}
    >
      {text}
    </time>
  )
}
