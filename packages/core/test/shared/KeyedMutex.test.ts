/** Work on one key takes turns, work on others does not wait. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { DryRun } from "../../src/shared/internal/DryRun.js"
import * as KeyedMutex from "../../src/shared/internal/KeyedMutex.js"

describe("KeyedMutex", () => {
  it.effect("runs work on one key one after the other, in the order in which it came", () =>
    Effect.gen(function* () {
      const turns = KeyedMutex.make()
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

  it.effect(
    "never lets two work at once, whoever fails, gives up or is interrupted on the way",
    () =>
      Effect.gen(function* () {
        const turns = KeyedMutex.make()
        const seen = { now: 0, most: 0, done: 0 }
        const begin = Effect.sync(() => {
          seen.now += 1
          seen.most = Math.max(seen.most, seen.now)
        })
        const end = Effect.sync(() => {
          seen.now -= 1
        })
        const succeed = Effect.sync(() => {
          seen.done += 1
        })
        const work = (number: number) =>
          turns(
            "key",
            Effect.acquireUseRelease(
              begin,
              () =>
                Effect.zipRight(Effect.yieldNow(), number % 5 === 0 ? Effect.fail("no") : succeed),
              () => end
            )
          )
        const fibers = yield* Effect.forEach(Array.from({ length: 60 }).keys(), (number) =>
          Effect.fork(work(number))
        )
        yield* Effect.yieldNow()
        for (const [number, fiber] of fibers.entries())
          if (number % 7 === 0) yield* Fiber.interrupt(fiber)
        for (const fiber of fibers) yield* Fiber.await(fiber)
        assert.strictEqual(seen.most, 1)
        assert.isAtLeast(seen.done, 60 - 12 - 9)
        yield* turns("key", Effect.void)
      })
  )

  it.effect("lets others go on while work on a key waits, fails or is interrupted", () =>
    Effect.gen(function* () {
      const turns = KeyedMutex.make()
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

  it.effect("lets a dry run go on, which holds a transaction", () =>
    Effect.gen(function* () {
      const turns = KeyedMutex.make()
      const gate = yield* Deferred.make<void>()
      const holding = yield* Effect.fork(turns("key", Deferred.await(gate)))
      yield* Effect.yieldNow()
      const dry = Effect.provideService(turns("key", Effect.succeed("at once")), DryRun, true)
      assert.strictEqual(yield* dry, "at once")
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(holding)
    })
  )
})
