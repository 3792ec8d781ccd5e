/** Port: the attestations of an org; append-only. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type {
  AttestationId,
  ControlIdentifier,
  FlowId,
  OrgId,
  TrailId
} from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { Attestation, AttestationFact } from "./Attestation.js"

/** Which attestations are asked for; conditions that are given must all hold. */
export interface AttestationFilter {
  readonly id?: AttestationId
  /** In one of these flows. */
  readonly flows?: ReadonlyArray<FlowId>
  readonly trail?: TrailId
  readonly trailName?: string
  readonly name?: string
  /** The domain's word; `custom` stands for every custom type. */
  readonly type?: string
  readonly isCompliant?: boolean
  /** Decisions about that control only. */
  readonly control?: ControlIdentifier
  /** Not before that instant. */
  readonly from?: Timestamp
  /** Not after that instant. */
  readonly to?: Timestamp
  /** Newest first unless it says otherwise. */
  readonly direction?: "asc" | "desc"
}

/** Port: the attestations of an org. */
export class AttestationStore extends Context.Tag("@attestry/core/AttestationStore")<
  AttestationStore,
  {
    /** Adds an attestation. */
    readonly append: (attestation: Attestation) => Effect.Effect<void, StoreError>
    /** Every attestation of a trail, as far as compliance depends on it, oldest first. */
    readonly listFacts: (
      org: OrgId,
      trail: TrailId
    ) => Effect.Effect<ReadonlyArray<AttestationFact>, StoreError>
    /** The attestation of that id. */
    readonly find: (
      org: OrgId,
      id: AttestationId
    ) => Effect.Effect<Option.Option<Attestation>, StoreError>
    /** One page of the attestations that pass the filter, and how many there are in all. */
    readonly list: (
      org: OrgId,
      filter: AttestationFilter,
      page: Page
    ) => Effect.Effect<Paged<Attestation>, StoreError>
    /** Those of a trail under one name, oldest first. */
    readonly listByName: (key: {
      readonly org: OrgId
      readonly trail: TrailId
      readonly name: string
    }) => Effect.Effect<ReadonlyArray<Attestation>, StoreError>
    /** The attestations of these ids, in any order; an id that is not there is passed over. */
    readonly listByIds: (
      org: OrgId,
      ids: ReadonlyArray<AttestationId>
    ) => Effect.Effect<ReadonlyArray<Attestation>, StoreError>
  }
>() {}
