/** Text of a record: isolated from the text around it, with hidden characters shown by name. */
import { partsOf } from "./Reveal.js"

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
