/**
 * What a statement reads depends on what it answers, and neither on how much the org has nor on the statistics of the
 * planner: each is run on a world and on one ten times as large, in every state that statistics may be in.
 */

import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  analyze,
  Explained,
  forgetStatistics,
  layer,
  layerDatabase,
  type PlanMode,
  type Reading
} from "./ExplainedStore.js"
import { FLAT, LINEAR } from "./Statements.js"
import * as World from "./World.js"

const SMALL = 200
const TIMES = 10

const MODES: ReadonlyArray<PlanMode> = ["force_custom_plan", "force_generic_plan"]

type Readings = ReadonlyMap<string, Reading>

/** What each statement reads in a world, however its plan is made. */
const readings = (world: World.World) =>
  Effect.gen(function* () {
    const found = new Map<string, Reading>()
    for (const mode of MODES) {
      yield* Effect.gen(function* () {
        const { reading } = yield* Explained
        for (const [name, statement] of Object.entries({ ...FLAT, ...LINEAR }))
          found.set(`${name}, ${mode}`, yield* reading(statement(world)))
      }).pipe(Effect.provide(layer(mode)))
    }
    return found
  })

/** What each statement reads in a world of a size, by the state of statistics. One database is in all of them. */
const measured = (size: number) =>
  Effect.gen(function* () {
    const { early, late } = yield* World.make(size, analyze)
    const states = new Map<string, Readings>()
    states.set("statistics of a twentieth", yield* readings(early))
    states.set("statistics from before the org", yield* readings(late))
    yield* analyze
    states.set("fresh statistics", yield* readings(late))
    yield* forgetStatistics
    states.set("no statistics", yield* readings(late))
    return states
  }).pipe(Effect.provide(layerDatabase))

/** Tables of some hundred rows seem as cheap to read as to look up, so a flat statement may read that many. */
const MARGIN = 500

const isFlat = (name: string) => MODES.some((mode) => name.replace(`, ${mode}`, "") in FLAT)

/**
 * How much a statement may read in the large world: a flat one by the least that it reads in any state of the small
 * world, another by what it reads there in the same state. WHY: each state has what the statements before have written.
 */
const allowed = (name: string, small: ReadonlyMap<string, Readings>, state: string): number => {
  const read = (found: Readings | undefined) => found?.get(name)?.tuples ?? Number.POSITIVE_INFINITY
  return isFlat(name)
    ? Math.min(...[...small.values()].map(read)) + MARGIN
    : read(small.get(state)) * TIMES * 1.5 + MARGIN
}

/** Lists whose total is read from rows that say how many there are, a few for each environment of the org. */
const TOTALLED = [
  "deployments of an org",
  "deployments of an environment",
  "deployments of a flow",
  "deployments of a window",
  "deployments of a repository",
  "deployments of repositories to environments"
]

/** Lists whose total is kept, and read from one row for each writer at once. */
const KEPT = [
  "attestations of a flow",
  "attestations of an org",
  "controls",
  "flows by latest activity",
  "flows by name",
  "flows that were never active",
  "repositories",
  "trails in a quiet space",
  "trails in a space",
  "trails of a flow",
  "trails of an org"
]

/** Rows of a plan for a total that is kept. */
const ROWS_FOR_KEPT = 10

/** The environments of a world: one for every ten rows, and two more. */
const environmentsOf = (size: number) => size / 10 + 2

/** Rows of a plan for each environment and total: the environment, and the rows at both ends of a window. */
const ROWS_FOR_TOTAL = 8

/** Totals of these lists that read more rows than they may. */
const overTotal = (
  large: ReadonlyMap<string, Readings>,
  names: ReadonlyArray<string>,
  most: number
): ReadonlyArray<string> =>
  [...large].flatMap(([state, found]) =>
    names.flatMap((name) =>
      MODES.flatMap((mode) => {
        const { counted = 0, worst = "" } = found.get(`${name}, ${mode}`) ?? {}
        return counted > most
          ? [`the total of ${name}, ${mode}, ${state}: ${counted} instead of ${most}\n${worst}`]
          : []
      })
    )
  )

describe("plans", () => {
  it.live(
    "statements read what they answer, and not what the org has, whatever statistics there are",
    () =>
      Effect.gen(function* () {
        const small = yield* measured(SMALL)
        const large = yield* measured(SMALL * TIMES)
        const over = [...large].flatMap(([state, found]) =>
          [...found].flatMap(([name, { tuples, worst }]) => {
            const most = allowed(name, small, state)
            return tuples > most
              ? [`${name}, ${state}: ${tuples} instead of ${most}\n${worst}`]
              : []
          })
        )
        assert.deepStrictEqual(over, [])
        const ofTotalled = environmentsOf(SMALL * TIMES) * ROWS_FOR_TOTAL
        assert.deepStrictEqual(overTotal(large, TOTALLED, ofTotalled), [])
        assert.deepStrictEqual(overTotal(large, KEPT, ROWS_FOR_KEPT), [])
      }),
    300_000
  )
})
