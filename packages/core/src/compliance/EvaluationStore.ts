/** Port: the last evaluation of each trail. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgId, TrailId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { StoredEvaluation } from "./StoredEvaluation.js"

/** Port: the last evaluation of each trail. */
export class EvaluationStore extends Context.Tag("@attestry/core/EvaluationStore")<
  EvaluationStore,
  {
    /** Stores an evaluation and replaces the trail's last one. The caller holds the trail's lock. */
    readonly put: (evaluation: StoredEvaluation) => Effect.Effect<void, StoreError>
    /**
     * The last evaluation of a trail; none for an unknown trail. The transaction that creates a trail also
     * stores its first evaluation.
     */
    readonly find: (
      org: OrgId,
      trail: TrailId
    ) => Effect.Effect<Option.Option<StoredEvaluation>, StoreError>
    /** The last evaluations of these trails, in any order; unknown trails are left out. */
    readonly list: (
      org: OrgId,
      trails: ReadonlyArray<TrailId>
    ) => Effect.Effect<ReadonlyArray<StoredEvaluation>, StoreError>
  }
>() {}
