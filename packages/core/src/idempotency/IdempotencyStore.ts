/** Port: requests with an idempotency key. They are not part of the journal. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { StoredRequest, StoredResponse } from "./IdempotentRequest.js"

/** A claimed request: the digest of actor, route and key, and the token of the claim. */
export interface Claimed {
  readonly org: OrgId
  readonly request: string
  readonly token: string
}

/** A claim of a request. */
export interface Claim extends Claimed {
  /** The digest of the content of the request. */
  readonly content: string
  readonly seconds: number
}

/** The result of a claimed request, and how long it is stored. */
export interface Completion {
  /** None when only the fact of completion is stored. */
  readonly response: Option.Option<StoredResponse>
  readonly seconds: number
}

/** Port: requests with an idempotency key. */
export class IdempotencyStore extends Context.Tag("@attestry/core/IdempotencyStore")<
  IdempotencyStore,
  {
    /**
     * Claims a request for `seconds` and returns none when it is unknown or has expired. Otherwise returns the
     * stored request and does nothing. Of concurrent claims of one request exactly one returns none.
     */
    readonly claim: (claim: Claim) => Effect.Effect<Option.Option<StoredRequest>, StoreError>
    /**
     * Stores the result of a claimed request for `seconds` and returns true; returns false and does nothing
     * when the claim has another token or is complete. Also deletes some expired requests of any org, so that
     * the number of stored requests stays bounded.
     */
    readonly complete: (
      claimed: Claimed,
      completion: Completion
    ) => Effect.Effect<boolean, StoreError>
    /** Deletes a claim; does nothing when it has another token or is complete. */
    readonly release: (claimed: Claimed) => Effect.Effect<void, StoreError>
  }
>() {}
