/** Port: the policies of an org, their versions, and the environments that they are attached to. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { EnvironmentName, OrgId, PolicyId, PolicyName } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Locking } from "../shared/Transaction.js"
import type { Policy, PolicyKey, PolicyVersionRecord } from "./Policy.js"

/**
 * A change of a policy that is attached to more environments than this writes none of them. Tests lower it.
 * DECISIONS.md, "Pending environments are evaluated before they are read"
 */
export class MarkedConsumersMax extends Context.Reference<MarkedConsumersMax>()(
  "@attestry/core/MarkedConsumersMax",
  { defaultValue: () => 256 }
) {}

/** An environment that a policy is attached to. */
export interface PolicyConsumer {
  readonly policy_id: PolicyId
  readonly environment: EnvironmentName
}

/** Every version of some policies, or single versions. */
export type PolicyVersions =
  | { readonly policies: ReadonlyArray<PolicyId> }
  | { readonly keys: ReadonlyArray<{ readonly id: string; readonly version: number }> }

/** Port: the policies of an org. */
export class PolicyStore extends Context.Tag("@attestry/core/PolicyStore")<
  PolicyStore,
  {
    /** The policy of that name; none when there is none. */
    readonly findByName: (
      key: PolicyKey,
      locking?: Locking
    ) => Effect.Effect<Option.Option<Policy>, StoreError>
    /**
     * The policies of these names, in ascending order of name, in a shared lock until the transaction ends:
     * a lock of `findByName` waits for it, other calls of `holdByNames` do not. So an attachment sees a concurrent new
     * version, or the version sees the attachment. Unknown names are left out.
     */
    readonly holdByNames: (
      org: OrgId,
      names: ReadonlyArray<PolicyName>
    ) => Effect.Effect<ReadonlyArray<Policy>, StoreError>
    /** Every policy of the org, or those of these ids, in ascending order of name; unknown ids are left out. */
    readonly list: (
      org: OrgId,
      ids?: ReadonlyArray<PolicyId>
    ) => Effect.Effect<ReadonlyArray<Policy>, StoreError>
    /** Every version of these policies, those of one policy oldest first; or these versions, in any order. */
    readonly listVersions: (
      org: OrgId,
      which: PolicyVersions
    ) => Effect.Effect<ReadonlyArray<PolicyVersionRecord>, StoreError>
    /** The active environments that these policies are attached to, in ascending order of name. */
    readonly listConsumers: (
      org: OrgId,
      ids: ReadonlyArray<PolicyId>
    ) => Effect.Effect<ReadonlyArray<PolicyConsumer>, StoreError>
    /**
     * Adds a policy with its first version and returns true; returns false and does nothing when the name is taken.
     * Waits for a concurrent writer of the name to end, so that `findByName` after `false` finds the policy.
     */
    readonly insert: (
      policy: Policy,
      version: PolicyVersionRecord
    ) => Effect.Effect<boolean, StoreError>
    /**
     * Replaces the description and the time of change. With a version it replaces the policy and adds the version;
     * it fails when the number of the version is taken. The caller holds the policy's lock.
     *
     * A version marks every environment that the policy is attached to as pending and clears the digests of its last
     * report: each is evaluated before its verdict is read, and again with its next report, because the inputs of the
     * new version may change concurrently. Waits for concurrent writers of these environments, and returns their
     * number; 0 without a version. DECISIONS.md, "Pending environments are evaluated before they are read"
     *
     * Where there are more of them than `MarkedConsumersMax`, none is written and the number is 0: the org's clock of
     * changes moves, and each is behind until it is locked (`EnvironmentStore.listBehind`).
     */
    readonly update: (
      policy: Policy,
      version?: PolicyVersionRecord
    ) => Effect.Effect<number, StoreError>
  }
>() {}
