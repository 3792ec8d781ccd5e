/**
 * A statement that was prepared while tables were small reads what a new one reads after they have grown: connections
 * keep their plans, and nothing makes them anew before statistics are gathered.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { Explained, layer, layerDatabase, type Reading } from "./ExplainedStore.js"
import { FLAT, LINEAR } from "./Statements.js"
import * as World from "./World.js"

const FEW = 20
const MANY = 2_000
/** Rows more or less that do not matter. */
const MARGIN = 500

/** The reads of snapshots, which pages make first after a large report. */
const NAMES = [
  "a snapshot of a long history",
  "a snapshot at an instant",
  "a large snapshot",
  "what runs in a large environment"
]

const STATEMENTS = Object.entries({ ...FLAT, ...LINEAR }).filter(([name]) => NAMES.includes(name))

const readings = (world: World.World) =>
  Effect.gen(function* () {
    const { reading } = yield* Explained
    const found = new Map<string, Reading>()
    for (const [name, statement] of STATEMENTS) found.set(name, yield* reading(statement(world)))
    return found
  })

const measured = Effect.gen(function* () {
  const { late: small } = yield* World.make(FEW, Effect.void)
  const { old, world } = yield* Effect.gen(function* () {
    yield* readings(small)
    const { reading } = yield* Explained
    // WHY: the pool closes a connection that is idle for ten seconds, and its plans with it.
    const ping = reading(FLAT["heads of snapshots"]?.(small) ?? Effect.void)
    const pings = yield* Effect.fork(
      Effect.forever(Effect.zipRight(Effect.sleep("1 second"), ping))
    )
    const { late } = yield* World.make(MANY, Effect.void)
    yield* Fiber.interrupt(pings)
    return { old: yield* readings(late), world: late }
  }).pipe(Effect.provide(layer("force_generic_plan")))
  const fresh = yield* readings(world).pipe(Effect.provide(layer("force_generic_plan")))
  return { old, fresh }
}).pipe(Effect.provide(layerDatabase))

describe("plans of prepared statements", () => {
  it.live(
    "stay good when tables grow",
    () =>
      Effect.gen(function* () {
        const { old, fresh } = yield* measured
        assert.deepStrictEqual([...old.keys()].sort(), [...NAMES].sort())
        const over = [...old].flatMap(([name, { tuples, worst }]) => {
          const most = (fresh.get(name)?.tuples ?? 0) * 1.5 + MARGIN
          return tuples > most ? [`${name}: ${tuples} instead of ${most}\n${worst}`] : []
        })
        assert.deepStrictEqual(over, [])
      }),
    300_000
  )
})
