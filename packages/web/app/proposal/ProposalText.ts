/** Proposals in words, and whether the reader may decide about one. */
import type { ListedProposal, Session } from "../shared/Contract.js"

export type State = ListedProposal["state"]

/** The states in the order of a proposal's life. */
export const STATES: ReadonlyArray<State> = [
  "made",
  "approved",
  "applied",
  "rejected",
  "withdrawn",
  "expired",
  "stale",
  "failed"
]

/** The states in which people may still decide. */
export const OPEN: ReadonlyArray<State> = ["made", "approved"]

export const isOpen = (state: State): boolean => OPEN.includes(state)

type Kind = ListedProposal["kinds"][number]

export const KINDS: { readonly [kind in Kind]: string } = {
  policy: "policies",
  control: "controls",
  attachment: "policies of environments",
  "allow-list": "allowed artifacts",
  override: "overrides of evidence",
  waiver: "waivers",
  trust: "trust in signed evidence",
  access: "access of people and accounts",
  "sign-in": "sign-in and protections"
}

/** `policy prod-rules`; each subject once. */
export const subjectsText = ({ subjects }: Pick<ListedProposal, "subjects">): string =>
  [...new Set(subjects.map(({ name, type }) => `${type.replaceAll("_", " ")} ${name}`))].join(", ")

/** `1 of 2 approvals`. */
export const approvalsText = ({
  approvals,
  approvals_required
}: Pick<ListedProposal, "approvals" | "approvals_required">): string =>
  `${approvals.length} of ${approvals_required} ${approvals_required === 1 ? "approval" : "approvals"}`

/** Whether the reader may decide about a proposal, or why not. */
export type Standing = "may" | "decided" | "own" | "approved" | "service-account"

type Standable = Pick<ListedProposal, "state" | "proposed_by" | "proposer_kind" | "approvals">

const isOwn = ({ proposed_by, proposer_kind }: Standable, { actor }: Session): boolean =>
  actor.kind === proposer_kind && actor.name === proposed_by

/** WHY by name: answers name people as sessions do. The server decides by id, whatever a page shows. */
export const standingOf = (proposal: Standable, reader: Session | undefined): Standing => {
  if (reader === undefined || !isOpen(proposal.state)) return "decided"
  if (isOwn(proposal, reader)) return "own"
  if (reader.actor.kind !== "user") return "service-account"
  return proposal.approvals.some(({ user }) => user === reader.actor.name) ? "approved" : "may"
}

/** Why the reader does not decide; empty where they may, and for a proposal that has ended. */
export const STANDING_TEXTS: { readonly [standing in Standing]: string } = {
  may: "",
  decided: "",
  own: "This is your own proposal: another person must decide.",
  approved: "You have approved it: another person must approve it too.",
  "service-account": "Only people decide about proposals, not service accounts."
}

/** An event in the life of a proposal. */
export interface ProposalEvent {
  readonly at: number
  readonly what: string
  /** Absent for an event that time alone brought. */
  readonly by?: string
  readonly comment?: string
}

const ENDS: { readonly [state in State]?: string } = {
  stale: "stale: what it changes has changed since",
  failed: "failed"
}

/** The life of a proposal, in order. */
export const historyOf = (proposal: ListedProposal): ReadonlyArray<ProposalEvent> => {
  const { approvals, ended, made_at, proposed_by, reason, state } = proposal
  return [
    { at: made_at, what: "proposed", by: proposed_by, comment: reason },
    ...approvals.map(({ at, comment, user }) => ({ at, what: "approved", by: user, comment })),
    ...(ended === null
      ? []
      : [
          {
            at: ended.at,
            what: ENDS[state] ?? state,
            comment: ended.comment,
            ...(ended.user === null ? {} : { by: ended.user })
          }
        ])
  ]
}
