/** Port: the versions of the trust policies of orgs. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { TrustPolicyVersion } from "./TrustPolicyVersion.js"

/** Port: the versions of the trust policies of orgs. */
export class TrustPolicyStore extends Context.Tag("@attestry/core/TrustPolicyStore")<
  TrustPolicyStore,
  {
    /**
     * Adds a version and returns true; returns false and does nothing if its number is taken. Waits for a concurrent
     * writer of the number to end, so that `findLatest` after `false` finds its version.
     */
    readonly append: (version: TrustPolicyVersion) => Effect.Effect<boolean, StoreError>
    /** The version with the highest number; none for an org without a trust policy. */
    readonly findLatest: (
      org: OrgId
    ) => Effect.Effect<Option.Option<TrustPolicyVersion>, StoreError>
    /** The version of that number; none if there is none. */
    readonly find: (
      org: OrgId,
      version: number
    ) => Effect.Effect<Option.Option<TrustPolicyVersion>, StoreError>
    /** Every version of the org, newest first. */
    readonly list: (org: OrgId) => Effect.Effect<ReadonlyArray<TrustPolicyVersion>, StoreError>
  }
>() {}
