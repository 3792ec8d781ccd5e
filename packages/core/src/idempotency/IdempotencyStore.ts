/** Port: what is known of requests that came with a key of their own. No part of the record. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { StoredRequest, StoredResponse } from "./IdempotentRequest.js"

/** A request that somebody has claimed: the digest of who asks for what under which key, and their token. */
export interface Claimed {
  readonly org: OrgId
  readonly request: string
  readonly token: string
}

/** A request that somebody would like to carry out. */
export interface Claim extends Claimed {
  /** The digest of what the request says. */
  readonly content: string
  readonly seconds: number
}

/** What is to be known of a request from now on, and for how long. */
export interface Completion {
  /** None when only that it was carried out is to be known. */
  readonly response: Option.Option<StoredResponse>
  readonly seconds: number
}

/** Port: what is known of requests that came with a key of their own. */
export class IdempotencyStore extends Context.Tag("@attestry/core/IdempotencyStore")<
  IdempotencyStore,
  {
    /**
     * Claims a request that nothing is known of, or nothing any more, and answers none; else what is
     * known, and nothing done. Of any number that claim a request at once, exactly one is answered none.
     */
    readonly claim: (claim: Claim) => Effect.Effect<Option.Option<StoredRequest>, StoreError>
    /**
     * Says what became of a claimed request; `false`, and nothing done, when the claim has gone to
     * somebody else. Forgets what has ended, in any org, some at a time: what is known stays bounded by
     * what was asked within the time that answers are kept.
     */
    readonly complete: (
      claimed: Claimed,
      completion: Completion
    ) => Effect.Effect<boolean, StoreError>
    /** Gives a claim back, as if nobody had asked; nothing done when it has gone to somebody else. */
    readonly release: (claimed: Claimed) => Effect.Effect<void, StoreError>
  }
>() {}
