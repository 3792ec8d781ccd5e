/**
 * Time windows in the URL, in UTC. An end is a day, such as `2026-11-16`, or a minute, such as `2026-11-16T09:30`. A
 * window includes both of its days.
 */
import * as Route from "@attestry/web/Route"

const DAY = /^\d{4}-\d{2}-\d{2}$/
const MINUTE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/

/** The last instant of a day, in seconds after the first. */
const DAY_SECONDS = 86_399.999999

const parsed = (text: string): number | undefined => {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms / 1_000
}

/** The epoch seconds of a minute, or of the first or last instant of a day; undefined for other texts. */
export const secondsOf = (text: string | undefined, end: "first" | "last"): number | undefined => {
  if (text === undefined) return undefined
  if (MINUTE.test(text)) return parsed(`${text}:00Z`)
  const first = DAY.test(text) ? parsed(`${text}T00:00:00Z`) : undefined
  return first === undefined || end === "first" ? first : first + DAY_SECONDS
}

/** A window in epoch seconds; either end may be open. */
export interface Window {
  readonly from: number | undefined
  readonly to: number | undefined
}

/** The window of the parameters `from` and `to`. */
export const windowOf = (route: Pick<Route.Route, "query">): Window => ({
  from: secondsOf(Route.parameter(route, "from"), "first"),
  to: secondsOf(Route.parameter(route, "to"), "last")
})

/** Whether a window ends before it starts. */
export const isReversed = ({ from, to }: Window): boolean =>
  from !== undefined && to !== undefined && from > to
