/** Port: the allow-lists of environments. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Fingerprint } from "../artifact/Fingerprint.js"
import type { EnvironmentRef } from "../environment/Environment.js"
import type { EnvironmentName, OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { AllowListEntry } from "./AllowListEntry.js"

/** An entry with the name of its environment. */
export interface NamedEntry {
  readonly environment: EnvironmentName
  readonly entry: AllowListEntry
}

/** Port: the allow-lists of environments. */
export class AllowListStore extends Context.Tag("@attestry/core/AllowListStore")<
  AllowListStore,
  {
    /** Every entry of an environment, oldest first, then by fingerprint; empty for an unknown environment. */
    readonly listAllowed: (
      ref: EnvironmentRef
    ) => Effect.Effect<ReadonlyArray<AllowListEntry>, StoreError>
    /** Every entry of the active environments of an org, newest first, then by environment name and fingerprint. */
    readonly listAllowedOfOrg: (org: OrgId) => Effect.Effect<ReadonlyArray<NamedEntry>, StoreError>
    /** Adds the entry, or replaces the entry of the same fingerprint. The caller holds the environment's lock. */
    readonly putAllowed: (entry: AllowListEntry) => Effect.Effect<void, StoreError>
    /**
     * Removes the entry of a fingerprint; does nothing when there is none. The caller holds the environment's lock.
     */
    readonly removeAllowed: (
      ref: EnvironmentRef,
      fingerprint: Fingerprint
    ) => Effect.Effect<void, StoreError>
  }
>() {}
