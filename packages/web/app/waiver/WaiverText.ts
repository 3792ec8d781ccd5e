/** Waivers in words, and who may decide about one. */
import type { Session, Waiver, WaiverDebt } from "../shared/Contract.js"

export type State = Waiver["state"]

/** The states in the order of a waiver's life. */
export const STATES: ReadonlyArray<State> = [
  "requested",
  "scheduled",
  "active",
  "expired",
  "rejected",
  "revoked",
  "lapsed"
]

/** The states in which a waiver has an effect, or may still get one. */
export const OPEN: ReadonlyArray<State> = ["requested", "scheduled", "active"]

export const isOpen = (state: State): boolean => OPEN.includes(state)

type Orphan = NonNullable<WaiverDebt["waivers"][number]["orphan"]>

/** Why a waiver in force has nothing to waive, with the next step. */
export const ORPHANS: { readonly [orphan in Orphan]: string } = {
  policy_not_attached: "its policy is attached to no environment that it reaches: revoke it",
  rule_gone: "the latest version of its policy has no such rule: revoke it",
  environment_archived: "its environment is archived: revoke it",
  unused: "it has waived nothing for 7 days: revoke it if it is not needed"
}

/** The person who reads a page, in an org. */
export interface Reader {
  readonly name: string
  readonly isUser: boolean
  readonly role: string
}

/** The reader of a session; undefined outside of the org. */
export const readerOf = (session: Session | undefined, org: string): Reader | undefined => {
  const role = session?.orgs.find(({ name }) => name === org)?.role
  return session === undefined || role === undefined
    ? undefined
    : { name: session.actor.name, isUser: session.actor.kind === "user", role }
}

const hasRole = ({ role }: Reader, wanted: Waiver["approver_role"]): boolean =>
  role === "admin" || role === wanted

/** Whether the reader may decide about a waiver, or why not. */
export type Standing = "may" | "decided" | "own" | "approved" | "role" | "service-account"

/** WHY by name: answers name people as sessions do. The server decides by id, whatever a page shows. */
export const standingOf = (
  waiver: Waiver,
  reader: Reader | undefined,
  { self_approval }: { readonly self_approval: boolean }
): Standing => {
  if (waiver.state !== "requested") return "decided"
  if (reader === undefined) return "role"
  if (!reader.isUser) return "service-account"
  if (!hasRole(reader, waiver.approver_role)) return "role"
  if (waiver.requested_by === reader.name && !self_approval) return "own"
  return waiver.approvals.some(({ user }) => user === reader.name) ? "approved" : "may"
}

/** Why the reader does not decide; empty where they may, and for a waiver that was decided. */
export const standingText = (standing: Standing, { approver_role }: Waiver): string => {
  switch (standing) {
    case "may":
    case "decided":
      return ""
    case "own":
      return "This is your own request: another person must decide."
    case "approved":
      return "You have approved it: another person must approve it too."
    case "service-account":
      return "Only people decide about waivers, not service accounts."
    case "role":
      return approver_role === "admin"
        ? "Only admins of the org decide about it."
        : "Only members and admins of the org decide about it."
  }
}

/** Whether the reader may end a waiver. */
export const mayRevoke = (
  { owner, requested_by, state }: Waiver,
  reader: Reader | undefined
): boolean =>
  reader !== undefined &&
  isOpen(state) &&
  (reader.role === "admin" || [owner, requested_by].includes(reader.name))

/** `1 of 2 approvals`. */
export const approvalsText = ({ approvals, approvals_required }: Waiver): string =>
  approvals_required === 0
    ? "no approval needed"
    : `${approvals.length} of ${approvals_required} ${approvals_required === 1 ? "approval" : "approvals"}`

/** An event in the life of a waiver. */
export interface WaiverEvent {
  readonly at: number
  readonly what: string
  /** Absent for an event that time alone brought. */
  readonly by?: string
  readonly comment?: string
}

/** A request without a decision lapses after this many seconds. */
const LAPSES_AFTER = 14 * 86_400

const endOf = ({ expires_at, requested_at, state }: Waiver): ReadonlyArray<WaiverEvent> => {
  if (state === "expired") return [{ at: expires_at, what: "expired" }]
  return state === "lapsed"
    ? [{ at: requested_at + LAPSES_AFTER, what: "lapsed: no decision within 14 days" }]
    : []
}

/** The life of a waiver, in order. */
export const historyOf = (waiver: Waiver): ReadonlyArray<WaiverEvent> => {
  const { activated_at, approvals, rejected, requested_at, requested_by, revoked } = waiver
  return [
    { at: requested_at, what: "requested", by: requested_by, comment: waiver.reason },
    ...approvals.map(({ at, comment, user }) => ({ at, what: "approved", by: user, comment })),
    ...(activated_at === null
      ? []
      : [{ at: Math.max(activated_at, waiver.starts_at), what: "takes effect" }]),
    ...(rejected === null
      ? []
      : [{ at: rejected.at, what: "rejected", by: rejected.user, comment: rejected.comment }]),
    ...(revoked === null
      ? []
      : [{ at: revoked.at, what: "revoked", by: revoked.user, comment: revoked.reason }]),
    ...endOf(waiver)
  ]
}
