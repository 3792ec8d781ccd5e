/** Requests the dry run of a draft, debounced. */
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { ask } from "../session/Asking.js"
import * as Session from "../session/Session.js"
import type { ApiProblem } from "../shared/ApiProblem.js"
import type { PolicyDryRun } from "../shared/Contract.js"

/** WHY: a request follows a pause in typing, not every word. */
const ASK_AFTER_MS = 600

export interface DryRun {
  readonly answer: PolicyDryRun | undefined
  readonly problem: ApiProblem | undefined
  /** The answer belongs to an earlier text, or there is none yet. */
  readonly isAsking: boolean
  readonly retry: () => void
}

/** The dry run of a body; sends nothing if it is undefined. */
export const useDryRun = (org: string, body: object | undefined): DryRun => {
  const answer = useSignal<PolicyDryRun | undefined>(undefined)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const isAsking = useSignal(false)
  const attempts = useSignal(0)
  const text = body === undefined ? undefined : JSON.stringify(body)
  useEffect(() => {
    if (body === undefined) return
    isAsking.value = true
    const ending = new AbortController()
    const timer = setTimeout(() => {
      void ask({ id: "policyLab.dryRun", params: { org }, body, signal: ending.signal }).then(
        (outcome) => {
          if (ending.signal.aborted || outcome._tag === "Aborted") return
          isAsking.value = false
          problem.value = outcome._tag === "Refused" ? outcome.problem : undefined
          // WHY: the contract types the answer of this operation.
          answer.value = outcome._tag === "Answered" ? (outcome.value as PolicyDryRun) : undefined
        }
      )
    }, ASK_AFTER_MS)
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
    // WHY the text: it changes exactly when the body does.
  }, [org, text, attempts.value])
  return {
    answer: answer.value,
    problem: problem.value,
    isAsking: isAsking.value,
    retry: async () => {
      if (problem.peek()?.kind === "signed-out" && !(await Session.signInAgain())) return
      attempts.value += 1
    }
  }
}
