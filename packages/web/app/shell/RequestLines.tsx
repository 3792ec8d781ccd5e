/** The requests of the page as commands, each to copy. A request without an `attestry` command is shown as `curl`. */
import { CopyButton } from "../shared/CopyButton.js"
import { base } from "../shared/Navigation.js"
import { sent } from "../shared/Transport.js"
import { curlLine } from "./CurlLine.js"
import { readLine } from "./ReadLine.js"

const RequestLine = ({ line }: { readonly line: string }) => (
  <div>
    <CopyButton text={line} what="command" />
    <code>{line}</code>
  </div>
)

export const RequestLines = () => {
  const origin = `${location.origin}${base}`
  return (
    <ul>
      {sent.value.map((request, index) => (
        <li key={index}>
          <RequestLine line={readLine(request, origin) ?? curlLine(request, origin)} />
          <span class="quiet">
            {request.status === 0 ? "no answer" : request.status} · {request.tookMs} ms
          </span>
        </li>
      ))}
    </ul>
  )
}
