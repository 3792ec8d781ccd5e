/**
 * PostgreSQL compiles statements that it expects to be dear, which takes it longer than any statement of ours runs. Our
 * connections switch that off, and no plan of a usual statement is expected to be dear.
 *
 * The server has its defaults; `ATTESTRY_TEST_DATABASE_URL` names one of another version.
 */

import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as PgLayer from "../shared/PgLayer.js"
import {
  Explained,
  forgetStatistics,
  layer,
  layerDatabase,
  type PlanMode
} from "./ExplainedStore.js"
import { FLAT, LINEAR } from "./Statements.js"
import * as World from "./World.js"

const MODES: ReadonlyArray<PlanMode> = ["force_custom_plan", "force_generic_plan"]

const SIZE = 20

/** Exports read whole histories: `EnvironmentEventExportSql` switches joins and compilation off for them. */
const isExport = (name: string): boolean => name.startsWith("the audit log")

/** The plans of all statements that are expected to be dear. */
const dearIn = (world: World.World, mode: PlanMode) =>
  Effect.gen(function* () {
    const { reading } = yield* Explained
    const found: Array<string> = []
    for (const [name, statement] of Object.entries({ ...FLAT, ...LINEAR })) {
      if (isExport(name)) continue
      const { dear } = yield* reading(statement(world))
      found.push(...dear.map((plan) => `${name}, ${mode}\n${plan}`))
    }
    return found
  }).pipe(Effect.provide(layer(mode)))

describe("compilation", () => {
  it.live("connections of the application never compile", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`show jit`, [{ jit: "off" }])
    }).pipe(Effect.provide(PgLayer.layer))
  )

  it.live("no statement is expected to be worth compiling, with and without statistics", () =>
    Effect.gen(function* () {
      const { late } = yield* World.make(SIZE, Effect.void)
      for (const mode of MODES) assert.deepStrictEqual(yield* dearIn(late, mode), [])
      yield* forgetStatistics
      for (const mode of MODES) assert.deepStrictEqual(yield* dearIn(late, mode), [])
    }).pipe(Effect.provide(layerDatabase))
  )
})
