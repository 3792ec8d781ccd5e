/**
 * Port: runs the request of a proposal as its operation would. The interface that has the operations provides it.
 *
 * The answer of the operation is dropped, so that operations that answer a secret cannot be proposed.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Actor } from "../access/Actor.js"
import type { StoreError } from "../shared/StoreError.js"
import type { InvalidProposal, ProposedRequest } from "./Proposal.js"

/** The operations whose requests can be proposed. Every other one is refused. */
export const PROPOSED_OPERATIONS = [
  "allowList.put",
  "attestation.override",
  "control.create",
  "control.unarchive",
  "control.update",
  "environment.attach",
  "environment.detach",
  "environment.join",
  "environment.patch",
  "environment.put",
  "membership.put",
  "membership.restore",
  "policy.put",
  "policy.putNamed",
  "protection.put",
  "serviceAccount.create",
  "serviceAccount.update",
  "signIn.put",
  "team.addMember",
  "team.put"
] as const

/** Whether requests of an operation can be proposed. */
export const isProposed = (operation: string): boolean =>
  PROPOSED_OPERATIONS.some((each) => each === operation)

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
