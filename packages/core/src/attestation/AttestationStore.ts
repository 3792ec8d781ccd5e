/** Port: the attestations of an org; append-only. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { AttestationId, FlowId, OrgId, TrailId } from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Attestation, AttestationFact } from "./Attestation.js"

/** Which attestations are asked for; conditions that are given must all hold. */
export interface AttestationFilter {
  readonly id?: AttestationId
  readonly flow?: FlowId
  readonly trail?: TrailId
  readonly trailName?: string
  readonly name?: string
  /** The domain's word; `custom` stands for every custom type. */
  readonly type?: string
  readonly isCompliant?: boolean
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
    /** The attestations that pass the filter, newest first, and how many there are in all. */
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
