/** The policy worker's remarks about a text without problems; empty until it has answered, and without a text. */
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { policyWorker } from "./PolicyWorker.js"
import type { TextProblem } from "./PolicyWorkerMessages.js"

/** WHY here: an effect must not run again for a list that is empty anew. */
const NONE: ReadonlyArray<TextProblem> = []

/** The remarks about a text; those of another text are not shown. */
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
      // WHY silent: remarks help, and a text is evaluated without them.
      () => undefined
    )
    return () => {
      isWanted = false
    }
  }, [text, found])
  return text !== undefined && found.value?.text === text ? found.value.remarks : NONE
}
