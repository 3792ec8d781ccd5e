/**
 * Port inside core: is told of everything that is stored about a trail.
 *
 * WHY a port: notifications listen to trails, which know nothing about them.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreError } from "../../shared/StoreError.js"
import type { TrailEvent } from "./TrailEvent.js"

/** An attestation that was stored. */
export interface ReportedEvidence {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly isCompliant: boolean
}

/** What was stored about a trail, and the artifact that it is about. */
export type TrailOccurrence =
  | { readonly _tag: "TrailBegun" }
  | { readonly _tag: "ArtifactReported"; readonly id: string; readonly fingerprint: string }
  | { readonly _tag: "ApprovalRecorded"; readonly id: string; readonly fingerprint: string }
  | {
      readonly _tag: "AttestationReported"
      readonly attestation: ReportedEvidence
      readonly fingerprint: string | null
    }

/** Port: is told of trails. Runs inside the transaction of the event, after the trail is evaluated. */
export class TrailListener extends Context.Tag("@attestry/core/TrailListener")<
  TrailListener,
  {
    /**
     * Is told once of each thing that is stored, with the number of the entry of the journal that records it; of the
     * begin of a trail also where a report begins it.
     */
    readonly stored: (
      event: TrailEvent,
      occurrence: TrailOccurrence,
      sequence: number
    ) => Effect.Effect<void, StoreError>
  }
>() {}
