/** Tries a draft on real rows: loads the facts of a target, and evaluates them whenever the draft changes. */
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import type { ApiProblem } from "../shared/ApiProblem.js"
import * as BlastRadius from "./BlastRadius.js"
import { policyWorker } from "./PolicyWorker.js"
import * as TryFacts from "./TryFacts.js"
import { print, type TryTarget } from "./TryTarget.js"

/** At most this many rows are evaluated while a person types. */
export const ROWS_MAX = 5_000

export interface TrialTexts {
  readonly name: string
  /** The draft; undefined while it has problems. */
  readonly draft: string | undefined
  /** The latest version; null for a new policy. */
  readonly before: string | null
}

export interface Trial {
  readonly found: TryFacts.TryRows | undefined
  readonly problem: ApiProblem | undefined
  readonly rows: ReadonlyArray<BlastRadius.TriedRow> | undefined
  readonly tookMs: number | undefined
  /** Why the policy worker did not answer. */
  readonly failure: string | undefined
  readonly reload: () => void
}

/** The facts of a target; a new target loads its own. */
const useFacts = (org: string, target: TryTarget | undefined) => {
  const found = useSignal<TryFacts.TryRows | undefined>(undefined)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const attempts = useSignal(0)
  const text = target === undefined ? undefined : print(target)
  const attempt = attempts.value
  useEffect(() => {
    found.value = undefined
    problem.value = undefined
    if (target === undefined) return
    const ending = new AbortController()
    void TryFacts.load(org, target, { rowsMax: ROWS_MAX, signal: ending.signal }).then(
      (outcome) => {
        if (ending.signal.aborted) return
        if (outcome._tag === "Loaded") found.value = outcome.found
        if (outcome._tag === "Failed") problem.value = outcome.problem
      }
    )
    return () => ending.abort()
    // WHY the text: it changes exactly when the target does.
  }, [org, text, attempt, found, problem])
  return {
    found: found.value,
    problem: problem.value,
    reload: () => {
      attempts.value += 1
    }
  }
}

export const useTrial = (org: string, target: TryTarget | undefined, texts: TrialTexts): Trial => {
  const { found, problem, reload } = useFacts(org, target)
  const rows = useSignal<ReadonlyArray<BlastRadius.TriedRow> | undefined>(undefined)
  const tookMs = useSignal<number | undefined>(undefined)
  const failure = useSignal<string | undefined>(undefined)
  const { before, draft, name } = texts
  useEffect(() => {
    if (found === undefined) rows.value = undefined
    if (found === undefined || draft === undefined) return
    let isWanted = true
    const facts = found.rows.map((row) => row.facts)
    policyWorker.evaluate({ name, draft, before, key: found.key }, facts).then(
      (evaluated) => {
        if (!isWanted) return
        rows.value = BlastRadius.tried(found.rows, evaluated.rows)
        tookMs.value = evaluated.tookMs
        failure.value = undefined
      },
      (error: unknown) => {
        if (isWanted) failure.value = error instanceof Error ? error.message : String(error)
      }
    )
    return () => {
      isWanted = false
    }
  }, [found, draft, before, name, rows, tookMs, failure])
  return {
    found,
    problem,
    rows: rows.value,
    tookMs: tookMs.value,
    failure: failure.value,
    reload
  }
}
