/** Serves the operations of proposals. */
import { type ListedProposal, ProposalApi, type ProposalResponse } from "@attestry/api/ProposalApi"
import { Proposals, type ProposalView } from "@attestry/core/Proposals"
import { ProposedOperations } from "@attestry/core/ProposedOperations"
import * as Effect from "effect/Effect"
import { created, ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import { counters, pageOf } from "../../shared/internal/Paging.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"

const listedOf = ({
  approvals_required,
  proposal,
  space,
  state
}: ProposalView): typeof ListedProposal.Type => ({
  number: proposal.number,
  state,
  operation: proposal.request.operation,
  params: proposal.request.params,
  kinds: proposal.kinds,
  subjects: proposal.changes.map(({ subject }) => subject),
  space,
  digest: proposal.digest,
  reason: proposal.reason,
  proposed_by: proposal.proposer.user,
  proposer_kind: proposal.proposer.kind,
  made_at: proposal.made_at,
  expires_at: proposal.expires_at,
  approvals_required,
  approvals: proposal.approvals.map(({ at, comment, user }) => ({ user, at, comment })),
  ended:
    proposal.ended === null
      ? null
      : {
          at: proposal.ended.at,
          user: proposal.ended.user,
          comment: proposal.ended.comment
        }
})

const responseOf = (view: ProposalView): typeof ProposalResponse.Type => ({
  ...listedOf(view),
  body: view.proposal.request.body ?? null,
  changes: view.proposal.changes.map(({ after, before, subject }) => ({
    ...subject,
    before,
    after
  }))
})

/** Serves the operations of proposals. */
export const ProposalHandlers = group(
  ProposalApi,
  Effect.gen(function* () {
    const proposals = yield* Proposals
    const operations = yield* ProposedOperations
    const base = yield* PublicUrl
    const running = Effect.provideService(ProposedOperations, operations)
    return {
      list: ({ incoming, path, urlParams }) => {
        const page = pageOf(urlParams)
        const states = urlParams.state
        return proposals.list(path.org, states === undefined ? {} : { states }, page).pipe(
          toWire,
          Effect.map(({ items, total }) =>
            ok({
              ...counters(base, incoming, { total, page }),
              proposals: items.map(listedOf)
            })
          )
        )
      },
      make: ({ path, payload }) => {
        const { body, operation, params, reason } = payload
        const request = { operation, params: params ?? {}, body: body ?? null }
        return proposals.make(path.org, { request, reason }).pipe(
          running,
          toWire,
          Effect.map((view) => created(responseOf(view)))
        )
      },
      get: ({ path }) =>
        proposals.get(path).pipe(
          toWire,
          Effect.map((view) => ok(responseOf(view)))
        ),
      approve: ({ path, payload }) =>
        proposals.approve(path, { digest: payload.digest, comment: payload.comment ?? "" }).pipe(
          running,
          toWire,
          Effect.map((view) => ok(responseOf(view)))
        ),
      reject: ({ path, payload }) =>
        proposals.reject(path, payload.comment ?? "").pipe(
          toWire,
          Effect.map((view) => ok(responseOf(view)))
        ),
      withdraw: ({ path }) =>
        proposals.withdraw(path).pipe(
          toWire,
          Effect.map((view) => ok(responseOf(view)))
        )
    }
  })
)
