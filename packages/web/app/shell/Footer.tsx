/** The age of the data, the requests of the page as commands, and a link to the API documentation. */
import { now } from "../shared/Clock.js"
import { CopyButton } from "../shared/CopyButton.js"
import { base } from "../shared/Navigation.js"
import { preferences } from "../shared/Preferences.js"
import * as TimeText from "../shared/TimeText.js"
import { sent, updatedAt } from "../shared/Transport.js"
import { curlLine } from "./CurlLine.js"
import { show } from "./Overlay.js"
import { readLine } from "./ReadLine.js"

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

const RequestLine = ({ line }: { readonly line: string }) => (
  <div>
    <CopyButton text={line} what="command" />
    <code>{line}</code>
  </div>
)

/** A request without an `attestry` command is shown as `curl`. */
export const Footer = () => {
  const requests = sent.value
  const origin = `${location.origin}${base}`
  return (
    <footer class="footer">
      <DataAge />
      <details class="footer-requests">
        <summary>
          API ({requests.length} {requests.length === 1 ? "request" : "requests"})
        </summary>
        <ul>
          {requests.map((request, index) => (
            <li key={index}>
              <RequestLine line={readLine(request, origin) ?? curlLine(request, origin)} />
              <span class="quiet">
                {request.status === 0 ? "no answer" : request.status} · {request.tookMs} ms
              </span>
            </li>
          ))}
        </ul>
      </details>
      <button type="button" class="button-plain" onClick={() => show("keys")}>
        Keys
      </button>
      <a href={`${base}/api/v2/doc/`} target="_self">
        API documentation
      </a>
    </footer>
  )
}
