/** The range of time that a timeline shows, and how it changes. Times are in epoch seconds. */
import * as Route from "@attestry/web/Route"

export interface Range {
  readonly from: number
  readonly to: number
}

/** The lengths to choose from. */
export const LENGTHS: ReadonlyArray<readonly [seconds: number, text: string]> = [
  [86_400, "24 h"],
  [7 * 86_400, "7 d"],
  [30 * 86_400, "30 d"],
  [90 * 86_400, "90 d"],
  [365 * 86_400, "1 y"]
]

/** WHY a minimum: a shorter range has nothing to distinguish. */
const SECONDS_MIN = 1
/** No stored time is later than this. */
const SECONDS_MAX = 9_007_199_254

const numberOf = (text: string | undefined): number | undefined => {
  const value = Number(text)
  return text === undefined || text.trim() === "" || !Number.isFinite(value) ? undefined : value
}

const within = (range: Range): Range => {
  const from = Math.max(0, Math.min(range.from, SECONDS_MAX - SECONDS_MIN))
  return { from, to: Math.min(SECONDS_MAX, Math.max(from + SECONDS_MIN, range.to)) }
}

/** The range in the URL; undefined if it is absent or invalid. */
export const fromRoute = (route: Pick<Route.Route, "query">): Range | undefined => {
  const [from, to] = [
    numberOf(Route.parameter(route, "from")),
    numberOf(Route.parameter(route, "to"))
  ]
  return from === undefined || to === undefined || from < 0 || to <= from || to > SECONDS_MAX
    ? undefined
    : { from, to }
}

/** A range as URL parameters: whole seconds, or milliseconds for a range below a minute. */
export const printed = (range: Range): { readonly from: string; readonly to: string } => {
  const { from, to } = within(range)
  const isLong = to - from >= 60
  const print = (seconds: number) => (isLong ? String(Math.round(seconds)) : seconds.toFixed(3))
  return { from: print(from), to: print(to) }
}

/** A range with the same middle and another length. */
export const zoomed = ({ from, to }: Range, factor: number): Range => {
  const middle = (from + to) / 2
  const half = Math.max(SECONDS_MIN / 2, ((to - from) / 2) * factor)
  return within({ from: middle - half, to: middle + half })
}

/** A range with the same length, moved by a share of it. */
export const moved = ({ from, to }: Range, share: number): Range => {
  const by = Math.max(-from, (to - from) * share)
  return within({ from: from + by, to: to + by })
}

/** The range between two instants in any order. */
export const between = (one: number, other: number): Range =>
  within({ from: Math.min(one, other), to: Math.max(one, other) })

/** The expression for an instant: `@{2026-11-16T03:00:00}`, in UTC. */
export const expressionAt = (seconds: number): string =>
  `@{${new Date(Math.floor(seconds) * 1_000).toISOString().slice(0, 19)}}`

/** The instant of such an expression; undefined for other expressions. */
export const instantOf = (expression: string): number | undefined => {
  const text = /^@\{(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})\}$/.exec(expression)?.[1]
  const ms = text === undefined ? Number.NaN : Date.parse(`${text}Z`)
  return Number.isNaN(ms) ? undefined : ms / 1_000
}
