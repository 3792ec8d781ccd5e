/** The age of the data, the requests of the page as commands, and a link to the API documentation. */
import { useSignal } from "@preact/signals"
import type { ComponentType } from "preact"
import { now } from "../shared/Clock.js"
import { base } from "../shared/Navigation.js"
import { preferences } from "../shared/Preferences.js"
import * as TimeText from "../shared/TimeText.js"
import { sent, updatedAt } from "../shared/Transport.js"
import { show } from "./Overlay.js"

/** The time since the server last answered a read. */
const DataAge = () => {
  const at = updatedAt.value
  if (at === undefined) return null
  return (
    <span class="quiet" title={TimeText.absolute(at, preferences.value.zone)}>
      updated {TimeText.relative(at, now.value)}
    </span>
  )
}

/** The requests of the page as commands, whose code is loaded when they are opened. */
const Requests = () => {
  const lines = useSignal<ComponentType | undefined>(undefined)
  const Lines = lines.value
  const count = sent.value.length
  const load = () =>
    import("./RequestLines.js").then(
      ({ RequestLines }) => {
        lines.value = RequestLines
      },
      // Opening them again tries again.
      () => {}
    )
  return (
    <details
      class="footer-requests"
      onToggle={({ currentTarget: { open } }) => {
        if (open && Lines === undefined) void load()
      }}
    >
      <summary>
        API ({count} {count === 1 ? "request" : "requests"})
      </summary>
      {Lines === undefined ? null : <Lines />}
    </details>
  )
}

/** The age of the data, the requests of the page, the keys, and the documentation of the API. */
export const Footer = () => (
  <footer class="footer">
    <DataAge />
    <Requests />
    <button type="button" class="button-plain" onClick={() => show("keys")}>
      Keys
    </button>
    <a href={`${base}/api/v2/doc/`} target="_self">
      API documentation
    </a>
  </footer>
)
