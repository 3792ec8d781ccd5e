/** The state of a waiver: a function of its record and an instant. */
import * as Schema from "effect/Schema"
import * as Timestamp from "../shared/Timestamp.js"
import type { Waiver, WaiverDraft } from "./Waiver.js"

/** The state of a waiver. */
export const WaiverState = Schema.Literal(
  "requested",
  "scheduled",
  "active",
  "expired",
  "rejected",
  "revoked",
  "lapsed"
).annotations({ identifier: "WaiverState" })
/** The state of a waiver. */
export type WaiverState = typeof WaiverState.Type

/** A request lapses after this many days without a decision. */
export const LAPSES_AFTER_DAYS = 14

const DAY = 86_400

/** The instant at which a request lapses: 14 days after it, or at its end if that is earlier. */
export const lapsesAt = ({
  expires_at,
  requested_at
}: Pick<WaiverDraft, "expires_at" | "requested_at">): Timestamp.Timestamp =>
  Timestamp.fromMicros(
    Math.min(Timestamp.plusSeconds(requested_at, LAPSES_AFTER_DAYS * DAY), expires_at)
  )

/** The state of a waiver at an instant. */
export const stateAt = (waiver: WaiverDraft, now: Timestamp.Timestamp): WaiverState => {
  if (waiver.rejected !== null) return "rejected"
  if (waiver.revoked !== null) return "revoked"
  if (waiver.activated_at === null) return now < lapsesAt(waiver) ? "requested" : "lapsed"
  if (now >= waiver.expires_at) return "expired"
  return now < waiver.starts_at ? "scheduled" : "active"
}

/** Whether a state can still change by a decision. */
export const isOpen = (state: WaiverState): state is "requested" | "scheduled" | "active" =>
  state === "requested" || state === "scheduled" || state === "active"

/**
 * The time in which a waiver counts or has counted: from its start, but not before its last approval, to its end or its
 * revocation; null for one that was never approved, or was revoked before its start.
 */
export const timeOf = (
  waiver: WaiverDraft
): { readonly from: Timestamp.Timestamp; readonly to: Timestamp.Timestamp } | null => {
  const { activated_at, expires_at, revoked, starts_at } = waiver
  if (activated_at === null) return null
  const from = Timestamp.fromMicros(Math.max(starts_at, activated_at))
  const to = Timestamp.fromMicros(Math.min(expires_at, revoked?.at ?? expires_at))
  return from < to ? { from, to } : null
}

/** The end that the system has to record for a waiver whose turn has passed; null when there is none. */
export const endingAt = (waiver: Waiver, now: Timestamp.Timestamp): "expired" | "lapsed" | null => {
  if (waiver.settled !== null) return null
  const state = stateAt(waiver, now)
  return state === "expired" || state === "lapsed" ? state : null
}
