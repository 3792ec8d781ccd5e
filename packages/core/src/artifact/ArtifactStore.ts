/** Port: the artifact records of an org; append-only. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { FlowId, OrgId, SlotName, TrailId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Artifact, ArtifactFact } from "./Artifact.js"
import type { Fingerprint, FingerprintPrefix } from "./Fingerprint.js"

/** A slot of a trail. */
export interface SlotKey {
  readonly org: OrgId
  readonly trail: TrailId
  readonly slot: SlotName
}

/** Records of one content, in one flow or in one trail of it. */
export interface ContentKey {
  readonly org: OrgId
  readonly flow: FlowId
  readonly fingerprint: Fingerprint
  readonly trail?: TrailId
}

/** Port: the artifact records of an org. */
export class ArtifactStore extends Context.Tag("@attestry/core/ArtifactStore")<
  ArtifactStore,
  {
    /** The record with the highest sequence number in a slot. */
    readonly findNewest: (key: SlotKey) => Effect.Effect<Option.Option<Artifact>, StoreError>
    /** Every record of a trail, as far as evidence depends on it, oldest first. */
    readonly listFacts: (
      org: OrgId,
      trail: TrailId
    ) => Effect.Effect<ReadonlyArray<ArtifactFact>, StoreError>
    /** The different fingerprints in a flow, or in all of them, that begin like this, in order; at most `limit`. */
    readonly matchFingerprints: (query: {
      readonly org: OrgId
      readonly flow?: FlowId
      readonly prefix: FingerprintPrefix
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Fingerprint>, StoreError>
    /** Every record of a content, newest first. */
    readonly listByContent: (key: ContentKey) => Effect.Effect<ReadonlyArray<Artifact>, StoreError>
    /** Adds a record. */
    readonly append: (artifact: Artifact) => Effect.Effect<void, StoreError>
  }
>() {}
