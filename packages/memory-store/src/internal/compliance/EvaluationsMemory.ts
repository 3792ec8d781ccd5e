/** Evaluations of `TrailStore` in memory. */

import type { StoredEvaluation } from "@attestry/core/StoredEvaluation"
import type { TrailStore } from "@attestry/core/TrailStore"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, type MemoryState, table } from "../shared/MemoryState.js"

/** The evaluations; lists of flows read them. */
export const evaluations = table<StoredEvaluation>("evaluation")

/** Evaluations of `TrailStore` in memory. */
export const make: Effect.Effect<
  Pick<TrailStore["Type"], "putEvaluation" | "findEvaluation" | "listEvaluations">,
  never,
  MemoryState
> = Effect.map(MemoryRows.make(evaluations), (rows) => ({
  putEvaluation: (evaluation) => rows.set(key(evaluation.org_id, evaluation.trail_id), evaluation),
  findEvaluation: (org, trail) => rows.find(key(org, trail)),
  listEvaluations: (org, trails) =>
    Effect.map(
      Effect.forEach(new Set(trails), (trail) => rows.find(key(org, trail))),
      Arr.getSomes
    )
}))
