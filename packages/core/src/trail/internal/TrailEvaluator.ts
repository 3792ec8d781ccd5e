/**
 * Port inside core: evaluates a trail after an event on it. DECISIONS.md, "A trail is evaluated at its events"
 *
 * WHY a port: `compliance` stands to the right of trails, artifacts and attestations, whose writes all end in
 * an evaluation.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { WriteContext } from "../../access/internal/WriteContext.js"
import type { Flow } from "../../flow/Flow.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { Trail } from "../Trail.js"

/** A trail with an event, and its current flow. */
export interface TrailEvent {
  readonly writer: WriteContext
  readonly flow: Flow
  readonly trail: Trail
  /** Whether the event begins the trail. */
  readonly isBegin?: boolean
  /** The number of the entry that began the trail, where the event begins it. */
  readonly begun?: number
}

/** Port: evaluates trails. Runs inside the transaction of the event, which holds the trail's lock. */
export class TrailEvaluator extends Context.Tag("@attestry/core/TrailEvaluator")<
  TrailEvaluator,
  {
    /**
     * Evaluates the trail by its current template, and stores the result; `sequence` is the number of the event's entry
     * in the journal. DECISIONS.md, "A trail is evaluated at its events"
     */
    readonly evaluate: (event: TrailEvent, sequence: number) => Effect.Effect<void, StoreError>
    /** As `evaluate`, only when the last evaluation used another template. DECISIONS.md, "Retried writes converge" */
    readonly refresh: (event: TrailEvent) => Effect.Effect<void, StoreError>
  }
>() {}
