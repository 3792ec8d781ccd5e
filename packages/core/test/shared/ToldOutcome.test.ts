/** What a write tells to a caller that asks, and what it costs a caller that does not. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as ToldOutcome from "../../src/shared/ToldOutcome.js"
import type { WriteOutcome } from "../../src/shared/WriteOutcome.js"

const outcome = (id: string): WriteOutcome => ({
  type: "flow",
  id,
  name: "shop",
  result: "created"
})

describe("ToldOutcome.told", () => {
  it.effect("gives the value and the outcome that was told last", () =>
    Effect.gen(function* () {
      const write = Effect.as(
        Effect.zipRight(
          ToldOutcome.tell(outcome("1")),
          ToldOutcome.tellOf("flow", { id: "2", name: "shop" }, "created")
        ),
        "OK"
      )
      const told = yield* ToldOutcome.told(write)
      assert.deepStrictEqual(told, { value: "OK", outcome: outcome("2") })
    })
  )

  it.effect("gives no outcome where nothing was told", () =>
    Effect.gen(function* () {
      const told = yield* ToldOutcome.told(Effect.succeed("OK"))
      assert.deepStrictEqual(told, { value: "OK", outcome: undefined })
    })
  )

  it.effect("is what makes a write read its outcome", () =>
    Effect.gen(function* () {
      let reads = 0
      const write = ToldOutcome.tellFrom(
        Effect.sync(() => {
          reads += 1
          return outcome("1")
        })
      )
      yield* write
      assert.strictEqual(reads, 0)
      assert.deepStrictEqual((yield* ToldOutcome.told(write)).outcome, outcome("1"))
      assert.strictEqual(reads, 1)
    })
  )
})
