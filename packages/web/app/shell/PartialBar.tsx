/** Says that the pages leave out what is not in the spaces of the person: by the roles alone, never by what was cut. */

import * as Session from "../session/Session.js"
import { RevealedText } from "../shared/RevealedText.js"

/** The most spaces that are named. */
const NAMED_MAX = 5

/** Nothing is shown to a person who reads the whole org. */
export const PartialBar = ({ org }: { readonly org: string | undefined }) => {
  const own = Session.current()?.orgs.find(({ name }) => name === org)
  if (own === undefined || own.role !== "none") return null
  const spaces = [...new Set((own.spaces ?? []).map(({ space }) => space))]
  if (spaces.includes("/")) return null
  const more = spaces.length - NAMED_MAX
  return (
    <p class="partial-bar" role="note">
      {spaces.length === 0 ? (
        "You have no role in a space of this org yet: an administrator gives you one."
      ) : (
        <>
          You see what is in <RevealedText text={spaces.slice(0, NAMED_MAX).join(", ")} />
          {more > 0 ? ` and ${more} more` : ""}. Lists and totals leave out the rest; verdicts do
          not.
        </>
      )}
    </p>
  )
}
