/** The end of something as a countdown: `ends in 2 days`, `ended 3 hours ago`; the tooltip has the time. */
import { now } from "./Clock.js"
import { preferences } from "./Preferences.js"
import * as TimeText from "./TimeText.js"

/** `seconds` is in epoch seconds; without it there is no end. */
export const Ending = ({ seconds }: { readonly seconds: number | undefined }) => {
  if (seconds === undefined) return <span class="quiet">no end</span>
  const atMs = seconds * 1_000
  return (
    <time
      class={atMs > now.value ? "ending" : "ending ending-past"}
      dateTime={new Date(atMs).toISOString()}
      title={TimeText.absolute(atMs, preferences.value.zone)}
    >
      {TimeText.ending(atMs, now.value)}
    </time>
  )
}
