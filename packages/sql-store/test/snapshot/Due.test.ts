/** Verdicts that change by time alone, on PostgreSQL. */
import { dueSuite } from "@attestry/core/testing/DueSuite"
import { Effect, Layer } from "effect"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import * as PgLayer from "../shared/PgLayer.js"
import * as TimeTravel from "../shared/TimeTravel.js"

const LIVES = lengthForRun({ quick: 1, full: 4, deep: 200 })

let database: PgLayer.TestDatabase["Type"] | undefined

/** Keeps the database of the layer for the clock. */
const kept = Layer.effectDiscard(
  Effect.map(PgLayer.TestDatabase, (opened) => {
    database = opened
  })
)

dueSuite("PostgreSQL", Layer.provideMerge(kept, PgLayer.layer), {
  lives: LIVES,
  travel: {
    wait: (minutes) =>
      database === undefined
        ? Effect.dieMessage("the database is not open")
        : TimeTravel.moveBack(database, minutes)
  }
})
