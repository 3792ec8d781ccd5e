/** Port: the grants of an org. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Role } from "../access/Role.js"
import type { Binding } from "../access/Standing.js"
import type { OrgId, SpaceId } from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { Locking } from "../shared/Transaction.js"
import type { Grant, GrantDraft, GrantSubject } from "./Grant.js"

/** Which grants are listed. */
export interface GrantQuery {
  /** The instant at which they count. */
  readonly now: Timestamp
  /** Also those that were ended or have expired. */
  readonly ended: boolean
  readonly subject?: GrantSubject
  readonly role?: Role
  /** Only eligible grants, or only others. */
  readonly eligible?: boolean
  /** Only grants in one of these spaces; absent for all. */
  readonly spaces?: ReadonlyArray<SpaceId>
}

/** How many grants of an org, and of one subject, last. */
export interface GrantCounts {
  readonly org: number
  readonly subject: number
}

/** Port: the grants of an org. */
export class GrantStore extends Context.Tag("@attestry/core/GrantStore")<
  GrantStore,
  {
    /** Keeps others from adding grants until the transaction ends, and counts those that were not ended. */
    readonly countToAdd: (
      org: OrgId,
      subject: GrantSubject
    ) => Effect.Effect<GrantCounts, StoreError>
    /**
     * Adds a grant under the org's next number, counting from 1. The subject has none of its sort in the space that
     * lasts.
     */
    readonly append: (draft: GrantDraft) => Effect.Effect<Grant, StoreError>
    /** The grant of that number; none when there is none. */
    readonly find: (
      key: { readonly org: OrgId; readonly number: number },
      locking?: Locking
    ) => Effect.Effect<Option.Option<Grant>, StoreError>
    /** The grant of a sort of a subject in a space that was not ended, locked until the transaction ends. */
    readonly lockOpen: (
      org: OrgId,
      subject: GrantSubject,
      place: { readonly space: SpaceId; readonly eligible: boolean }
    ) => Effect.Effect<Option.Option<Grant>, StoreError>
    /** Writes the end of a grant. The caller holds its lock. */
    readonly end: (grant: Grant) => Effect.Effect<void, StoreError>
    /** One page of the grants that pass the query, newest first. */
    readonly list: (
      org: OrgId,
      query: GrantQuery,
      page: Page
    ) => Effect.Effect<Paged<Grant>, StoreError>
    /** The grants of a subject that were not ended, by number. */
    readonly listOpen: (
      org: OrgId,
      subject: GrantSubject
    ) => Effect.Effect<ReadonlyArray<Grant>, StoreError>
    /** Whether a space has grants that were not ended. */
    readonly hasOpenIn: (org: OrgId, space: SpaceId) => Effect.Effect<boolean, StoreError>
    /**
     * What the grants give to a user or account at an instant: its own, those of the teams that a user was in, and
     * those of everyone. Eligible ones give nothing.
     */
    readonly listBindings: (
      org: OrgId,
      subject: { readonly kind: "user" | "service-account"; readonly id: string },
      at: Timestamp
    ) => Effect.Effect<ReadonlyArray<Binding>, StoreError>
    /** What the eligible grants of a user, of its teams and of everyone let it open at an instant. */
    readonly listEligible: (
      org: OrgId,
      user: string,
      at: Timestamp
    ) => Effect.Effect<ReadonlyArray<Binding>, StoreError>
  }
>() {}
