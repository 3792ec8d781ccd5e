/**
 * Port: notifies people of changes of access, of proposals and of break-glass. A notice is saved in the transaction of
 * its change, so that both commit or neither does.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { BaseRole, Role } from "./Role.js"

/** What became of an opening of break-glass; `waiting` is said daily until it is reviewed. */
export interface BreakGlassNotice {
  readonly _tag: "BreakGlass"
  readonly number: number
  readonly change: "opened" | "closed" | "expired" | "waiting" | "reviewed"
  /** Who changed it; null for what time brought. */
  readonly by: string | null
  readonly opened_by: string
  /** The path of its space. */
  readonly space: string
  readonly role: Role
  readonly reason: string
  readonly ends_at: Timestamp
}

/** What became of a proposal. */
export interface ProposalNotice {
  readonly _tag: "Proposal"
  readonly number: number
  readonly state:
    | "made"
    | "approved"
    | "applied"
    | "rejected"
    | "withdrawn"
    | "expired"
    | "stale"
    | "failed"
  /** Who changed it; null for what time brought. */
  readonly by: string | null
  readonly proposed_by: string
  readonly operation: string
  readonly reason: string
}

/** A change of access to the whole org. */
export type AccessChange =
  | "grant-given"
  | "grant-ended"
  | "member-added"
  | "member-joined"
  | "member-changed"
  | "member-suspended"
  | "member-restored"
  | "member-removed"
  | "sign-in-set"
  | "protections-set"
  | "scim-refused"

/** A change of who may do what in the whole org, or the refusal of one. */
export interface AccessChangeNotice {
  readonly _tag: "AccessChange"
  readonly change: AccessChange
  /** The name of the actor. */
  readonly by: string
  /** Whom it is about; the id of everyone is empty, and that of the org is its own. */
  readonly subject: {
    readonly kind: "user" | "team" | "service-account" | "everyone" | "org"
    readonly id: string
  }
  /** The role that is given, kept or taken away; null where it is about none. */
  readonly role: BaseRole | null
  /** The role that the subject had by this before; null without one. */
  readonly previous_role: BaseRole | null
  /** Whether a grant gives nothing until the subject opens break-glass with it. */
  readonly eligible: boolean
  /** The settings that differ. */
  readonly settings: ReadonlyArray<string>
  /** Why, in the words of the actor; may be empty. */
  readonly reason: string
}

/** A notice. */
export type AccessNotice = AccessChangeNotice | BreakGlassNotice | ProposalNotice

/** Port: notices about access. */
export class AccessNotices extends Context.Tag("@attestry/core/AccessNotices")<
  AccessNotices,
  {
    /** Adds a notice to what is delivered. Inside of a transaction of the org. */
    readonly add: (
      org: OrgId,
      at: Timestamp,
      notice: AccessNotice
    ) => Effect.Effect<void, StoreError>
  }
>() {}
