/** Work on one key takes turns, work on others does not wait. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Turns from "../../src/shared/internal/Turns.js"

describe("Turns", () => {
  it.effect("runs work on one key one after the other, in the order in which it came", () =>
    Effect.gen(function* () {
      const turns = Turns.make()
      const log: Array<string> = []
      const work = (name: string) =>
        turns(
          "key",
          Effect.gen(function* () {
            log.push(`${name} begins`)
            yield* Effect.yieldNow()
            log.push(`${name} ends`)
          })
        )
      yield* Effect.all([work("a"), work("b"), work("c")], { concurrency: "unbounded" })
      assert.deepStrictEqual(
        log,
        ["a", "b", "c"].flatMap((name) => [`${name} begins`, `${name} ends`])
      )
    })
  )

  it.effect("lets others go on while work on a key waits, fails or is interrupted", () =>
    Effect.gen(function* () {
      const turns = Turns.make()
      const gate = yield* Deferred.make<void>()
      const holding = yield* Effect.fork(turns("key", Deferred.await(gate)))
      yield* Effect.yieldNow()
      const waiting = yield* Effect.fork(turns("key", Effect.succeed("waited")))
      const given = yield* Effect.fork(turns("key", Effect.succeed("given up")))
      assert.strictEqual(yield* turns("other", Effect.succeed("at once")), "at once")
      yield* Fiber.interrupt(given)
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(holding)
      assert.strictEqual(yield* Fiber.join(waiting), "waited")
      assert.strictEqual(yield* Effect.flip(turns("key", Effect.fail("no"))), "no")
      assert.strictEqual(yield* turns("key", Effect.succeed("again")), "again")
    })
  )
})
