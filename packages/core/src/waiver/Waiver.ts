/**
 * A waiver: an accepted failure of rules, with a reason, an owner, approvals and an end.
 *
 * A waiver is never edited: its terms stay, decisions are added, and an extension is a new waiver. `WaiverState`
 * derives the state.
 */
import * as Schema from "effect/Schema"
import { WaivedRule } from "../policy/ActiveWaiver.js"
import { EnvironmentId, Login, OrgId, OrgName, PolicyName } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"
import { BINDING } from "./WaiverSettings.js"

/** The most characters of a reason and of a comment. */
export const REASON_LENGTH_MAX = 2_000
/** The most characters of the address of a ticket. */
export const TICKET_URL_LENGTH_MAX = 2_000
/** The most waivers of an org that have not ended. */
export const OPEN_MAX = 10_000
/** The most waivers of a policy and an environment that have not ended. */
export const OPEN_OF_POLICY_MAX = 200

/** A reason: a text that is not blank. */
export const Reason = Schema.String.pipe(
  Schema.filter((text) => text.trim() !== "" || "String should not be blank"),
  Schema.maxLength(REASON_LENGTH_MAX)
)

/** The address of a ticket. */
export const TicketUrl = Schema.String.pipe(
  Schema.maxLength(TICKET_URL_LENGTH_MAX),
  Schema.pattern(/^https:\/\/[^\s/]+(\/\S*)?$/)
)

/** One approval, or the rejection. */
export const Decision = Schema.Struct({
  user_id: Schema.String,
  /** The name of the user at that time. */
  user: Schema.String,
  at: Timestamp,
  comment: Schema.String
})
/** One approval, or the rejection. */
export type Decision = typeof Decision.Type

/** The revocation. */
export const Revocation = Schema.Struct({
  user_id: Schema.String,
  /** The name of the user at that time. */
  user: Schema.String,
  at: Timestamp,
  reason: Schema.String
})
/** The revocation. */
export type Revocation = typeof Revocation.Type

/** What a waiver waives, why, and until when. */
export const Terms = Schema.Struct({
  policy_name: PolicyName,
  /** Null for every rule of the policy. */
  rule: Schema.NullOr(WaivedRule),
  /** Null for every environment that the policy is attached to. */
  environment_id: Schema.NullOr(EnvironmentId),
  /** The text of a condition, which must be True; null for every artifact. */
  condition: Schema.NullOr(Schema.String),
  reason: Schema.String,
  /** The login of the member who owns the risk. */
  owner: Login,
  owner_id: Schema.String,
  ticket_url: Schema.NullOr(Schema.String),
  starts_at: Timestamp,
  expires_at: Timestamp,
  /** The number of the waiver that this one extends. */
  extends: Schema.NullOr(Schema.Int)
})
/** What a waiver waives, why, and until when. */
export type Terms = typeof Terms.Type

/** A waiver before the store assigns its number. */
export const WaiverDraft = Schema.Struct({
  org_id: OrgId,
  ...Terms.fields,
  ...BINDING,
  /** The name of the requester at that time. */
  requested_by: Schema.String,
  requester_id: Schema.String,
  requested_at: Timestamp,
  /** Oldest first, each of another user. */
  approvals: Schema.Array(Decision),
  rejected: Schema.NullOr(Decision),
  revoked: Schema.NullOr(Revocation),
  /** The instant of the last approval that was needed; null before it. */
  activated_at: Schema.NullOr(Timestamp),
  /** The end that the system has recorded, for one that time alone brings. */
  settled: Schema.NullOr(Schema.Literal("expired", "lapsed"))
})
/** A waiver before the store assigns its number. */
export type WaiverDraft = typeof WaiverDraft.Type

/** A waiver; numbers count from 1 in each org. */
export const Waiver = Schema.Struct({ ...WaiverDraft.fields, number: Schema.Int })
/** A waiver. */
export type Waiver = typeof Waiver.Type

/** The number of a waiver in an org. */
export interface WaiverKey {
  readonly org: OrgId
  readonly number: number
}

/** The key of a waiver. */
export const keyOf = ({ number, org_id }: Waiver): WaiverKey => ({ org: org_id, number })

/**
 * The waiver with one more approval; it becomes active with the last one that it needs. A protection can need more than
 * the waiver says.
 */
export const approve = (
  waiver: Waiver,
  approval: Decision,
  needed: number = waiver.approvals_required
): Waiver => {
  const approvals = [...waiver.approvals, approval]
  return {
    ...waiver,
    approvals,
    activated_at: approvals.length >= needed ? approval.at : waiver.activated_at
  }
}

/** There is no waiver of that number. */
export class WaiverNotFound extends Schema.TaggedError<WaiverNotFound>()("WaiverNotFound", {
  org: OrgName,
  number: Schema.Int
}) {
  override get message(): string {
    return `there is no waiver ${this.number} in org \`${this.org}\``
  }
}

/** A request that cannot be accepted, with a sentence for each field. */
export class InvalidWaiver extends Schema.TaggedError<InvalidWaiver>()("InvalidWaiver", {
  problems: Schema.Record({ key: Schema.String, value: Schema.String })
}) {
  override get message(): string {
    return "the waiver cannot be requested"
  }
}

/** The waiver was decided or has ended, so that it takes no decision. */
export class WaiverDecided extends Schema.TaggedError<WaiverDecided>()("WaiverDecided", {
  number: Schema.Int,
  state: Schema.String
}) {
  override get message(): string {
    return `waiver ${this.number} is ${this.state}`
  }
}

/** The user has approved the waiver before; each approval is of another user. */
export class WaiverApprovedBefore extends Schema.TaggedError<WaiverApprovedBefore>()(
  "WaiverApprovedBefore",
  { number: Schema.Int }
) {
  override get message(): string {
    return `you have approved waiver ${this.number} already: another user must approve it too`
  }
}

const SENTENCES = {
  "own-request": (number: number) =>
    `you have requested waiver ${number}: another user must decide`,
  "service-account": (number: number) =>
    `a service account cannot decide about waiver ${number}: a user must`,
  "approver-role": (number: number) => `your role may not decide about waiver ${number}`,
  "not-yours": (number: number) =>
    `only its requester, its owner and admins may revoke waiver ${number}`
}

/** The actor may not decide about the waiver, or may not revoke it. */
export class WaiverForbidden extends Schema.TaggedError<WaiverForbidden>()("WaiverForbidden", {
  number: Schema.Int,
  because: Schema.Literal("own-request", "service-account", "approver-role", "not-yours")
}) {
  override get message(): string {
    return SENTENCES[this.because](this.number)
  }
}

/** The org, or a policy in an environment, has as many open waivers as it may have. */
export class TooManyWaivers extends Schema.TaggedError<TooManyWaivers>()("TooManyWaivers", {
  most: Schema.Int,
  of: Schema.Literal("org", "policy")
}) {
  override get message(): string {
    return this.of === "org"
      ? `the org has ${this.most} open waivers: revoke some that are not needed`
      : `the policy has ${this.most} open waivers for this environment: revoke some that are not needed`
  }
}
