/** Port: the artifact records of an org; append-only. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type {
  ArtifactId,
  CommitSha,
  FlowId,
  OrgId,
  RepoId,
  SlotName,
  TrailId
} from "../shared/Identifier.js"
import type { Page } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type { PlaceId } from "../space/PlaceId.js"
import type { Artifact, ArtifactFact } from "./Artifact.js"
import type { Fingerprint, FingerprintPrefix } from "./Fingerprint.js"

/** A slot of a trail. */
export interface SlotKey {
  readonly org: OrgId
  readonly trail: TrailId
  readonly slot: SlotName
}

/** The records of one fingerprint: in all flows, in those of some spaces, in one flow, or in one trail. */
export interface ContentKey {
  readonly org: OrgId
  readonly flow?: FlowId
  readonly fingerprint: Fingerprint
  readonly trail?: TrailId
  /** Only records of flows that are in one of these spaces now; one in the root is in none. */
  readonly within?: ReadonlyArray<PlaceId>
}

/** Which records are listed; all given conditions must hold. */
export interface ArtifactQuery {
  readonly org: OrgId
  readonly flow?: FlowId
  readonly trail?: TrailId
  readonly repos?: ReadonlyArray<RepoId>
  /** The beginning of the commit. */
  readonly commit?: string
  /** A part of the file name, in any case. */
  readonly search?: string
  /** Only records of flows that are in one of these spaces now; one in the root is in none. */
  readonly within?: ReadonlyArray<PlaceId>
}

/**
 * The number of records of a flow among which earlier ones of a slot are looked for. The bound holds for any length of
 * history.
 */
export const EARLIER_SCANNED = 1_000

/** Port: the artifact records of an org. */
export class ArtifactStore extends Context.Tag("@attestry/core/ArtifactStore")<
  ArtifactStore,
  {
    /** The record of a slot with the highest sequence number; none for an empty slot. */
    readonly findNewest: (key: SlotKey) => Effect.Effect<Option.Option<Artifact>, StoreError>
    /** The records of these ids, in any order; unknown ids are left out. */
    readonly listByIds: (
      org: OrgId,
      ids: ReadonlyArray<ArtifactId>
    ) => Effect.Effect<ReadonlyArray<Artifact>, StoreError>
    /** The facts of every record of a trail, oldest first. */
    readonly listFacts: (
      org: OrgId,
      trail: TrailId
    ) => Effect.Effect<ReadonlyArray<ArtifactFact>, StoreError>
    /**
     * The distinct fingerprints with this prefix in a flow, in the flows of some spaces, or in all flows, in ascending
     * order; at most `limit`.
     */
    readonly matchFingerprints: (query: {
      readonly org: OrgId
      readonly flow?: FlowId
      readonly within?: ReadonlyArray<PlaceId>
      readonly prefix: FingerprintPrefix
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Fingerprint>, StoreError>
    /** Every record of a fingerprint, newest first. */
    readonly listByContent: (key: ContentKey) => Effect.Effect<ReadonlyArray<Artifact>, StoreError>
    /**
     * The distinct commits with this prefix in all flows, or in those of some spaces, in ascending order; at most
     * `limit`.
     */
    readonly matchCommits: (query: {
      readonly org: OrgId
      readonly within?: ReadonlyArray<PlaceId>
      readonly prefix: string
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<CommitSha>, StoreError>
    /** The records that pass the query, newest first; one page of them where one is given. */
    readonly list: (
      query: ArtifactQuery,
      page?: Page
    ) => Effect.Effect<ReadonlyArray<Artifact>, StoreError>
    /**
     * The newest record of the flow that has another fingerprint and a commit, on the branch where one is given, and
     * that precedes the newest record of this fingerprint where there is one. None when there is none.
     */
    readonly findPrevious: (query: {
      readonly org: OrgId
      readonly flow: FlowId
      readonly fingerprint: Fingerprint
      readonly branch?: string
    }) => Effect.Effect<Option.Option<Artifact>, StoreError>
    /**
     * The newest records of a slot of a flow with a sequence number below the given one, newest first, at most `limit`;
     * only the newest `EARLIER_SCANNED` records of the flow below it are looked at.
     */
    readonly listEarlier: (query: {
      readonly org: OrgId
      readonly flow: FlowId
      readonly slot: SlotName
      readonly before: number
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Artifact>, StoreError>
    /** Whether a policy of the org limits the age of evidence, so that reported evidence can be renewed. */
    readonly isAgeLimited: (org: OrgId) => Effect.Effect<boolean, StoreError>
    /** Adds a record. The caller holds the lock of its trail. */
    readonly append: (artifact: Artifact) => Effect.Effect<void, StoreError>
  }
>() {}
