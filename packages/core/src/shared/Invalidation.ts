/**
 * Port: invalidates environments whose evidence has changed.
 *
 * In `shared` because the features that write evidence stand to the left of environments.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { FlowId, OrgId, TemplateId, TrailId } from "./Identifier.js"
import type { StoreError } from "./StoreError.js"
import type { Timestamp } from "./Timestamp.js"

/** An event on a trail: the number of its entry in the journal, and the evaluation of the trail after it. */
export interface EvaluatedEvent {
  readonly trail_id: TrailId
  readonly sequence: number
  readonly template_id: TemplateId
  readonly status: string
  readonly at: Timestamp
}

/** Port: invalidates environments whose evidence has changed. */
export class Invalidation extends Context.Tag("@attestry/core/Invalidation")<
  Invalidation,
  {
    /**
     * Invalidates every environment that runs one of the fingerprints: its next report is evaluated, also when it is
     * unchanged. Part of the caller's transaction, after the evidence is written. An environment that starts to
     * run a fingerprint concurrently either is invalidated or has read the new evidence.
     *
     * Stores the event with a commit position that is drawn after the last lock: evaluations that saw the evidence have
     * higher positions, all others lower ones.
     */
    readonly invalidateRunning: (
      org: OrgId,
      fingerprints: ReadonlyArray<string>,
      event: EvaluatedEvent
    ) => Effect.Effect<void, StoreError>
    /**
     * Invalidates every environment that runs an artifact of the flow and whose policies, or those of a logical
     * environment that contains it, read this part of flows: its next report is evaluated. This includes an
     * environment that begins to read it before the caller's transaction commits.
     */
    readonly invalidateReaders: (
      org: OrgId,
      flow: FlowId,
      part: "flow.name" | "flow.tags"
    ) => Effect.Effect<void, StoreError>
  }
>() {}
