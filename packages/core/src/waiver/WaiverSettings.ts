/** The rules of an org for waivers. They bind requests that are made afterwards. */
import * as Schema from "effect/Schema"

/** The longest time of a waiver in days, and how it is approved. */
export const WaiverSettings = Schema.Struct({
  /** The most days from the start of a waiver to its end. */
  max_days: Schema.Int.pipe(Schema.between(1, 365)),
  /** How many users must approve; a waiver with 0 is active at once. */
  approvals_required: Schema.Int.pipe(Schema.between(0, 5)),
  /** The lowest role that may approve. */
  approver_role: Schema.Literal("admin", "member"),
  /** Whether a user may approve their own request. */
  self_approval: Schema.Boolean
}).annotations({ identifier: "WaiverSettings" })
/** The rules of an org for waivers. */
export type WaiverSettings = typeof WaiverSettings.Type

/** The settings of an org that has set none. */
export const DEFAULTS: WaiverSettings = {
  max_days: 90,
  approvals_required: 1,
  approver_role: "admin",
  self_approval: false
}

/** Whether settings ask for less than others in some way: waivers last longer, or need fewer or other people. */
export const asksLess = (next: WaiverSettings, before: WaiverSettings): boolean =>
  next.max_days > before.max_days ||
  next.approvals_required < before.approvals_required ||
  (next.approver_role === "member" && before.approver_role === "admin") ||
  (next.self_approval && !before.self_approval)

/** The settings that are stored with a request and bind it. */
export const BINDING = Schema.Struct(WaiverSettings.fields).pick(
  "approvals_required",
  "approver_role",
  "self_approval"
).fields
