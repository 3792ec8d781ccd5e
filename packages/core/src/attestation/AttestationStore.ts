/** Port: the attestations of an org, which are append-only, and its attestation types. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { AttestationType, TypeKey } from "../attestation-type/AttestationType.js"
import type {
  AttestationId,
  CommitSha,
  ControlIdentifier,
  FlowId,
  OrgId,
  TrailId
} from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { Locking } from "../shared/Transaction.js"
import type { PlaceId } from "../space/PlaceId.js"
import type { Attestation, AttestationFact } from "./Attestation.js"

/** Which attestations are listed; all given conditions must hold. */
export interface AttestationFilter {
  readonly id?: AttestationId
  /** In one of these flows. */
  readonly flows?: ReadonlyArray<FlowId>
  /** Only attestations of flows that are in one of these spaces now; one in the root is in none. */
  readonly within?: ReadonlyArray<PlaceId>
  readonly trail?: TrailId
  readonly trailName?: string
  /** On a trail that reports one of these commits: itself, or below it. */
  readonly commits?: ReadonlyArray<CommitSha>
  /** Of one of these names. */
  readonly names?: ReadonlyArray<string>
  /** Of one of these types, in the domain's words; `custom` stands for every custom type. */
  readonly types?: ReadonlyArray<string>
  readonly isCompliant?: boolean
  /** Only decisions about that control. */
  readonly control?: ControlIdentifier
  /** At that instant or later. */
  readonly from?: Timestamp
  /** At that instant or earlier. */
  readonly to?: Timestamp
  /** Descending, newest first, by default. */
  readonly direction?: "asc" | "desc"
}

/** Attestations in the order of a list. */
export interface AttestationsInOrder {
  readonly items: ReadonlyArray<Attestation>
  /** The sequence number of the last one, damaged or not; none when nothing follows it. */
  readonly next: Option.Option<number>
}

/** Port: the attestations and the attestation types of an org. */
export class AttestationStore extends Context.Tag("@attestry/core/AttestationStore")<
  AttestationStore,
  {
    /** Adds an attestation. The caller holds the lock of its trail. */
    readonly append: (attestation: Attestation) => Effect.Effect<void, StoreError>
    /** The facts of every attestation of a trail, oldest first. */
    readonly listFacts: (
      org: OrgId,
      trail: TrailId
    ) => Effect.Effect<ReadonlyArray<AttestationFact>, StoreError>
    /** The attestation of that id; none when there is none. */
    readonly find: (
      org: OrgId,
      id: AttestationId
    ) => Effect.Effect<Option.Option<Attestation>, StoreError>
    /** One page of the attestations that pass the filter, and the number of all of them. */
    readonly list: (
      org: OrgId,
      filter: AttestationFilter,
      page: Page
    ) => Effect.Effect<Paged<Attestation> & AttestationsInOrder, StoreError>
    /**
     * The attestations that pass the filter and follow the one with the sequence number `after` in the order, at most
     * `limit`; there need not be one of that number.
     */
    readonly listAfter: (
      org: OrgId,
      filter: AttestationFilter,
      place: { readonly after: number; readonly limit: number }
    ) => Effect.Effect<AttestationsInOrder, StoreError>
    /**
     * The distinct names of the org's attestations, or of those in flows of some spaces, in any order; at most `limit`.
     */
    readonly listNames: (
      org: OrgId,
      limit: number,
      within?: ReadonlyArray<PlaceId>
    ) => Effect.Effect<ReadonlyArray<string>, StoreError>
    /** The attestations of a trail with that name, oldest first. */
    readonly listByName: (key: {
      readonly org: OrgId
      readonly trail: TrailId
      readonly name: string
    }) => Effect.Effect<ReadonlyArray<Attestation>, StoreError>
    /** The attestations of these ids, in any order; unknown ids are left out. */
    readonly listByIds: (
      org: OrgId,
      ids: ReadonlyArray<AttestationId>
    ) => Effect.Effect<ReadonlyArray<Attestation>, StoreError>
    /** The type of that name, archived or not; none when there is none. */
    readonly findType: (
      key: TypeKey,
      locking?: Locking
    ) => Effect.Effect<Option.Option<AttestationType>, StoreError>
    /** Every type, archived or not, in ascending order of name. */
    readonly listTypes: (org: OrgId) => Effect.Effect<ReadonlyArray<AttestationType>, StoreError>
    /**
     * Adds a type and returns true; returns false and does nothing when the name is taken. Waits for a
     * concurrent insert of the name to end.
     */
    readonly insertType: (type: AttestationType) => Effect.Effect<boolean, StoreError>
    /** Replaces the type of that name; the caller holds its lock. */
    readonly updateType: (type: AttestationType) => Effect.Effect<void, StoreError>
  }
>() {}
