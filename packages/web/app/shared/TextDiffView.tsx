/** A diff as one list of lines. A sign and a word mark each change, so that colour is not needed. */
import { RevealedText } from "./RevealedText.js"
import type { DiffLine, TextDiff } from "./TextDiff.js"

const SIGNS = { same: "", added: "+", removed: "−" } as const
const WORDS = { same: "", added: "added: ", removed: "removed: " } as const

const Line = ({ line }: { readonly line: DiffLine }) => (
  <tr class={`diff-${line.kind}`}>
    <td class="diff-number">{line.left}</td>
    <td class="diff-number">{line.right}</td>
    <td class="diff-sign" aria-hidden="true">
      {SIGNS[line.kind]}
    </td>
    <td class="diff-text">
      <span class="visually-hidden">{WORDS[line.kind]}</span>
      <RevealedText text={line.text} />
    </td>
  </tr>
)

const Skipped = ({ count }: { readonly count: number }) =>
  count === 0 ? null : (
    <tr class="diff-skipped">
      <td colSpan={4}>
        {count} equal {count === 1 ? "line" : "lines"}
      </td>
    </tr>
  )

/** `caption` names both sides. */
export const TextDiffView = ({
  diff,
  caption
}: {
  readonly diff: TextDiff
  readonly caption: string
}) =>
  diff.hunks.length === 0 ? (
    <p class="quiet">No differences.</p>
  ) : (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls sideways is reached by the keyboard.
    <section class="diff" tabIndex={0} aria-label={caption}>
      <table class="diff-table">
        <caption class="visually-hidden">{caption}</caption>
        <tbody>
          {diff.hunks.flatMap(({ lines, skipped }, hunk) => [
            <Skipped key={`skipped-${hunk}`} count={skipped} />,
            ...lines.map((line, at) => <Line key={`${hunk}-${at}`} line={line} />)
          ])}
          <Skipped count={diff.rest} />
        </tbody>
      </table>
    </section>
  )
