/** An address of a record: a link where `WebLink` accepts it, otherwise a text with a remark. */
import * as WebLink from "@attestry/core/WebLink"
import { RevealedText } from "./RevealedText.js"

/** A link that leaves the deployment. It shows its host unless it has a label. */
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
