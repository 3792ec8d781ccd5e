/**
 * Plays a backtest to its end: lines are given as they come, and a stream that breaks off is asked for again.
 *
 * WHY from the last whole environment: the totals of an answer that begins at a cursor are those of the rest, and an
 * environment without its first part would have wrong ones. Its lines so far do not count then, which a line `resumed`
 * says. DECISION B-292
 */
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure } from "../shared/CommandFailure.js"
import * as Json from "../shared/Json.js"

const PAUSE_MS = 250
const PAUSE_MS_MAX = 30_000

/** What a backtest has come to. */
export interface Played {
  readonly horizon: Json.Fields
  readonly flips: ReadonlyArray<Json.Fields>
  readonly environments: ReadonlyArray<Json.Fields>
  readonly totals: Json.Fields
  readonly truncated: boolean
}

/** What is known while it is played. */
interface State {
  horizon: Json.Fields
  flips: ReadonlyArray<Json.Fields>
  environments: ReadonlyArray<Json.Fields>
  /** Where whole environments end, and what they have come to. */
  boundary: string | undefined
  settled: { readonly flips: number; readonly environments: number }
  /** The place of the last line. */
  latest: string | undefined
  truncated: boolean
  done: Json.Fields | undefined
}

const sameRow = (left: Json.Fields, right: Json.Fields): boolean =>
  left.environment === right.environment &&
  left.name === right.name &&
  left.fingerprint === right.fingerprint

/** The flips with one more; what a cut has divided is joined. */
const joined = (
  flips: ReadonlyArray<Json.Fields>,
  flip: Json.Fields
): ReadonlyArray<Json.Fields> => {
  const isBefore = (each: Json.Fields) => each.continues === true && sameRow(each, flip)
  const at = flip.continued === true ? flips.findIndex(isBefore) : -1
  const before = flips[at]
  if (before === undefined) return [...flips, flip]
  const { continues: _, ...rest } = before
  const { to, last_index, continues } = flip
  const whole = { ...rest, to, last_index, ...(continues === true ? { continues } : {}) }
  return flips.map((each, place) => (place === at ? whole : each))
}

/** Nothing before the place of the last line is asked for again; after the last environment there is no place. */
const settle = (state: State): void => {
  if (state.latest === undefined) return
  state.boundary = state.latest
  state.settled = { flips: state.flips.length, environments: state.environments.length }
}

const take = (state: State, line: Json.Fields): void => {
  switch (line.type) {
    case "started":
      state.horizon = Json.object(line.horizon)
      return
    case "flip":
      state.flips = joined(state.flips, line)
      return
    case "progress":
      state.latest = Json.text(line.cursor)
      return
    case "environment":
      state.environments = [...state.environments, line]
      settle(state)
      return
    case "done":
      state.done = Json.object(line.totals)
      state.truncated ||= line.truncated === true
      return
    case "failed":
      throw new CommandFailure("unanswered", Json.text(line.message) ?? "the server gave up", {
        operation: "policyLab.backtest"
      })
    default:
  }
}

const sum = (all: ReadonlyArray<Json.Fields>, name: string): number =>
  all.reduce((total, each) => total + Json.number(each[name]), 0)

const sums = (all: ReadonlyArray<Json.Fields>, name: string, ...parts: ReadonlyArray<string>) => {
  const values = all.map((each) => Json.object(each[name]))
  return Object.fromEntries(parts.map((part) => [part, sum(values, part)]))
}

/** The totals of several answers: those of all environments. */
const totalsOf = ({ environments, flips }: State): Json.Fields => ({
  rows: sum(environments, "rows"),
  flips: sum(environments, "flips"),
  artifacts: new Set(flips.map(({ fingerprint }) => fingerprint)).size,
  non_compliant_hours: sums(environments, "non_compliant_hours", "was", "would_be"),
  row_hours: sums(environments, "row_hours", "was", "would_be"),
  unreproduced: sums(environments, "unreproduced", "rows", "other_semantics", "before_numbers")
})

/** WHY: a refusal lasts; only silence, a limit and a broken connection may pass. */
const mayPass = (error: unknown): error is CommandFailure =>
  error instanceof CommandFailure &&
  error.word === "unanswered" &&
  (error.details.status === undefined || [429, 503].includes(error.details.status))

const withCursor = (error: unknown, { latest }: State): unknown =>
  error instanceof CommandFailure && latest !== undefined && error.details.hint === undefined
    ? new CommandFailure(error.word, error.message, {
        ...error.details,
        hint: `go on with: --cursor ${latest}`
      })
    : error

/** Forgets what a new answer will repeat. */
const rewind = (state: State): Json.Fields => {
  const { flips, environments } = state.settled
  state.flips = state.flips.slice(0, flips)
  state.environments = state.environments.slice(0, environments)
  state.latest = state.boundary
  return { type: "resumed", after: state.environments.at(-1)?.environment ?? null }
}

/** Plays; every line is given to `each` as it comes. */
export const play = async (
  { api, host, settings, output }: CommandContext,
  payload: Json.Fields,
  each: (line: Json.Fields) => void
): Promise<Played> => {
  const { retries } = await settings()
  const deployment = await api()
  const first = Json.text(payload.cursor)
  const state: State = {
    ...{ horizon: {}, flips: [], environments: [], settled: { flips: 0, environments: 0 } },
    ...{ boundary: first, latest: first, truncated: false, done: undefined }
  }
  for (let failures = 0; ; ) {
    const asked = state.boundary === undefined ? payload : { ...payload, cursor: state.boundary }
    try {
      for await (const line of deployment.lines("policyLab.backtest", { payload: asked })) {
        take(state, line)
        each(line)
      }
      if (state.done === undefined)
        throw new CommandFailure("unanswered", "the answer broke off before its last line")
      const totals = failures === 0 ? state.done : totalsOf(state)
      const { horizon, flips, environments, truncated } = state
      return { horizon, flips, environments, totals, truncated }
    } catch (error) {
      if (!mayPass(error) || failures >= retries) throw withCursor(error, state)
      output.trace(`${error.message}; asked again`)
      await host.sleep(Math.min(PAUSE_MS_MAX, PAUSE_MS * 2 ** failures), host.signal)
      failures += 1
      each(rewind(state))
    }
  }
}
