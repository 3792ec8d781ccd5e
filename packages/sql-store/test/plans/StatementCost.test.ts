/**
 * On a database without statistics, what a statement reads depends on what it answers and not on how much the org
 * has: each is run on a world and on one ten times as large.
 */

import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Explained, layer, layerDatabase, type PlanMode, type Reading } from "./ExplainedStore.js"
import { FLAT, LINEAR } from "./Statements.js"
import * as World from "./World.js"

const SMALL = 300
const TIMES = 10

const MODES: ReadonlyArray<PlanMode> = ["force_custom_plan", "force_generic_plan"]

/** What each statement reads in a world of a size, however its plan is made. */
const readings = (size: number) =>
  Effect.gen(function* () {
    const found = new Map<string, Reading>()
    const world = yield* World.make(size)
    for (const mode of MODES) {
      yield* Effect.gen(function* () {
        const { reading } = yield* Explained
        for (const [name, statement] of Object.entries({ ...FLAT, ...LINEAR }))
          found.set(`${name}, ${mode}`, yield* reading(statement(world)))
      }).pipe(Effect.provide(layer(mode)))
    }
    return found
  }).pipe(Effect.provide(layerDatabase))

/** Tables of some hundred rows seem as cheap to read as to look up, so a flat statement may read that many. */
const MARGIN = 500

const isFlat = (name: string) => MODES.some((mode) => name.replace(`, ${mode}`, "") in FLAT)

describe("plans without statistics", () => {
  it.live(
    "statements read what they answer, and not what the org has",
    () =>
      Effect.gen(function* () {
        const small = yield* readings(SMALL)
        const large = yield* readings(SMALL * TIMES)
        const over = [...small].flatMap(([name, before]) => {
          const after = large.get(name) ?? before
          const times = isFlat(name) ? 1 : TIMES * 1.5
          const isOver = after.tuples > before.tuples * times + MARGIN
          return isOver ? [`${name}: ${before.tuples}, then ${after.tuples}\n${after.worst}`] : []
        })
        assert.deepStrictEqual(over, [])
      }),
    300_000
  )
})
