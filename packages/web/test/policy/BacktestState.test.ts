/** The state of a backtest from its lines, whole and after a cut at any line. */
import { assert, describe, it } from "vitest"
import * as BacktestState from "../../app/policy/backtest/BacktestState.js"
import {
  keyOf,
  LANES_MAX,
  lanesOf,
  spanOf,
  WIDTH_MIN
} from "../../app/policy/backtest/FlipLanes.js"
import type { BacktestFlip, BacktestLine } from "../../app/shared/Contract.js"

const flip = (
  environment: string,
  from: number,
  more: Partial<BacktestFlip> = {}
): BacktestFlip => ({
  type: "flip",
  environment,
  name: "app",
  fingerprint: "a".repeat(64),
  first_index: from,
  last_index: from,
  from,
  to: from + 1,
  was: true,
  would_be: false,
  ...more
})

const ended = (environment: string, flips: number): BacktestLine => ({
  type: "environment",
  environment,
  rows: 2,
  flips,
  artifacts: 1,
  non_compliant_hours: { was: 1, would_be: 3 },
  row_hours: { was: 1, would_be: 4 },
  unreproduced: { rows: 0, other_semantics: 0 },
  now: { was: true, would_be: false }
})

const {
  environment: _,
  type: __,
  now: ___,
  ...TOTALS
} = ended("", 4) as Extract<BacktestLine, { readonly type: "environment" }>

/** The parts of each environment with their flips; one flip goes on over two parts. */
const PARTS: ReadonlyArray<readonly [environment: string, flips: ReadonlyArray<BacktestFlip>]> = [
  ["one", [flip("one", 1), flip("one", 5, { to: 6, continues: true })]],
  ["one", [flip("one", 6, { to: null, continued: true })]],
  ["two", [flip("two", 3, { name: "other", continues: true })]],
  ["two", [flip("two", 4, { continued: true, name: "other", would_be: null })]],
  ["two", []]
]

/** The server's answer to the request, or to the same with a cursor: the number of the next part. */
const linesFrom = (cursor: string | undefined): ReadonlyArray<BacktestLine> => {
  const start = Number(cursor ?? 0)
  const lines: Array<BacktestLine> = [
    {
      type: "started",
      horizon: { known: 9, at: 100 },
      environments: 2,
      snapshots: PARTS.length,
      request: "r"
    }
  ]
  const [before] = PARTS[start - 1] ?? []
  // The line of an environment follows its last cursor, and so comes again.
  if (before !== undefined && PARTS[start]?.[0] !== before) lines.push(ended(before, 2))
  for (const [index, [environment, flips]] of PARTS.entries()) {
    if (index < start) continue
    lines.push(...flips, {
      type: "progress",
      environment,
      played: index + 1,
      of: PARTS.length,
      flips: flips.length,
      totals: TOTALS,
      cursor: index + 1 === PARTS.length ? null : String(index + 1)
    })
    if (PARTS[index + 1]?.[0] !== environment) lines.push(ended(environment, 2))
  }
  return [...lines, { type: "done", totals: TOTALS, truncated: false }]
}

const WHOLE = BacktestState.after(BacktestState.EMPTY, linesFrom(undefined))

describe("a backtest", () => {
  it("joins what parts divide, and sums what environments came to", () => {
    assert.deepStrictEqual(
      WHOLE.flips.map(({ environment, from, to }) => [environment, from, to]),
      [
        ["one", 1, 2],
        ["one", 5, null],
        ["two", 3, 4],
        ["two", 4, 5]
      ]
    )
    const { hours, newRed, rowHours, unreproduced } = BacktestState.sumsOf(WHOLE)
    assert.deepStrictEqual(
      { hours, newRed, rowHours, unreproduced },
      {
        hours: { was: 2, would_be: 6 },
        newRed: 2,
        rowHours: { was: 2, would_be: 8 },
        unreproduced: 0
      }
    )
    assert.isTrue(WHOLE.isDone)
    assert.strictEqual(WHOLE.played, PARTS.length)
  })

  it("comes to the same after cuts at any two lines", () => {
    const lines = linesFrom(undefined)
    for (let cut = 0; cut < lines.length - 1; cut += 1) {
      const before = BacktestState.resumed(
        BacktestState.after(BacktestState.EMPTY, lines.slice(0, cut))
      )
      const rest = linesFrom(before.place?.cursor)
      for (let again = 0; again <= rest.length; again += 1) {
        const between = BacktestState.after(before, rest.slice(0, again))
        const from = BacktestState.resumed(between)
        const state = between.isDone
          ? between
          : BacktestState.after(from, linesFrom(from.place?.cursor))
        assert.deepStrictEqual(state, WHOLE, `${cut}, ${again}`)
      }
    }
  })

  it("prints hours with the digits that they have", () => {
    assert.deepStrictEqual([0, 1.234, 12.34, 1_234.5].map(BacktestState.hoursText), [
      "0",
      "1.23",
      "12.3",
      "1,235"
    ])
  })
})

describe("lanes of flips", () => {
  it("are those of the longest time, inside the span and wide enough to be seen", () => {
    const many = Array.from({ length: LANES_MAX + 3 }, (_, index) =>
      flip("one", 10, { name: `app-${index}`, to: 10 + index / 1_000 })
    )
    const flips = [...many, flip("two", 50, { to: null })]
    const span = spanOf(flips, { from: 10, to: 100_000 })
    assert.deepStrictEqual(span, { from: 10, to: 100_000 })
    const [one, two] = lanesOf(flips, span)
    assert.deepStrictEqual([one?.lanes.length, one?.more, two?.more], [LANES_MAX, 3, 0])
    assert.strictEqual(one?.lanes[0]?.name, `app-${LANES_MAX + 2}`)
    for (const { lanes } of [one, two].filter((each) => each !== undefined))
      for (const { from, to } of lanes.flatMap(({ segments }) => segments)) {
        assert.isAtLeast(to - from, WIDTH_MIN - 1e-9)
        assert.isAtLeast(from, 0)
        assert.isAtMost(to, 1)
      }
    assert.strictEqual(new Set(flips.map(keyOf)).size, flips.length)
  })

  it("begin shortly before the first flip, and never before the window", () => {
    assert.deepStrictEqual(spanOf([flip("one", 100)], { from: 0, to: 200 }), { from: 96, to: 200 })
    assert.deepStrictEqual(spanOf([flip("one", 100)], { from: 99, to: 200 }), { from: 99, to: 200 })
    assert.deepStrictEqual(spanOf([], { from: 1, to: 9 }), { from: 9, to: 10 })
  })
})
