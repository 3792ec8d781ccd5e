/** Computes the effect of a draft in every environment of the policy, one after another. */
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import type { ApiProblem } from "../shared/ApiProblem.js"
import * as BlastRadius from "./BlastRadius.js"
import { policyWorker } from "./PolicyWorker.js"
import * as TryFacts from "./TryFacts.js"
import { LATEST } from "./TryTarget.js"
import type { TrialTexts } from "./useTrial.js"

/** With at least this many rows, a person may save without waiting. */
export const SKIPPABLE_ROWS = 20_000

export interface Radius {
  readonly effects: ReadonlyArray<BlastRadius.EnvironmentEffect>
  /** The environment that is being read. */
  readonly reading: string | undefined
  /** The number of rows known so far, over all environments. */
  readonly rows: number
  readonly problem: ApiProblem | undefined
  readonly failure: string | undefined
  readonly isDone: boolean
}

const START: Radius = {
  effects: [],
  reading: undefined,
  rows: 0,
  problem: undefined,
  failure: undefined,
  isDone: false
}

/** The effect of a draft on the environments, computed once. */
export const useBlastRadius = (
  org: string,
  environments: ReadonlyArray<string>,
  texts: Omit<TrialTexts, "draft"> & { readonly draft: string }
): Radius => {
  const radius = useSignal<Radius>(START)
  useEffect(() => {
    const ending = new AbortController()
    const { signal } = ending
    const tell = (change: Partial<Radius>) => {
      if (!signal.aborted) radius.value = { ...radius.value, ...change }
    }
    const run = async () => {
      for (const environment of environments) {
        tell({ reading: environment })
        const target = { _tag: "Snapshot", environment, expression: LATEST } as const
        const earlier = radius.value.rows
        const outcome = await TryFacts.load(org, target, {
          rowsMax: Number.POSITIVE_INFINITY,
          signal,
          onRead: (_, total) => tell({ rows: earlier + total })
        })
        if (outcome._tag === "Aborted") return
        const isEmpty = outcome._tag === "Failed" && outcome.problem.kind === "missing"
        if (outcome._tag === "Failed" && !isEmpty) return tell({ problem: outcome.problem })
        const found = outcome._tag === "Loaded" ? outcome.found : undefined
        const facts = found?.rows.map((row) => row.facts) ?? []
        const evaluated =
          found === undefined
            ? { rows: [] }
            : await policyWorker.evaluate({ ...texts, key: found.key }, facts)
        const tried = BlastRadius.tried(found?.rows ?? [], evaluated.rows)
        tell({
          effects: [...radius.value.effects, BlastRadius.effectOf(environment, tried)],
          rows: earlier + tried.length
        })
      }
      tell({ reading: undefined, isDone: true })
    }
    run().catch((error: unknown) =>
      tell({ failure: error instanceof Error ? error.message : String(error) })
    )
    return () => ending.abort()
    // WHY no dependencies: the effect is computed once, for the texts with which the dialog was opened.
  }, [])
  return radius.value
}
