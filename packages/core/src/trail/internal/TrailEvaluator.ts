/**
 * Port: judges a trail anew after something has happened on it. DECISION D2.7
 *
 * WHY: begins, artifacts and attestations all end in an evaluation, but what an evaluation is, and where
 * it is kept, is `compliance`'s, which stands to the right of all three.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { WriteContext } from "../../access/internal/WriteContext.js"
import type { Flow } from "../../flow/Flow.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { Trail } from "../Trail.js"

/** A trail on which something happened, with its flow as it is at that moment. */
export interface TrailEvent {
  readonly writer: WriteContext
  readonly flow: Flow
  readonly trail: Trail
}

/** Port: judges trails. Both run inside the transaction of the event, which holds the trail's lock. */
export class TrailEvaluator extends Context.Tag("@attestry/core/TrailEvaluator")<
  TrailEvaluator,
  {
    /** Judges the trail by the template in force at this moment, and keeps the result. DECISION D2.7 */
    readonly evaluate: (event: TrailEvent) => Effect.Effect<void, StoreError>
    /** The same, only when another template was in force at the last evaluation. DECISION A-20 */
    readonly refresh: (event: TrailEvent) => Effect.Effect<void, StoreError>
  }
>() {}
