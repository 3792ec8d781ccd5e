/** How proposals end: by a decision, or by time. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as WriteContext from "../../access/internal/WriteContext.js"
import type { OrgId } from "../../shared/Identifier.js"
import type * as Timestamp from "../../shared/Timestamp.js"
import { Transaction } from "../../shared/Transaction.js"
import * as Proposal from "../Proposal.js"
import { ProposalStore } from "../ProposalStore.js"
import * as ProposalRecords from "./ProposalRecords.js"

/** The actor of ends that time alone brings. */
const SYSTEM = { kind: "system", id: "proposals", name: "proposals" } as const

/** The ends of proposals. */
export const make = Effect.gen(function* () {
  const store = yield* ProposalStore
  const transaction = yield* Transaction
  const { record, tell } = yield* ProposalRecords.make

  const endingOf = (
    state: Proposal.Ending["state"],
    { actor, at }: WriteContext.WriteContext,
    comment: string
  ): Proposal.Ending => ({ state, at, user_id: actor.id, user: actor.name, comment })

  const end = (
    writer: WriteContext.WriteContext,
    proposal: Proposal.Proposal,
    ended: Proposal.Ending
  ) =>
    Effect.gen(function* () {
      const next = { ...proposal, ended }
      yield* store.decide(next)
      yield* record(writer, `proposal_${ended.state}`, next)
      yield* tell(next, "updated")
      return next
    })

  /**
   * Records the ends of proposals that have expired by an instant, each once; how many it has recorded. Runs in any
   * process at any time: a second call finds nothing to record.
   */
  const expire = Effect.fn("Proposals.expire")(function* (org: OrgId, now: Timestamp.Timestamp) {
    const numbers = yield* store.listExpired(org, now)
    const expired = yield* Effect.forEach(numbers, (number) =>
      transaction.run(org, (scope) =>
        Effect.gen(function* () {
          const writer = { org, actor: SYSTEM, at: yield* scope.now }
          const proposal = yield* store.find({ org, number }, { lock: true })
          if (Option.isNone(proposal) || proposal.value.ended !== null) return false
          if (Proposal.stateAt(proposal.value, now) !== "expired") return false
          yield* end(writer, proposal.value, {
            state: "expired",
            at: writer.at,
            user_id: null,
            user: null,
            comment: ""
          })
          return true
        })
      )
    )
    return expired.filter((isNew) => isNew).length
  })

  return { endingOf, end, expire } as const
})
