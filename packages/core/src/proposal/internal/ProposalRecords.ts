/** Entries, outcomes and notices of proposals, and the digests of what they change. */
import * as Effect from "effect/Effect"
import { AccessNotices, type ProposalNotice } from "../../access/AccessNotices.js"
import type { WriteContext } from "../../access/internal/WriteContext.js"
import { Journals } from "../../journal/Journals.js"
import { ProtectionKind } from "../../protection/Protection.js"
import * as CanonicalJson from "../../shared/CanonicalJson.js"
import { setOutcome } from "../../shared/CurrentOutcome.js"
import { Secrets } from "../../shared/Secrets.js"
import type { WriteOutcome } from "../../shared/WriteOutcome.js"
import type { Proposal, ProposedChange, ProposedRequest } from "../Proposal.js"

/** The kinds of entries of proposals. */
export type ProposalEntry =
  | "proposal_made"
  | "proposal_approved"
  | "proposal_applied"
  | "proposal_rejected"
  | "proposal_withdrawn"
  | "proposal_expired"
  | "proposal_stale"
  | "proposal_failed"

/** The state of a proposal after each entry. */
const STATES: { readonly [kind in ProposalEntry]: ProposalNotice["state"] } = {
  proposal_made: "made",
  proposal_approved: "approved",
  proposal_applied: "applied",
  proposal_rejected: "rejected",
  proposal_withdrawn: "withdrawn",
  proposal_expired: "expired",
  proposal_stale: "stale",
  proposal_failed: "failed"
}

/** The changes in the form of JSON, as they are stored. */
export const plain = (changes: ReadonlyArray<ProposedChange>): ReadonlyArray<ProposedChange> =>
  // INVARIANT: the canonical text is of exactly these members.
  JSON.parse(CanonicalJson.print(changes))

/** The kinds of changes, each once, in the order of the list. */
export const kindsOf = (changes: ReadonlyArray<ProposedChange>): ReadonlyArray<ProtectionKind> =>
  ProtectionKind.literals.filter((kind) => changes.some(({ kinds }) => kinds.includes(kind)))

/** Entries, outcomes and digests of proposals. */
export const make = Effect.gen(function* () {
  const journals = yield* Journals
  const notices = yield* AccessNotices
  const secrets = yield* Secrets

  const notify = (
    { actor, at, org }: WriteContext,
    state: ProposalNotice["state"],
    { number, proposer, reason, request }: Proposal
  ) =>
    notices.add(org, at, {
      _tag: "Proposal",
      number,
      state,
      by: actor.kind === "system" ? null : actor.name,
      proposed_by: proposer.user,
      operation: request.operation,
      reason
    })

  /** Records a decision and tells it. The first entry has the whole proposal, later ones what decisions change. */
  const record = (writer: WriteContext, kind: ProposalEntry, proposal: Proposal) => {
    const { approvals, ended, number } = proposal
    return Effect.zipRight(
      journals.record({
        ...writer,
        kind,
        subject: { type: "proposal", id: String(number) },
        content: kind === "proposal_made" ? proposal : { number, approvals, ended }
      }),
      notify(writer, STATES[kind], proposal)
    )
  }

  const tell = (
    { number, request }: Pick<Proposal, "number" | "request">,
    result: WriteOutcome["result"]
  ) => setOutcome({ type: "proposal", id: String(number), name: request.operation, result })

  const digestOf = (request: ProposedRequest) => secrets.digest(CanonicalJson.print(request))

  /** The digest of what is there before changes. */
  const stateDigestOf = (changes: ReadonlyArray<ProposedChange>) =>
    secrets.digest(CanonicalJson.print(changes.map(({ before, subject }) => ({ before, subject }))))

  return { record, tell, digestOf, stateDigestOf } as const
})
