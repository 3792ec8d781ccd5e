/** Port: the waivers of an org, its settings for them, and the rows that they have waived. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { EnvironmentRef } from "../environment/Environment.js"
import type { EnvironmentId, OrgId, PolicyId, PolicyName } from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { Locking } from "../shared/Transaction.js"
import type { Waiver, WaiverDraft, WaiverKey } from "./Waiver.js"
import type { WaiverSettings } from "./WaiverSettings.js"
import type { WaiverState } from "./WaiverState.js"

/** The environments and policies whose waivers are meant. */
export interface WaiversWithin {
  readonly environments: ReadonlyArray<EnvironmentId>
  readonly policies: ReadonlyArray<PolicyName>
}

/** Whether a waiver is one of those; all are where nothing is said. */
export const isWithin = (
  within: WaiversWithin | undefined,
  { environment_id, policy_name }: Pick<Waiver, "environment_id" | "policy_name">
): boolean =>
  within === undefined ||
  (environment_id === null
    ? within.policies.includes(policy_name)
    : within.environments.includes(environment_id))

/** Which waivers are listed; all given conditions must hold. */
export interface WaiverQuery {
  /** The instant that states are for. */
  readonly now: Timestamp
  readonly states?: ReadonlyArray<WaiverState>
  readonly policy_name?: string
  /** Null for those that are for every environment. */
  readonly environment?: EnvironmentId | null
  /** A login. */
  readonly owner?: string
  readonly expires_before?: Timestamp
  /** Only those for one of these environments, and those of one of these policies that are for every environment. */
  readonly within?: WaiversWithin
}

/** A time in which a waiver waived the same number of rows of an environment. */
export interface WaiverUse {
  readonly number: number
  readonly environment_id: EnvironmentId
  readonly from_at: Timestamp
  /** Null while it lasts. */
  readonly to_at: Timestamp | null
  readonly rows: number
}

/** How many rows of an environment each waiver waives, from an instant on; waivers that waive none are left out. */
export interface RowsWaived {
  readonly at: Timestamp
  readonly rows: ReadonlyMap<number, number>
}

/** Port: the waivers of an org. */
export class WaiverStore extends Context.Tag("@attestry/core/WaiverStore")<
  WaiverStore,
  {
    /** Adds a waiver under the org's next number, counting from 1. Concurrent calls get other numbers. */
    readonly append: (draft: WaiverDraft) => Effect.Effect<Waiver, StoreError>
    /** The waiver of that number; none when there is none. */
    readonly find: (
      key: WaiverKey,
      locking?: Locking
    ) => Effect.Effect<Option.Option<Waiver>, StoreError>
    /** Replaces approvals, rejection, revocation, activation and recorded end. The caller holds the waiver's lock. */
    readonly decide: (waiver: Waiver) => Effect.Effect<void, StoreError>
    /** One page of the waivers that pass the query, newest first. */
    readonly list: (
      org: OrgId,
      query: WaiverQuery,
      page: Page
    ) => Effect.Effect<Paged<Waiver>, StoreError>
    /**
     * The waivers that were approved and have neither ended nor been revoked by an instant, by number; also those that
     * start, are approved or are revoked after it. With an environment only those that are for it or for every one.
     */
    readonly listInForce: (
      org: OrgId,
      now: Timestamp,
      environment?: EnvironmentId
    ) => Effect.Effect<ReadonlyArray<Waiver>, StoreError>
    /**
     * The waivers that were approved, also those that were revoked or have ended, by number. With an environment only
     * those that are for it or for every one; with an instant only those that end after it.
     */
    readonly listApproved: (
      org: OrgId,
      which: { readonly environment?: EnvironmentId; readonly since?: Timestamp }
    ) => Effect.Effect<ReadonlyArray<Waiver>, StoreError>
    /** The waivers that have expired or lapsed by an instant and whose end is not recorded yet, by number. */
    readonly listUnsettled: (
      org: OrgId,
      now: Timestamp
    ) => Effect.Effect<ReadonlyArray<Waiver>, StoreError>
    /**
     * Marks as pending the active environments that a policy is attached to, or only this one of them, and clears the
     * digests of their last reports. Waits for concurrent writers of these environments, and returns their ids. Of more
     * environments than `MarkedConsumersMax` none is written or returned: they are behind, as after
     * `PolicyStore.update`.
     */
    readonly markConsumers: (
      org: OrgId,
      policy: PolicyId,
      environment: EnvironmentId | null
    ) => Effect.Effect<ReadonlyArray<EnvironmentId>, StoreError>
    /** The settings of an org; none when none were set. */
    readonly findSettings: (org: OrgId) => Effect.Effect<Option.Option<WaiverSettings>, StoreError>
    /** Replaces the settings of an org. */
    readonly putSettings: (org: OrgId, settings: WaiverSettings) => Effect.Effect<void, StoreError>
    /**
     * Records how many rows of an environment each waiver waives. Ends the times whose number differs and begins new
     * ones; equal numbers change nothing. The caller holds the environment's lock.
     */
    readonly putUse: (ref: EnvironmentRef, waived: RowsWaived) => Effect.Effect<void, StoreError>
    /** The times that had not ended before an instant, by number, environment and beginning. */
    readonly listUse: (
      org: OrgId,
      since: Timestamp
    ) => Effect.Effect<ReadonlyArray<WaiverUse>, StoreError>
  }
>() {}
