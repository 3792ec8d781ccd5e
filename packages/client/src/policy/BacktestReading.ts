/**
 * Turns the lines of a backtest into the lines for callers, across broken connections. Pure.
 *
 * Callers get lines after the next cursor or at the end: lines after the last cursor come again when the same request
 * goes on from there. Flips that parts divide are joined, and callers get them when they end.
 */

/** The members of any line that are read. */
export interface AnyLine {
  readonly type: string
  readonly cursor?: string | null
}

/** A line that is a flip, as far as joining goes. */
export interface AnyFlip extends AnyLine {
  readonly environment?: unknown
  readonly member?: unknown
  readonly name?: unknown
  readonly fingerprint?: unknown
  readonly last_index?: unknown
  readonly to?: unknown
  readonly continued?: true
  readonly continues?: true
}

/** The state of reading a backtest. */
export interface BacktestReading<Line> {
  /** From where the same request goes on; undefined at its beginning. */
  readonly cursor: string | undefined
  /** The lines after the cursor. */
  readonly waiting: ReadonlyArray<Line>
  /** The flips that go on after the cursor, by row. */
  readonly open: ReadonlyMap<string, Line>
  readonly hasStarted: boolean
  readonly isDone: boolean
}

/** The reading of a request that was not sent yet, from a cursor where the request has one. */
export const start = <Line>(cursor?: string): BacktestReading<Line> => ({
  cursor,
  waiting: [],
  open: new Map(),
  hasStarted: false,
  isDone: false
})

/** The reading with which the same request goes on: lines after its cursor come again. */
export const resumed = <Line>(reading: BacktestReading<Line>): BacktestReading<Line> => ({
  ...reading,
  waiting: []
})

const rowOf = ({ environment, fingerprint, member, name }: AnyFlip): string =>
  JSON.stringify([environment, member, fingerprint, name])

const joined = <Line extends AnyFlip>(before: Line | undefined, flip: Line): Line => {
  if (before === undefined || flip.continued !== true) return flip
  const { continues: _, ...kept } = before
  const { continues, last_index, to } = flip
  // WHY: a flip whose end is another one's is a flip still, which the type of a copy does not say.
  return { ...kept, last_index, to, ...(continues === true ? { continues } : {}) } as Line
}

/** The lines that are settled, in order, and the flips that go on. */
const settle = <Line extends AnyFlip>({ waiting, open: before }: BacktestReading<Line>) => {
  const open = new Map(before)
  const given: Array<Line> = []
  for (const line of waiting) {
    if (line.type === "flip") {
      const row = rowOf(line)
      const flip = joined(open.get(row), line)
      open.delete(row)
      if (flip.continues === true) open.set(row, flip)
      else given.push(flip)
    } else if (line.type === "environment" || line.type === "done") {
      // WHY: the rest of a flip beyond the limit of flips is not listed.
      given.push(...open.values(), line)
      open.clear()
    } else given.push(line)
  }
  return { open, given }
}

/** Reads one more line: the reading after it, and the lines that callers are given now. */
export const take = <Line extends AnyFlip>(
  reading: BacktestReading<Line>,
  line: Line
): readonly [BacktestReading<Line>, ReadonlyArray<Line>] => {
  if (line.type === "started")
    return [{ ...reading, hasStarted: true }, reading.hasStarted ? [] : [line]]
  const next = { ...reading, waiting: [...reading.waiting, line] }
  const cursor = line.type === "progress" ? line.cursor : undefined
  const isDone = line.type === "done"
  if (typeof cursor !== "string" && !isDone) return [next, []]
  const { given, open } = settle(next)
  return [{ ...next, open, isDone, waiting: [], cursor: cursor ?? next.cursor }, given]
}
