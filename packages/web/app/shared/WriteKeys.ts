/** The idempotency keys of a form: a double click or a repeated attempt has the key of the first. */
import type { ApiProblem } from "./ApiProblem.js"

/** The keys of one form: the same key for the same content, until an answer settles it. */
export interface WriteKeys {
  readonly keyFor: (content: string) => string
  readonly settle: () => void
}

/** Makes the keys of a form from fresh ids. */
export const makeKeys = (fresh: () => string): WriteKeys => {
  let current: { readonly content: string; readonly key: string } | undefined
  return {
    keyFor: (content) => {
      if (current?.content !== content) current = { content, key: fresh() }
      return current.key
    },
    settle: () => {
      current = undefined
    }
  }
}

/** Whether a write may have reached the store although it failed: the next attempt keeps its key. */
export const isUnsettled = ({ kind }: ApiProblem): boolean =>
  kind === "offline" || kind === "busy" || kind === "broken" || kind === "signed-out"
