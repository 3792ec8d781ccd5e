/** A message of the server; names between backticks are shown as code. */
import { RevealedText } from "./RevealedText.js"

export const CodedText = ({ text }: { readonly text: string }) => (
  <>
    {text.split("`").map((part, position) =>
      position % 2 === 0 ? (
        <RevealedText key={position} text={part} />
      ) : (
        <code key={position}>
          <RevealedText text={part} />
        </code>
      )
    )}
  </>
)
