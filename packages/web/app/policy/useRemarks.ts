/**
 * The policy worker's remarks about a text without problems. Empty until the worker has answered, and without a text.
 */
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { policyWorker } from "./PolicyWorker.js"
import type { TextProblem } from "./PolicyWorkerMessages.js"

/** WHY a constant: a new empty list would run effects again. */
const NONE: ReadonlyArray<TextProblem> = []

/** The remarks about a text; never those about another text. */
export const useRemarks = (text: string | undefined): ReadonlyArray<TextProblem> => {
  const found = useSignal<
    { readonly text: string; readonly remarks: ReadonlyArray<TextProblem> } | undefined
  >(undefined)
  useEffect(() => {
    if (text === undefined) return
    let isWanted = true
    policyWorker.ask("lint", { text }).then(
      (remarks) => {
        if (isWanted) found.value = { text, remarks }
      },
      // WHY ignored: remarks are optional.
      () => undefined
    )
    return () => {
      isWanted = false
    }
  }, [text, found])
  return text !== undefined && found.value?.text === text ? found.value.remarks : NONE
}
