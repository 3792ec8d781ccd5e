/** A name of any characters: kept apart from the text around it, with hidden characters shown by their names. */
import { partsOf } from "./Reveal.js"

/** The text of a record. */
export const RevealedText = ({ text }: { readonly text: string }) => (
  <bdi>
    {partsOf(text).map((part, index) =>
      part.isRevealed ? (
        <span class="revealed" key={index}>
          {part.text}
        </span>
      ) : (
        part.text
      )
    )}
  </bdi>
)
