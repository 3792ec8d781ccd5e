/** `ProposalStore` in memory. A transaction is the only writer, so nothing needs a lock. */
import type { OrgId } from "@attestry/core/Identifier"
import * as Page from "@attestry/core/Page"
import * as Proposal from "@attestry/core/Proposal"
import { isSeen, ProposalStore } from "@attestry/core/ProposalStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, MemoryState, table } from "../shared/MemoryState.js"

const proposals = table<Proposal.Proposal>("proposal")

/** `ProposalStore` in memory. */
export const layer: Layer.Layer<ProposalStore, never, MemoryState> = Layer.effect(
  ProposalStore,
  Effect.gen(function* () {
    const state = yield* MemoryState
    const rows = yield* MemoryRows.make(proposals)

    /** The proposals of an org that are wanted, by number. */
    const select = (org: OrgId, keep: (proposal: Proposal.Proposal) => boolean) =>
      Effect.map(rows.values, (all) =>
        all
          .filter((proposal) => proposal.org_id === org && keep(proposal))
          .sort((left, right) => left.number - right.number)
      )

    return ProposalStore.of({
      countToAdd: (org, now) =>
        Effect.map(
          select(org, (proposal) => Proposal.isOpen(Proposal.stateAt(proposal, now))),
          (open) => open.length
        ),
      append: (draft) =>
        state.transaction(() =>
          Effect.gen(function* () {
            const before = yield* select(draft.org_id, () => true)
            const proposal = { ...draft, number: (before.at(-1)?.number ?? 0) + 1 }
            yield* rows.set(key(draft.org_id, proposal.number), proposal)
            return proposal
          })
        ),
      find: ({ number, org }) => rows.find(key(org, number)),
      decide: ({ approvals, ended, number, org_id }) =>
        state.transaction(() =>
          Effect.flatMap(rows.find(key(org_id, number)), (found) =>
            found._tag === "None"
              ? Effect.void
              : rows.set(key(org_id, number), { ...found.value, approvals, ended })
          )
        ),
      list: (org, { now, states, ...seen }, page) =>
        Effect.map(
          select(
            org,
            (each) => isSeen(seen, each) && (states?.includes(Proposal.stateAt(each, now)) ?? true)
          ),
          (found) => Page.slice([...found].reverse(), page)
        ),
      listExpired: (org, now) =>
        Effect.map(
          select(org, ({ ended, expires_at }) => ended === null && expires_at <= now),
          (found) => found.map(({ number }) => number)
        )
    })
  })
)
