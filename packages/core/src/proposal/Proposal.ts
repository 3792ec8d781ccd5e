/**
 * A proposal: a stored request for a protected change, which is made once enough other people have approved it. Pure.
 * SPEC §2.30
 *
 * A proposal is never edited: approvals are added, and it ends once. Its state is a function of the record and an
 * instant.
 */
import * as Schema from "effect/Schema"
import { ProtectionKind, type Requirement, type SpaceIds } from "../protection/Protection.js"
import { CredentialId, OrgId, OrgName, SpaceId } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"

/** The most characters of a reason and of a comment. */
export const REASON_LENGTH_MAX = 2_000
/** The canonical text of a request has at most this many characters. */
export const REQUEST_LENGTH_MAX = 262_144
/** The most proposals of an org that have not ended. */
export const OPEN_MAX = 1_000

/** A reason: a text that is not blank. */
export const Reason = Schema.String.pipe(
  Schema.filter((text) => text.trim() !== "" || "String should not be blank"),
  Schema.maxLength(REASON_LENGTH_MAX)
)

/** A comment of an approver; may be empty. */
export const Comment = Schema.String.pipe(Schema.maxLength(REASON_LENGTH_MAX))

/** The state of a proposal. */
export const ProposalState = Schema.Literal(
  "made",
  "approved",
  "applied",
  "rejected",
  "withdrawn",
  "expired",
  "stale",
  "failed"
).annotations({ identifier: "ProposalState" })
/** The state of a proposal. */
export type ProposalState = typeof ProposalState.Type

/** The request of a proposal: an operation with the parameters of its path and its body. */
export const ProposedRequest = Schema.Struct({
  /** The name of the operation. */
  operation: Schema.String,
  params: Schema.Record({ key: Schema.String, value: Schema.String }),
  body: Schema.Unknown
})
/** The request of a proposal. */
export type ProposedRequest = typeof ProposedRequest.Type

/** A change that a proposal would make: what was there when it was made, and what will be there. */
export const ProposedChange = Schema.Struct({
  kinds: Schema.Array(ProtectionKind),
  subject: Schema.Struct({ type: Schema.String, name: Schema.String }),
  /** The spaces where it is made. */
  spaces: Schema.Array(SpaceId),
  before: Schema.Unknown,
  after: Schema.Unknown
})
/** A change that a proposal would make. */
export type ProposedChange = typeof ProposedChange.Type

/** Who made a proposal. */
export const Proposer = Schema.Struct({
  kind: Schema.Literal("user", "service-account"),
  id: Schema.String,
  /** The name at that time. */
  user: Schema.String,
  credential: CredentialId
})
/** Who made a proposal. */
export type Proposer = typeof Proposer.Type

/** One approval. */
export const Approval = Schema.Struct({
  user_id: Schema.String,
  /** The name of the user at that time. */
  user: Schema.String,
  at: Timestamp,
  comment: Schema.String
})
/** One approval. */
export type Approval = typeof Approval.Type

/** How a proposal ended. */
export const Ending = Schema.Struct({
  state: Schema.Literal("applied", "rejected", "withdrawn", "expired", "stale", "failed"),
  at: Timestamp,
  /** Who ended it; null for an end that time brought. */
  user_id: Schema.NullOr(Schema.String),
  user: Schema.NullOr(Schema.String),
  /** The comment of a rejection, or why the change failed. */
  comment: Schema.String
})
/** How a proposal ended. */
export type Ending = typeof Ending.Type

/** A proposal before the store assigns its number. */
export const ProposalDraft = Schema.Struct({
  org_id: OrgId,
  request: ProposedRequest,
  /** SHA-256 of the canonical text of the request. */
  digest: Schema.String,
  changes: Schema.Array(ProposedChange),
  /** SHA-256 of the canonical text of what is there before the changes. */
  state_digest: Schema.String,
  /** The kinds of all changes, in the order of the list. */
  kinds: Schema.Array(ProtectionKind),
  /** The spaces of all changes when it was made, each once. */
  spaces: Schema.Array(SpaceId),
  reason: Schema.String,
  proposer: Proposer,
  /** People who may not approve besides the proposer: who made the proposing account, and who issued its key. */
  barred: Schema.Array(Schema.String),
  made_at: Timestamp,
  expires_at: Timestamp,
  /** Oldest first, each of another user. */
  approvals: Schema.Array(Approval),
  ended: Schema.NullOr(Ending)
})
/** A proposal before the store assigns its number. */
export type ProposalDraft = typeof ProposalDraft.Type

/** A proposal; numbers count from 1 in each org. */
export const Proposal = Schema.Struct({ ...ProposalDraft.fields, number: Schema.Int })
/** A proposal. */
export type Proposal = typeof Proposal.Type

/** The number of a proposal in an org. */
export interface ProposalKey {
  readonly org: OrgId
  readonly number: number
}

/** The key of a proposal. */
export const keyOf = ({ number, org_id }: Proposal): ProposalKey => ({ org: org_id, number })

/** The state of a proposal at an instant. */
export const stateAt = (
  { approvals, ended, expires_at }: Pick<ProposalDraft, "approvals" | "ended" | "expires_at">,
  now: Timestamp
): ProposalState => {
  if (ended !== null) return ended.state
  if (now >= expires_at) return "expired"
  return approvals.length === 0 ? "made" : "approved"
}

/** Whether a state can still change by a decision. */
export const isOpen = (state: ProposalState): state is "made" | "approved" =>
  state === "made" || state === "approved"

/** What a person must be to approve, besides another person. */
export interface Approver {
  readonly kind: "user" | "service-account"
  readonly id: string
  /** The spaces in which a role has `proposal.approve`, without those below them. */
  readonly spaces: ReadonlySet<SpaceId>
  /** The names of the teams of the person. */
  readonly teams: ReadonlySet<string>
}

/** Whether a role of a person has `proposal.approve` at the end of a path. */
export const isAdminAt = ({ spaces }: Pick<Approver, "spaces">, path: SpaceIds): boolean =>
  path.some((space) => spaces.has(space))

/** Whether a person may approve changes at the end of a path, by what their protection asks for. */
export const isApprover = (
  { kind, spaces, teams }: Omit<Approver, "id">,
  { team }: Pick<Requirement, "team">,
  path: SpaceIds
): boolean => kind === "user" && (isAdminAt({ spaces }, path) || (team !== null && teams.has(team)))

/** Whether a user is another person than those who stand behind a proposal. */
export const isOther = (
  { barred, proposer }: Pick<Proposal, "barred" | "proposer">,
  user: string
): boolean => user !== proposer.id && !barred.includes(user)

/** What is asked for of a proposal, and the path of the lowest space that all its changes are in. */
export interface Asked extends Requirement {
  readonly path: SpaceIds
}

/** Why an approver may not decide about a proposal; undefined for those who may. */
export const refusalOf = (
  proposal: Pick<Proposal, "barred" | "proposer">,
  approver: Approver,
  asked: Pick<Asked, "team" | "path">
): ProposalForbidden["because"] | undefined => {
  if (approver.kind === "service-account") return "service-account"
  if (!isOther(proposal, approver.id)) return "own-proposal"
  return isApprover(approver, asked, asked.path) ? undefined : "approver"
}

/** Whether enough other people have approved who may do so now. */
export const isEnough = (
  proposal: Pick<Proposal, "approvals" | "barred" | "proposer">,
  approvers: ReadonlyMap<string, Approver>,
  asked: Asked
): boolean => {
  const counted = new Set(
    proposal.approvals
      .map(({ user_id }) => user_id)
      .filter((user) => {
        const approver = approvers.get(user)
        return (
          approver !== undefined &&
          isOther(proposal, user) &&
          isApprover(approver, asked, asked.path)
        )
      })
  )
  return counted.size >= asked.approvals
}

/** A proposal with one more approval. */
export const approve = (proposal: Proposal, approval: Approval): Proposal => ({
  ...proposal,
  approvals: [...proposal.approvals, approval]
})

/** There is no proposal of that number. */
export class ProposalNotFound extends Schema.TaggedError<ProposalNotFound>()("ProposalNotFound", {
  org: OrgName,
  number: Schema.Int
}) {
  override get message(): string {
    return `Proposal ${this.number} does not exist in organization '${this.org}'`
  }
}

/** A request that cannot be proposed, with a sentence for each field. */
export class InvalidProposal extends Schema.TaggedError<InvalidProposal>()("InvalidProposal", {
  problems: Schema.Record({ key: Schema.String, value: Schema.String })
}) {
  override get message(): string {
    return "the change cannot be proposed"
  }
}

/** No protection covers the change, so that it needs no proposal. */
export class NothingHeld extends Schema.TaggedError<NothingHeld>()("NothingHeld", {
  operation: Schema.String
}) {
  override get message(): string {
    return "this change needs nobody's approval: send it directly"
  }
}

/** The proposal has ended, so that it takes no decision. */
export class ProposalDecided extends Schema.TaggedError<ProposalDecided>()("ProposalDecided", {
  number: Schema.Int,
  state: ProposalState
}) {
  override get message(): string {
    return `proposal ${this.number} is ${this.state}`
  }
}

/** The approver has seen another request than the stored one. */
export class OtherDigest extends Schema.TaggedError<OtherDigest>()("OtherDigest", {
  number: Schema.Int
}) {
  override get message(): string {
    return `proposal ${this.number} has another digest: look at it again, and send its \`digest\``
  }
}

/** The user has approved the proposal before; each approval is of another person. */
export class ProposalApprovedBefore extends Schema.TaggedError<ProposalApprovedBefore>()(
  "ProposalApprovedBefore",
  { number: Schema.Int }
) {
  override get message(): string {
    return `you have approved proposal ${this.number} already: another person must approve it too`
  }
}

const SENTENCES = {
  "own-proposal": (number: number) => `proposal ${number} is your own: another person must decide`,
  "service-account": (number: number) =>
    `a service account cannot decide about proposal ${number}: a person must`,
  approver: (number: number) => `you may not decide about proposal ${number}: an admin must`,
  "not-yours": (number: number) => `only its proposer and admins may withdraw proposal ${number}`
}

/** The actor may not decide about the proposal, or may not withdraw it. */
export class ProposalForbidden extends Schema.TaggedError<ProposalForbidden>()(
  "ProposalForbidden",
  {
    number: Schema.Int,
    because: Schema.Literal("own-proposal", "service-account", "approver", "not-yours")
  }
) {
  override get message(): string {
    return SENTENCES[this.because](this.number)
  }
}

/** The approved change could not be made; the proposal has ended. */
export class ProposalNotApplied extends Schema.TaggedError<ProposalNotApplied>()(
  "ProposalNotApplied",
  { number: Schema.Int, state: Schema.Literal("stale", "failed"), detail: Schema.String }
) {
  override get message(): string {
    return this.state === "stale"
      ? `proposal ${this.number} is stale: what it changes has changed since. Propose it again`
      : `proposal ${this.number} has failed: ${this.detail}`
  }
}

/** The org has as many open proposals as it may have. */
export class TooManyProposals extends Schema.TaggedError<TooManyProposals>()("TooManyProposals", {
  most: Schema.Int
}) {
  override get message(): string {
    return `the org has ${this.most} open proposals: decide or withdraw some`
  }
}
