/** The idempotency keys of a form: a double click or a repeated attempt reuses the first key. */
import type { ApiProblem } from "./ApiProblem.js"

/** The same content gets the same key, until an answer settles the write. */
export interface WriteKeys {
  readonly keyFor: (content: string) => string
  readonly settle: () => void
}

/** `fresh` generates ids. */
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

/** Whether a failed write may have reached the store; the next attempt then reuses its key. */
export const isUnsettled = ({ kind }: ApiProblem): boolean =>
  kind === "offline" || kind === "busy" || kind === "broken" || kind === "signed-out"
