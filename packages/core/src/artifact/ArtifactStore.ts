/** Port: the artifact records of an org; append-only. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgId, SlotName, TrailId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Artifact } from "./Artifact.js"

/** A slot of a trail. */
export interface SlotKey {
  readonly org: OrgId
  readonly trail: TrailId
  readonly slot: SlotName
}

/** Port: the artifact records of an org. */
export class ArtifactStore extends Context.Tag("@attestry/core/ArtifactStore")<
  ArtifactStore,
  {
    /** The record with the highest sequence number in a slot. */
    readonly findNewest: (key: SlotKey) => Effect.Effect<Option.Option<Artifact>, StoreError>
    /** Adds a record. */
    readonly append: (artifact: Artifact) => Effect.Effect<void, StoreError>
  }
>() {}
