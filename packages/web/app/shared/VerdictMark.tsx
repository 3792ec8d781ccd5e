/** The mark of a verdict or a status: a shape and a word, and colour in addition. */
import type { ComponentChildren } from "preact"
import { type Verdict, WORDS } from "./Verdict.js"

const CHECK = "M4.6 8.2 7 10.6l4.4-5"
const CROSS = "M5.6 5.6l4.8 4.8M10.4 5.6l-4.8 4.8"

const GLYPHS: { readonly [verdict in Verdict]: ComponentChildren } = {
  compliant: (
    <>
      <circle class="fill" cx="8" cy="8" r="7" />
      <path class="on-fill" d={CHECK} />
    </>
  ),
  "non-compliant": (
    <>
      <path class="fill" d="M8 .4 15.6 8 8 15.6.4 8z" />
      <path class="on-fill" d={CROSS} />
    </>
  ),
  unknown: (
    <>
      <circle class="line dashed" cx="8" cy="8" r="6.4" />
      <path class="line" d="M6.3 6.3a1.8 1.8 0 1 1 2.4 1.7c-.5.2-.7.5-.7 1.1M8 11.3v.1" />
    </>
  ),
  incomplete: (
    <>
      <circle class="line" cx="8" cy="8" r="6.4" />
      <path class="fill" d="M8 1.6a6.4 6.4 0 0 0 0 12.8z" />
    </>
  ),
  missing: <circle class="line" cx="8" cy="8" r="3" />,
  allowed: (
    <>
      <rect class="line" x="1.6" y="1.6" width="12.8" height="12.8" rx="1" />
      <path class="line" d={CHECK} />
    </>
  ),
  "not-applicable": <path class="line" d="M4 8h8" />
}

/** Without `word`, the word is only read aloud and in the tooltip. */
export const VerdictMark = ({
  verdict,
  word = false,
  label
}: {
  readonly verdict: Verdict
  readonly word?: boolean
  /** Replaces the word of the verdict. */
  readonly label?: string
}) => {
  const text = label ?? WORDS[verdict]
  return (
    <span class={`verdict verdict-${verdict}`} title={word ? undefined : text}>
      <svg class="verdict-glyph" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        {GLYPHS[verdict]}
      </svg>
      <span class={word ? "verdict-word" : "visually-hidden"}>{text}</span>
    </span>
  )
}
