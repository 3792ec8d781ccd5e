/**
 * Port: marks environments whose evidence has changed. DECISIONS.md, "Unchanged reports touch one row"
 *
 * In `shared` because the features that write evidence stand to the left of environments.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { FlowId, OrgId, TemplateId, TrailId } from "./Identifier.js"
import type { StoreError } from "./StoreError.js"
import type { Timestamp } from "./Timestamp.js"

/** An event on a trail: the number of its entry in the journal, and how the trail was evaluated after it. */
export interface EvaluatedEvent {
  readonly trail_id: TrailId
  readonly sequence: number
  readonly template_id: TemplateId
  readonly status: string
  readonly at: Timestamp
}

/** Port: marks environments whose evidence has changed. */
export class Staleness extends Context.Tag("@attestry/core/Staleness")<
  Staleness,
  {
    /**
     * Marks every environment that runs one of the fingerprints: its next report is evaluated, also when it is
     * unchanged. Part of the caller's transaction, after the evidence is written. An environment that starts to
     * run a fingerprint concurrently either is marked or has read the new evidence.
     *
     * Keeps the event with a knowledge number that is drawn after the last lock: judgings that have seen the evidence
     * have higher numbers, all others lower ones. DECISIONS.md, "Evaluations are ordered by commit position"
     */
    readonly markRunning: (
      org: OrgId,
      fingerprints: ReadonlyArray<string>,
      event: EvaluatedEvent
    ) => Effect.Effect<void, StoreError>
    /**
     * Marks every environment that runs an artifact of the flow and whose policies, or those of a logical
     * environment that contains it, read this part of flows: its next report is evaluated. This includes an
     * environment that begins to read it before the caller's transaction commits.
     */
    readonly markReaders: (
      org: OrgId,
      flow: FlowId,
      part: "flow.name" | "flow.tags"
    ) => Effect.Effect<void, StoreError>
  }
>() {}
