/** Port: the proposals of an org. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgId, SpaceId } from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { Locking } from "../shared/Transaction.js"
import type { Proposal, ProposalDraft, ProposalKey, ProposalState } from "./Proposal.js"

/** The proposals of a user or account, and those of which every space is one of some. */
export interface OwnProposals {
  readonly proposer: string
  readonly spaces: ReadonlyArray<SpaceId>
}

/** Which proposals are listed. */
export interface ProposalQuery {
  /** The instant that states are for. */
  readonly now: Timestamp
  readonly states?: ReadonlyArray<ProposalState>
  /** Only proposals of which every space is one of these. */
  readonly within?: ReadonlyArray<SpaceId>
  /** Only proposals of this user or account, or in its spaces. */
  readonly own?: OwnProposals
}

/** Whether a proposal is one of those that a caller sees. */
export const isSeen = (
  { own, within }: Pick<ProposalQuery, "own" | "within">,
  { proposer, spaces }: Pick<Proposal, "proposer" | "spaces">
): boolean =>
  (within === undefined || spaces.every((space) => within.includes(space))) &&
  (own === undefined ||
    own.proposer === proposer.id ||
    spaces.every((space) => own.spaces.includes(space)))

/** Port: the proposals of an org. */
export class ProposalStore extends Context.Tag("@attestry/core/ProposalStore")<
  ProposalStore,
  {
    /** Keeps others from adding proposals until the transaction ends, and returns how many are open at an instant. */
    readonly countToAdd: (org: OrgId, now: Timestamp) => Effect.Effect<number, StoreError>
    /** Adds a proposal under the org's next number, counting from 1. Concurrent transactions get other numbers. */
    readonly append: (draft: ProposalDraft) => Effect.Effect<Proposal, StoreError>
    /** The proposal of that number; none when there is none. */
    readonly find: (
      key: ProposalKey,
      locking?: Locking
    ) => Effect.Effect<Option.Option<Proposal>, StoreError>
    /** Replaces approvals and end of the proposal of that number. The caller holds its lock. */
    readonly decide: (proposal: Proposal) => Effect.Effect<void, StoreError>
    /** One page of the proposals that pass the query, newest first. */
    readonly list: (
      org: OrgId,
      query: ProposalQuery,
      page: Page
    ) => Effect.Effect<Paged<Proposal>, StoreError>
    /** The numbers of the proposals that have not ended and expire by an instant, in order. */
    readonly listExpired: (
      org: OrgId,
      now: Timestamp
    ) => Effect.Effect<ReadonlyArray<number>, StoreError>
  }
>() {}
