/** Port: the allow-lists of environments. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Fingerprint } from "../artifact/Fingerprint.js"
import type { EnvironmentRef } from "../environment/Environment.js"
import type { StoreError } from "../shared/StoreError.js"
import type { AllowListEntry } from "./AllowListEntry.js"

/** Port: the allow-lists of environments. */
export class AllowListStore extends Context.Tag("@attestry/core/AllowListStore")<
  AllowListStore,
  {
    /** Every entry of an environment, oldest first. */
    readonly list: (ref: EnvironmentRef) => Effect.Effect<ReadonlyArray<AllowListEntry>, StoreError>
    /** Adds the entry, or replaces the one of its fingerprint. The caller holds the environment's lock. */
    readonly put: (entry: AllowListEntry) => Effect.Effect<void, StoreError>
    /** Removes the entry of a fingerprint; nothing happens when there is none. */
    readonly remove: (
      ref: EnvironmentRef,
      fingerprint: Fingerprint
    ) => Effect.Effect<void, StoreError>
  }
>() {}
