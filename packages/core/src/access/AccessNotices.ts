/**
 * Port: what people are told of proposals and of break-glass. Both are told in the transaction of their change, so that
 * both commit or neither does.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { Role } from "./Role.js"

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

/** A notice. */
export type AccessNotice = BreakGlassNotice | ProposalNotice

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
