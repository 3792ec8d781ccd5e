/**
 * Port: runs the request of a proposal as its operation would. The interface that has the operations provides it.
 *
 * The answer of the operation is dropped: `ProposableOperation` says whose requests can be proposed.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Actor } from "../access/Actor.js"
import type { StoreError } from "../shared/StoreError.js"
import type { InvalidProposal, ProposedRequest } from "./Proposal.js"

/** The operation has refused the request; the interface knows the error. */
export class OperationRefused extends Schema.TaggedError<OperationRefused>()("OperationRefused", {
  message: Schema.String,
  /** The error as the interface answers it. */
  error: Schema.Unknown
}) {}

/** Port: runs the request of a proposal. */
export class ProposedOperations extends Context.Tag("@attestry/core/ProposedOperations")<
  ProposedOperations,
  {
    /**
     * Runs a request in an org as an actor, in the transaction of the caller. A failure of a store is a `StoreError`,
     * so that a transaction can run again; every other error of the operation is `OperationRefused`.
     */
    readonly run: (
      request: ProposedRequest,
      actor: Actor
    ) => Effect.Effect<void, OperationRefused | InvalidProposal | StoreError>
    /** Fails if the operation needs a more recent sign-in than the actor's. */
    readonly fresh: (
      request: ProposedRequest,
      actor: Actor
    ) => Effect.Effect<void, OperationRefused | StoreError>
  }
>() {}
