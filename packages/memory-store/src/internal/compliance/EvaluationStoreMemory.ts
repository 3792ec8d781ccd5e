/** `EvaluationStore` in memory. */
import { EvaluationStore } from "@attestry/core/EvaluationStore"
import type { StoredEvaluation } from "@attestry/core/StoredEvaluation"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, type MemoryState, table } from "../shared/MemoryState.js"

/** The evaluations; lists of flows read them. */
export const evaluations = table<StoredEvaluation>("evaluation")

/** `EvaluationStore` in memory. */
export const layer: Layer.Layer<EvaluationStore, never, MemoryState> = Layer.effect(
  EvaluationStore,
  Effect.map(MemoryRows.make(evaluations), (rows) => ({
    put: (evaluation) => rows.set(key(evaluation.org_id, evaluation.trail_id), evaluation),
    find: (org, trail) => rows.find(key(org, trail)),
    list: (org, trails) =>
      Effect.map(
        Effect.forEach(new Set(trails), (trail) => rows.find(key(org, trail))),
        Arr.getSomes
      )
  }))
)
