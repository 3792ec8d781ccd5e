/** A link to the page of a component. */
import * as Navigation from "../shared/Navigation.js"
import * as Reveal from "../shared/Reveal.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { short } from "./PackageUrl.js"

/** `text` is shown; by default the package URL without its scheme. */
export const ComponentLink = ({
  org,
  purl,
  text = short(purl)
}: {
  readonly org: string
  readonly purl: string
  readonly text?: string
}) => (
  <a href={Navigation.href("Component", { org, purl })} title={Reveal.plain(purl)}>
    <RevealedText text={Shorten.middle(text, 48)} />
  </a>
)
