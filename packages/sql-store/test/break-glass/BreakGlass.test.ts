/** Break-glass on PostgreSQL. */
import { breakGlassSuite } from "@attestry/core/testing/BreakGlassSuite"
import { Effect, Layer } from "effect"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import * as PgLayer from "../shared/PgLayer.js"
import * as TimeTravel from "../shared/TimeTravel.js"

let database: PgLayer.TestDatabase["Type"] | undefined

/** Keeps the database of the layer for the clock. */
const kept = Layer.effectDiscard(
  Effect.map(PgLayer.TestDatabase, (opened) => {
    database = opened
  })
)

breakGlassSuite("PostgreSQL", Layer.provideMerge(kept, PgLayer.layer), {
  travel: {
    wait: (minutes) =>
      database === undefined
        ? Effect.dieMessage("the database is not open")
        : TimeTravel.moveBack(database, minutes)
  },
  runs: lengthForRun({ quick: 3, full: 8, deep: 100 })
})
