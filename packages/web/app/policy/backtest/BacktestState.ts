/**
 * The state of a backtest after the lines received so far, with the cursor from which an interrupted request
 * continues. A continued request sends the same lines as an uninterrupted one, including the totals.
 */
import type {
  BacktestEnvironment,
  BacktestFlip,
  BacktestLine,
  BacktestNote
} from "../../shared/Contract.js"

/** A cursor, and the state at that point. */
interface Place {
  readonly cursor: string
  readonly flips: ReadonlyArray<BacktestFlip>
  readonly environments: ReadonlyArray<BacktestEnvironment>
  readonly played: number
}

export interface BacktestState {
  /** The end of the replayed history, in epoch seconds. */
  readonly horizon: number | undefined
  /** The number of replayed snapshots. */
  readonly played: number
  readonly of: number
  readonly flips: ReadonlyArray<BacktestFlip>
  readonly environments: ReadonlyArray<BacktestEnvironment>
  /** The environment that is being replayed. */
  readonly at: string | undefined
  /** Where an interrupted request continues; undefined if it must start again. */
  readonly place: Place | undefined
  readonly notes: ReadonlyArray<BacktestNote>
  readonly truncated: boolean
  readonly isDone: boolean
  /** Why the server stopped before the end. */
  readonly failure: string | undefined
}

/** The state before the first line. */
export const EMPTY: BacktestState = {
  horizon: undefined,
  played: 0,
  of: 0,
  flips: [],
  environments: [],
  at: undefined,
  place: undefined,
  notes: [],
  truncated: false,
  isDone: false,
  failure: undefined
}

/** Identifies the row of a flip. */
export const rowOf = ({ environment, fingerprint, member = "", name }: BacktestFlip): string =>
  [environment, member, fingerprint, name].join("\n")

const joins = (before: BacktestFlip, after: BacktestFlip): boolean =>
  before.continues === true &&
  after.continued === true &&
  before.was === after.was &&
  before.would_be === after.would_be

const joined = (before: BacktestFlip, after: BacktestFlip): BacktestFlip => {
  const { continues: _, ...kept } = before
  const more = after.continues === true ? { continues: true as const } : {}
  return { ...kept, last_index: after.last_index, to: after.to, ...more }
}

/** Adds a flip; a flip that continues the previous one extends it. */
const withFlip = (
  known: ReadonlyArray<BacktestFlip>,
  flip: BacktestFlip
): ReadonlyArray<BacktestFlip> => {
  if (flip.continued !== true) return [...known, flip]
  const at = known.map(rowOf).lastIndexOf(rowOf(flip))
  const before = known[at]
  return before === undefined || !joins(before, flip)
    ? [...known, flip]
    : [...known.slice(0, at), joined(before, flip), ...known.slice(at + 1)]
}

const progressed = (
  state: BacktestState,
  { cursor, environment: at, of, played }: Extract<BacktestLine, { readonly type: "progress" }>
): BacktestState => {
  const { environments, flips } = state
  const place = cursor === null ? state.place : { cursor, flips, environments, played }
  return { ...state, at, played, of, place }
}

const one = (state: BacktestState, line: BacktestLine): BacktestState => {
  switch (line.type) {
    case "started":
      return {
        ...state,
        horizon: line.horizon.at,
        of: line.snapshots,
        notes: line.notes ?? []
      }
    case "flip":
      return { ...state, at: line.environment, flips: withFlip(state.flips, line) }
    case "progress":
      return progressed(state, line)
    case "environment":
      return { ...state, environments: [...state.environments, line], at: undefined }
    case "done":
      return {
        ...state,
        played: state.of,
        truncated: line.truncated,
        isDone: true,
        place: undefined
      }
    case "failed":
      return { ...state, failure: line.message }
  }
}

/** The state after more lines. */
export const after = (state: BacktestState, lines: ReadonlyArray<BacktestLine>): BacktestState =>
  lines.reduce(one, state)

/** The state at the cursor; the lines after it will be sent again. */
export const resumed = ({ place, ...state }: BacktestState): BacktestState => {
  if (place === undefined) return EMPTY
  const { environments, flips, played } = place
  return { ...state, environments, flips, place, played, at: undefined, failure: undefined }
}

/** Totals over the replayed environments. */
export interface BacktestSums {
  readonly flips: number
  readonly rows: number
  readonly hours: { readonly was: number; readonly would_be: number }
  readonly rowHours: { readonly was: number; readonly would_be: number }
  /** Rows whose recorded decision the replay did not reproduce. */
  readonly unreproduced: number
  /** Environments that would be non-compliant now. */
  readonly newRed: number
}

export const sumsOf = ({ environments }: BacktestState): BacktestSums => {
  const sum = (of: (environment: BacktestEnvironment) => number) =>
    environments.reduce((total, environment) => total + of(environment), 0)
  return {
    flips: sum(({ flips }) => flips),
    rows: sum(({ rows }) => rows),
    hours: {
      was: sum(({ non_compliant_hours }) => non_compliant_hours.was),
      would_be: sum(({ non_compliant_hours }) => non_compliant_hours.would_be)
    },
    rowHours: {
      was: sum(({ row_hours }) => row_hours.was),
      would_be: sum(({ row_hours }) => row_hours.would_be)
    },
    unreproduced: sum(({ unreproduced: { other_semantics, rows } }) => other_semantics + rows),
    newRed: environments.filter(({ now }) => now?.would_be === false && now.was !== false).length
  }
}

/** Hours as text: two decimals below 10, none above 100. */
export const hoursText = (hours: number): string => {
  const digits = hours >= 100 || hours === 0 ? 0 : hours >= 10 ? 1 : 2
  return hours.toLocaleString("en", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits
  })
}
