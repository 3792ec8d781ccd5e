/** Compares a text with an earlier version: whether it accepts more, less, the same or something else. */
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { CodedText } from "../shared/CodedText.js"
import { policyWorker } from "./PolicyWorker.js"
import type { TextRelation } from "./PolicyWorkerMessages.js"

const SAYS: { readonly [R in TextRelation["relation"]]: string } = {
  equivalent: "accepts the same artifacts",
  stronger: "is stronger: it accepts less",
  weaker: "is weaker: it accepts more",
  incomparable: "accepts some artifacts more and some less",
  unknown: "cannot be compared for sure: the texts are too complex"
}

/** WHY a longer delay: a comparison costs more than parsing, and people look at it when they pause. */
const COMPARE_AFTER_MS = 600

const Example = ({ title, text }: { readonly title: string; readonly text: string | null }) =>
  text === null ? null : (
    <p class="quiet">
      {title} <CodedText text={text} />
    </p>
  )

/** The relation of a text to version `base`; renders nothing if either is missing or both are equal. */
export const Relation = ({
  old,
  text,
  base
}: {
  readonly old: string | undefined
  readonly text: string | undefined
  readonly base: number
}) => {
  const found = useSignal<{ readonly key: string; readonly is: TextRelation | null } | undefined>(
    undefined
  )
  const isAsked = old !== undefined && text !== undefined && old !== text
  const key = isAsked ? JSON.stringify([old, text]) : ""
  useEffect(() => {
    if (old === undefined || text === undefined || old === text) return
    let isWanted = true
    const timer = setTimeout(() => {
      policyWorker.ask("compare", { old, text }).then(
        (is) => {
          if (isWanted) found.value = { key, is }
        },
        // WHY ignored: a text can be saved without a comparison.
        () => undefined
      )
    }, COMPARE_AFTER_MS)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [old, text, key, found])
  const is = found.value?.key === key ? found.value.is : null
  if (!isAsked || is === null) return null
  return (
    <div class="policy-relation" role="status" aria-label="Compared with an earlier version">
      <p>
        Compared with version {base}, this text {SAYS[is.relation]}.
      </p>
      <Example title="No longer accepted:" text={is.oldOnly} />
      <Example title="Newly accepted:" text={is.newOnly} />
    </div>
  )
}
