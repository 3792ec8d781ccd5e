/** A URL from a record: a link if `WebLink` accepts it, otherwise text with a remark. */
import * as WebLink from "@attestry/core/WebLink"
import { RevealedText } from "./RevealedText.js"

/** Shows the host of the URL unless a label is given. */
export const ExternalLink = ({
  address,
  label
}: {
  readonly address: string
  readonly label?: string
}) => {
  const link = WebLink.parse(address)
  if (link === undefined)
    return (
      <span>
        <RevealedText text={address} /> <span class="quiet">(not a web address)</span>
      </span>
    )
  return (
    <a href={link.href} target="_blank" rel="noopener noreferrer" title={link.href}>
      {label === undefined ? "" : `${label} `}
      <span class={label === undefined ? "" : "quiet"}>{link.host}</span>{" "}
      <span aria-hidden="true">↗</span>
    </a>
  )
}
