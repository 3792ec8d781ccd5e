/**
 * The text of a policy with line numbers, the number of each rule at its first line, and the number of rows that fail
 * it.
 */
import { RevealedText } from "../shared/RevealedText.js"
import type { RuleLine } from "./PolicyWorkerMessages.js"

const RuleMark = ({
  rule,
  failing
}: {
  readonly rule: RuleLine
  readonly failing: number | undefined
}) => (
  <span class={failing === undefined || failing === 0 ? "rule-mark" : "rule-mark rule-mark-bad"}>
    rule {rule.number}
    {failing === undefined || failing === 0 ? "" : ` ✕ ${failing}`}
    {failing === undefined || failing === 0 ? null : (
      <span class="visually-hidden"> rows fail it</span>
    )}
  </span>
)

/** `failing` has the number of failing rows by rule index. */
export const PolicyText = ({
  text,
  rules,
  failing
}: {
  readonly text: string
  readonly rules: ReadonlyArray<RuleLine>
  readonly failing?: ReadonlyMap<number, number>
}) => {
  const demanded = rules.filter(({ isDemanded }) => isDemanded)
  const byLine = new Map(demanded.map((rule) => [rule.line, rule]))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls sideways is reached by the keyboard.
    <section class="source" tabIndex={0} aria-label="Text of the policy">
      <table class="source-table">
        <tbody>
          {text
            .replace(/\n$/, "")
            .split("\n")
            .map((line, at) => {
              const rule = byLine.get(at + 1)
              return (
                <tr key={at}>
                  <td class="source-number">{at + 1}</td>
                  <td class="source-rule">
                    {rule === undefined ? null : (
                      <RuleMark rule={rule} failing={failing?.get(rule.index)} />
                    )}
                  </td>
                  <td class="source-text">
                    <RevealedText text={line} />
                  </td>
                </tr>
              )
            })}
        </tbody>
      </table>
    </section>
  )
}
