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
    /** Keeps an evaluation in place of the trail's last one. */
    readonly put: (evaluation: StoredEvaluation) => Effect.Effect<void, StoreError>
    /** The last evaluation of a trail; every trail has one once its first write has committed. */
    readonly find: (
      org: OrgId,
      trail: TrailId
    ) => Effect.Effect<Option.Option<StoredEvaluation>, StoreError>
    /** The last evaluations of these trails, in any order. */
    readonly list: (
      org: OrgId,
      trails: ReadonlyArray<TrailId>
    ) => Effect.Effect<ReadonlyArray<StoredEvaluation>, StoreError>
  }
>() {}
