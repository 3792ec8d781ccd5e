/** Days of the address, as `2026-11-16`: both ends of a window of days are in it, in UTC. */
import * as Route from "@attestry/web/Route"

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** The first or last second of a day in UTC; undefined for another text. */
export const secondsOf = (day: string | undefined, end: "first" | "last"): number | undefined => {
  if (day === undefined || !DAY.test(day)) return undefined
  const ms = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(ms)) return undefined
  return end === "first" ? ms / 1_000 : ms / 1_000 + 86_399.999999
}

/** A window in epoch seconds; either end may be open. */
export interface Window {
  readonly from: number | undefined
  readonly to: number | undefined
}

/** The window that an address has in `from` and `to`. */
export const windowOf = (route: Pick<Route.Route, "query">): Window => ({
  from: secondsOf(Route.parameter(route, "from"), "first"),
  to: secondsOf(Route.parameter(route, "to"), "last")
})

/** Whether no time can be in a window. */
export const isReversed = ({ from, to }: Window): boolean =>
  from !== undefined && to !== undefined && from > to
