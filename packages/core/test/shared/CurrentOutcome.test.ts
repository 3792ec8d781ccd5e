/** What a write tells to a caller that asks, and what it costs a caller that does not. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as CurrentOutcome from "../../src/shared/CurrentOutcome.js"
import type { WriteOutcome } from "../../src/shared/WriteOutcome.js"

const outcome = (id: string): WriteOutcome => ({
  type: "flow",
  id,
  name: "shop",
  result: "created"
})

describe("CurrentOutcome.withOutcome", () => {
  it.effect("gives the value and the outcome that was recorded last", () =>
    Effect.gen(function* () {
      const write = Effect.as(
        Effect.zipRight(
          CurrentOutcome.setOutcome(outcome("1")),
          CurrentOutcome.setOutcomeOf("flow", { id: "2", name: "shop" }, "created")
        ),
        "OK"
      )
      const told = yield* CurrentOutcome.withOutcome(write)
      assert.deepStrictEqual(told, { value: "OK", outcome: outcome("2") })
    })
  )

  it.effect("gives no outcome if none was recorded", () =>
    Effect.gen(function* () {
      const told = yield* CurrentOutcome.withOutcome(Effect.succeed("OK"))
      assert.deepStrictEqual(told, { value: "OK", outcome: undefined })
    })
  )

  it.effect("is what makes a write read its outcome", () =>
    Effect.gen(function* () {
      let reads = 0
      const write = CurrentOutcome.setOutcomeFrom(
        Effect.sync(() => {
          reads += 1
          return outcome("1")
        })
      )
      yield* write
      assert.strictEqual(reads, 0)
      assert.deepStrictEqual((yield* CurrentOutcome.withOutcome(write)).outcome, outcome("1"))
      assert.strictEqual(reads, 1)
    })
  )
})
