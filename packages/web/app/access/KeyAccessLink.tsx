/** A link to what a key may do. */
import * as Navigation from "../shared/Navigation.js"
import * as Reveal from "../shared/Reveal.js"
import { ofKey } from "./WhoQuestion.js"

/** A link to what a key may do in an org; nothing without an org in which it counts. */
export const KeyAccessLink = ({
  org,
  id,
  name
}: {
  readonly org: string | undefined
  readonly id: string
  readonly name: string
}) =>
  org === undefined ? null : (
    <a
      href={Navigation.hrefOf(ofKey(org, id))}
      aria-label={`What may this key do: ${Reveal.plain(name)}`}
    >
      What may this key do
    </a>
  )
