/** Waivers on PostgreSQL. */
import { waiversSuite } from "@attestry/core/testing/WaiversSuite"
import { Effect, Layer } from "effect"
import * as PgLayer from "../shared/PgLayer.js"
import * as TimeTravel from "../shared/TimeTravel.js"

let database: PgLayer.TestDatabase["Type"] | undefined

/** Keeps the database of the layer for the clock. */
const kept = Layer.effectDiscard(
  Effect.map(PgLayer.TestDatabase, (opened) => {
    database = opened
  })
)

waiversSuite("PostgreSQL", Layer.provideMerge(kept, PgLayer.layer), {
  travel: {
    wait: (minutes) =>
      database === undefined
        ? Effect.dieMessage("the database is not open")
        : TimeTravel.moveBack(database, minutes)
  }
})
