/**
 * Port inside core: is told of every artifact that is reported, before the report ends.
 *
 * WHY a port: evidence waits for artifacts, which know nothing about it.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrgName } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { TrailEvent } from "../../trail/internal/TrailEvent.js"
import type { Fingerprint } from "../Fingerprint.js"

/** An artifact that was recorded on a locked trail. */
export interface ReportedArtifact {
  readonly org: OrgName
  readonly event: TrailEvent
  readonly fingerprint: Fingerprint
}

/** Port: is told of reported artifacts. Runs inside the transaction of the report, after the trail is evaluated. */
export class ArtifactWatcher extends Context.Tag("@attestry/core/ArtifactWatcher")<
  ArtifactWatcher,
  {
    /** Is told once of each record of an artifact that is stored. */
    readonly reported: (artifact: ReportedArtifact) => Effect.Effect<void, StoreError>
  }
>() {}
