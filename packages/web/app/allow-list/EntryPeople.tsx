/** The people of an entry: its creator, and its owner if that is another. */
import { RevealedText } from "../shared/RevealedText.js"

export const EntryPeople = ({
  creator,
  owner
}: {
  readonly creator: string
  readonly owner: string | undefined
}) => (
  <span>
    <RevealedText text={creator} />
    {owner === undefined || owner === creator ? null : (
      <>
        {" for "}
        <RevealedText text={owner} />
      </>
    )}
  </span>
)
