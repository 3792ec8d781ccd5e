/**
 * How much is waived: figures over waivers and the times in which they waived rows. Pure.
 *
 * Figures of a day are those of its end, in UTC; of the current day those of now.
 */
import * as Timestamp from "../shared/Timestamp.js"
import type { Waiver } from "./Waiver.js"
import * as WaiverState from "./WaiverState.js"
import type { WaiverUse } from "./WaiverStore.js"

const DAY = 86_400 * 1_000_000
const HOUR = 3_600 * 1_000_000

/** The number of days of the trend and of the hours of rows. */
export const DAYS = 30

/** A waiver that is in force this long without waiving a row is unused. */
export const UNUSED_DAYS = 7

/** Why a waiver in force has nothing to waive. */
export type Orphan = "policy_not_attached" | "rule_gone" | "environment_archived" | "unused"

/** The figures of one day. */
export interface DebtOfDay {
  /** `YYYY-MM-DD` */
  readonly day: string
  readonly active: number
  readonly rows_waived: number
}

/** How much is waived. */
export interface Debt {
  readonly active: number
  readonly expiring_7d: number
  readonly rows_waived: number
  readonly waived_row_hours_30d: number
  readonly oldest_days: number
  readonly trend: ReadonlyArray<DebtOfDay>
}

const isDuring = (
  { from, to }: { readonly from: number; readonly to: number | null },
  at: number
): boolean => from <= at && (to === null || at < to)

const activeAt = (waivers: ReadonlyArray<Waiver>, at: number): ReadonlyArray<Waiver> =>
  waivers.filter((waiver) => {
    const time = WaiverState.timeOf(waiver)
    return time !== null && isDuring(time, at)
  })

const rowsAt = (uses: ReadonlyArray<WaiverUse>, at: number): number =>
  uses.reduce(
    (sum, { from_at, rows, to_at }) =>
      isDuring({ from: from_at, to: to_at }, at) ? sum + rows : sum,
    0
  )

/** The whole hours of waived rows after an instant, over all rows. */
const rowHours = (
  uses: ReadonlyArray<WaiverUse>,
  { from, now }: { readonly from: number; readonly now: number }
): number =>
  uses.reduce((sum, { from_at, rows, to_at }) => {
    const micros = Math.min(to_at ?? now, now) - Math.max(from_at, from)
    return sum + Math.max(0, micros / HOUR) * rows
  }, 0)

const dayOf = (micros: number): string => new Date(micros / 1_000).toISOString().slice(0, 10)

const trendOf = (
  waivers: ReadonlyArray<Waiver>,
  uses: ReadonlyArray<WaiverUse>,
  now: number
): ReadonlyArray<DebtOfDay> => {
  const today = Math.floor(now / DAY)
  return Array.from({ length: DAYS }, (_, index) => {
    const day = today - DAYS + 1 + index
    const at = Math.min((day + 1) * DAY - 1, now)
    return {
      day: dayOf(day * DAY),
      active: activeAt(waivers, at).length,
      rows_waived: rowsAt(uses, at)
    }
  })
}

/** The first instant whose waivers and times the figures need. */
export const since = (now: Timestamp.Timestamp): Timestamp.Timestamp =>
  Timestamp.fromMicros(now - (DAYS + 1) * DAY)

/** The figures at an instant; `waivers` are those that were approved and ended after `since`. */
export const measure = (
  waivers: ReadonlyArray<Waiver>,
  uses: ReadonlyArray<WaiverUse>,
  now: Timestamp.Timestamp
): Debt => {
  const active = activeAt(waivers, now)
  const ages = active.map((waiver) => now - (WaiverState.timeOf(waiver)?.from ?? now))
  return {
    active: active.length,
    expiring_7d: active.filter(({ expires_at }) => expires_at <= now + 7 * DAY).length,
    rows_waived: rowsAt(uses, now),
    waived_row_hours_30d: Math.round(rowHours(uses, { from: now - DAYS * DAY, now }) * 100) / 100,
    oldest_days: Math.floor(Math.max(0, ...ages) / DAY),
    trend: trendOf(waivers, uses, now)
  }
}

/** Whether a waiver has been in force for 7 days and has waived no row for 7 days. */
export const isUnused = (
  waiver: Waiver,
  uses: ReadonlyArray<WaiverUse>,
  now: Timestamp.Timestamp
): boolean => {
  const time = WaiverState.timeOf(waiver)
  const limit = now - UNUSED_DAYS * DAY
  if (time === null || !isDuring(time, now) || time.from > limit) return false
  return !uses.some(
    ({ number, to_at }) => number === waiver.number && (to_at === null || to_at > limit)
  )
}
