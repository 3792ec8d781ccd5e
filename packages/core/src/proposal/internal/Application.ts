/**
 * Makes the change of a proposal that enough people have approved, inside the transaction of the last approval.
 *
 * The change is made by the operation itself, as the proposer. Where it cannot be made, its own writes are undone and
 * the approval stays.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { CurrentProposal } from "../../journal/CurrentProposal.js"
import {
  Holding,
  type HoldingMode,
  type PlacedChange
} from "../../protection/internal/HeldChanges.js"
import type { Requirement, SpaceIds } from "../../protection/Protection.js"
import { CurrentOutcome } from "../../shared/CurrentOutcome.js"
import type { OrgName } from "../../shared/Identifier.js"
import { DryRun } from "../../shared/internal/DryRun.js"
import { Transaction } from "../../shared/Transaction.js"
import * as Proposal from "../Proposal.js"
import { ProposedOperations } from "../ProposedOperations.js"
import * as ProposalRecords from "./ProposalRecords.js"
import * as Proposers from "./Proposers.js"

/** What became of the change. */
export type Applied =
  /** Approvals are missing. */
  | { readonly _tag: "Waiting" }
  | { readonly _tag: "Applied" }
  /** What it changes has changed since it was proposed. */
  | { readonly _tag: "Stale" }
  | { readonly _tag: "Failed"; readonly detail: string }

/** The change was made of another state than the approvers have seen; its transaction is undone. */
class OtherState {
  readonly _tag = "OtherState"
}

/** The most characters of the reason of a failure that are kept. */
const DETAIL_LENGTH_MAX = 1_000

/** Makes the change of a proposal. */
export const make = Effect.gen(function* () {
  const transaction = yield* Transaction
  const people = yield* Proposers.make
  const { digestOf, stateDigestOf } = yield* ProposalRecords.make

  /** Those who have approved, with their rights of now. */
  const approversOf = ({ approvals, org_id }: Proposal.Proposal, org: OrgName) =>
    Effect.map(
      Effect.forEach(approvals, ({ user_id }) =>
        people.approver(user_id, { id: org_id, name: org })
      ),
      (found) =>
        new Map(
          found.flatMap((each) =>
            Option.isSome(each) ? [[each.value.id, each.value] as const] : []
          )
        )
    )

  /** Runs the request as the proposer; a failure undoes it. */
  const run = Effect.fnUntraced(function* (
    proposal: Proposal.Proposal,
    org: OrgName,
    mode: Extract<HoldingMode, { readonly _tag: "Approved" }>
  ) {
    const operations = yield* ProposedOperations
    const ref = { id: proposal.org_id, name: org }
    const proposer = yield* people.proposer(proposal.proposer, ref)
    if (Option.isNone(proposer))
      return { _tag: "Failed", detail: "the proposer is no member any more" } as const
    const { number } = proposal
    const approved_by = proposal.approvals.map(({ user }) => user)
    const write = Effect.gen(function* () {
      mode.changes.length = 0
      yield* operations.run(proposal.request, proposer.value)
      if ((yield* stateDigestOf(ProposalRecords.plain(mode.changes))) !== proposal.state_digest)
        return yield* Effect.fail(new OtherState())
    }).pipe(
      Effect.provideService(CurrentProposal, { number, approved_by }),
      Effect.provideService(Holding, mode),
      // The outcome of the request is that of the proposal.
      Effect.provideService(CurrentOutcome, undefined),
      // WHY: the change is not committed when its operation ends, so work after a commit must wait.
      Effect.provideService(DryRun, true)
    )
    return yield* transaction
      .run(proposal.org_id, () => write)
      .pipe(
        Effect.as<Applied>({ _tag: "Applied" }),
        Effect.catchTags({
          OtherState: () => Effect.succeed<Applied>({ _tag: "Stale" }),
          OperationRefused: ({ message }) =>
            Effect.succeed<Applied>(
              mode.missing.isHeld
                ? { _tag: "Waiting" }
                : { _tag: "Failed", detail: message.slice(0, DETAIL_LENGTH_MAX) }
            ),
          InvalidProposal: ({ message }) =>
            Effect.succeed<Applied>({ _tag: "Failed", detail: message })
        })
      )
  })

  /** Makes the change of a locked proposal, if its approvals are enough. */
  return Effect.fnUntraced(function* (
    proposal: Proposal.Proposal,
    { asked, name }: { readonly name: OrgName; readonly asked: Proposal.Asked }
  ) {
    const approvers = yield* approversOf(proposal, name)
    const isEnough = (requirement: Requirement, path: SpaceIds) =>
      Proposal.isEnough(proposal, approvers, { ...requirement, path })
    if (!isEnough(asked, asked.path)) return { _tag: "Waiting" } as const
    // An erasure may have changed the stored request.
    if ((yield* digestOf(proposal.request)) !== proposal.digest) return { _tag: "Stale" } as const
    const changes: Array<PlacedChange> = []
    const missing = { isHeld: false }
    return yield* run(proposal, name, { _tag: "Approved", changes, isEnough, missing })
  })
})
