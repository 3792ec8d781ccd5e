/** The requests of the page as commands, and the way to the documentation of the API. */
import { CopyButton } from "../shared/CopyButton.js"
import { base } from "../shared/Navigation.js"
import { sent } from "../shared/Transport.js"
import { curlLine } from "./CurlLine.js"
import { show } from "./Overlay.js"

/** The footer. */
export const Footer = () => {
  const requests = sent.value
  const lines = requests.map((request) => curlLine(request, `${location.origin}${base}`))
  return (
    <footer class="footer">
      <details class="footer-requests">
        <summary>
          API ({requests.length} {requests.length === 1 ? "request" : "requests"})
        </summary>
        <ul>
          {requests.map((request, index) => (
            <li key={index}>
              <CopyButton text={lines[index] ?? ""} what="command" />
              <code>{lines[index]}</code>
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
