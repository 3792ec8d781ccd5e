/** Port: the policies of an org, their versions, and who consumes them. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { EnvironmentName, OrgId, PolicyId, PolicyName } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Policy, PolicyKey, PolicyVersionRecord } from "./Policy.js"

/** An environment that a policy is attached to. */
export interface PolicyConsumer {
  readonly policy_id: PolicyId
  readonly environment: EnvironmentName
}

/** Port: the policies of an org. */
export class PolicyStore extends Context.Tag("@attestry/core/PolicyStore")<
  PolicyStore,
  {
    /** The policy of that name. */
    readonly findByName: (key: PolicyKey) => Effect.Effect<Option.Option<Policy>, StoreError>
    /** The same, kept from other writers until the transaction ends. */
    readonly lockByName: (key: PolicyKey) => Effect.Effect<Option.Option<Policy>, StoreError>
    /**
     * The policies of these names, by name; kept from changing until the transaction ends, so that
     * whoever attaches one and whoever saves a version of it see each other. A name that nobody has is
     * passed over.
     */
    readonly holdByNames: (
      org: OrgId,
      names: ReadonlyArray<PolicyName>
    ) => Effect.Effect<ReadonlyArray<Policy>, StoreError>
    /** The policies of these ids, by name. */
    readonly listByIds: (
      org: OrgId,
      ids: ReadonlyArray<PolicyId>
    ) => Effect.Effect<ReadonlyArray<Policy>, StoreError>
    /** Every policy of the org, by name. */
    readonly list: (org: OrgId) => Effect.Effect<ReadonlyArray<Policy>, StoreError>
    /** Every version of these policies, those of one policy oldest first. */
    readonly listVersions: (
      org: OrgId,
      ids: ReadonlyArray<PolicyId>
    ) => Effect.Effect<ReadonlyArray<PolicyVersionRecord>, StoreError>
    /** These versions, in any order; one that is not there is passed over. */
    readonly listVersionsAt: (
      org: OrgId,
      keys: ReadonlyArray<{ readonly id: string; readonly version: number }>
    ) => Effect.Effect<ReadonlyArray<PolicyVersionRecord>, StoreError>
    /** The environments that consume these policies, archived ones left out, by name. */
    readonly listConsumers: (
      org: OrgId,
      ids: ReadonlyArray<PolicyId>
    ) => Effect.Effect<ReadonlyArray<PolicyConsumer>, StoreError>
    /**
     * Adds a policy with its first version; `false`, and nothing done, when the name is taken. Waits for
     * a concurrent writer of the same name, so that after `false` a look finds what took it.
     */
    readonly insert: (
      policy: Policy,
      version: PolicyVersionRecord
    ) => Effect.Effect<boolean, StoreError>
    /** Replaces description and time of change. The caller holds the policy's lock. */
    readonly update: (policy: Policy) => Effect.Effect<void, StoreError>
    /**
     * Replaces the policy and adds the version that it is now at; one whose number is taken is a failure,
     * never a replacement. Makes every environment pending that consumes the policy, and says how many:
     * each is evaluated before anybody reads its verdict, and once more with its next report, because
     * what a version newly looks at may be changing at this moment. Waits for whoever is writing one of
     * them. The caller holds the policy's lock. DECISION S10
     */
    readonly addVersion: (
      policy: Policy,
      version: PolicyVersionRecord
    ) => Effect.Effect<number, StoreError>
  }
>() {}
