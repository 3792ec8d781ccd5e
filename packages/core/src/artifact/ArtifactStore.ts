/** Port: the artifact records of an org; append-only. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { CommitSha, FlowId, OrgId, RepoId, SlotName, TrailId } from "../shared/Identifier.js"
import type { Page } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Artifact, ArtifactFact } from "./Artifact.js"
import type { Fingerprint, FingerprintPrefix } from "./Fingerprint.js"

/** A slot of a trail. */
export interface SlotKey {
  readonly org: OrgId
  readonly trail: TrailId
  readonly slot: SlotName
}

/** Records of one content, in all flows, in one, or in one trail of it. */
export interface ContentKey {
  readonly org: OrgId
  readonly flow?: FlowId
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
    /** The different commits in all flows that begin like this, in order; at most `limit`. */
    readonly matchCommits: (query: {
      readonly org: OrgId
      readonly prefix: string
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<CommitSha>, StoreError>
    /** Every record whose commit begins like this, newest first. */
    readonly listByCommit: (query: {
      readonly org: OrgId
      readonly flow?: FlowId
      readonly trail?: TrailId
      readonly prefix: string
    }) => Effect.Effect<ReadonlyArray<Artifact>, StoreError>
    /** One page of the records of a flow, of some repositories, or of the org, newest first. */
    readonly list: (
      query: {
        readonly org: OrgId
        readonly flow?: FlowId
        readonly repos?: ReadonlyArray<RepoId>
      },
      page: Page
    ) => Effect.Effect<ReadonlyArray<Artifact>, StoreError>
    /**
     * The newest record of another content in the flow that has a commit, on the branch if one is given,
     * and that came before the newest record of this content if there is one.
     */
    readonly findPrevious: (query: {
      readonly org: OrgId
      readonly flow: FlowId
      readonly fingerprint: Fingerprint
      readonly branch?: string
    }) => Effect.Effect<Option.Option<Artifact>, StoreError>
    /** Adds a record. */
    readonly append: (artifact: Artifact) => Effect.Effect<void, StoreError>
  }
>() {}
