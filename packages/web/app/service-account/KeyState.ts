/** The remaining lifetime of a key, and warnings about it. */
import type { ApiKey } from "../shared/Contract.js"
import * as TimeText from "../shared/TimeText.js"

/** A key that expires within this time gets a warning. */
export const SOON_MS = 14 * 24 * 60 * 60 * 1_000

/** When a key expires, and whether that needs attention. */
export interface KeyState {
  readonly kind: "lasting" | "ending" | "soon" | "grace" | "ended"
  readonly text: string
}

/** The state of a key; in a grace period the earlier of the two ends counts. */
export const stateOf = (
  { expires_at, grace_period_expires_at }: Pick<ApiKey, "expires_at" | "grace_period_expires_at">,
  nowMs: number
): KeyState => {
  const ends = [expires_at ?? 0, grace_period_expires_at ?? 0].filter((seconds) => seconds > 0)
  if (ends.length === 0) return { kind: "lasting", text: "never ends" }
  const leftMs = Math.min(...ends) * 1_000 - nowMs
  if (leftMs <= 0) return { kind: "ended", text: "ended" }
  const text = `ends in ${TimeText.duration(leftMs)}`
  if (grace_period_expires_at !== undefined && grace_period_expires_at > 0)
    return { kind: "grace", text: `grace period, ${text}` }
  return { kind: leftMs <= SOON_MS ? "soon" : "ending", text }
}

/** The lifetimes to choose from, in days; 0 means that the key never expires. */
export const LIFETIMES: ReadonlyArray<readonly [days: number, text: string]> = [
  [30, "30 days"],
  [90, "90 days"],
  [365, "a year"],
  [0, "no end"]
]

const DAY_SECONDS = 86_400

/** The expiry of a key with a lifetime, in whole epoch seconds; 0 if it never expires. */
export const expiryOf = (days: number, nowMs: number): number =>
  days === 0 ? 0 : Math.floor(nowMs / 1_000) + days * DAY_SECONDS

/** The limits and the default of a grace period, in hours. */
export const GRACE = { min: 1, max: 720, otherwise: 24 } as const

/** Parses hours; undefined if the text is not a whole number within the limits. */
export const graceOf = (text: string): number | undefined => {
  const hours = /^[0-9]{1,4}$/.test(text.trim()) ? Number(text) : Number.NaN
  return hours >= GRACE.min && hours <= GRACE.max ? hours : undefined
}
