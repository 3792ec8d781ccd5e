/** Services are there for the work they are provided to, and for nothing after it, however it ends. */
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Context, Effect, Exit, Fiber, FiberRef, Option } from "effect"
import * as Provide from "../../src/shared/Provide.js"

class Colour extends Context.Tag("test/Colour")<Colour, string>() {}
class Size extends Context.Tag("test/Size")<Size, number>() {}

/** The colour that can be seen, if any can. */
const seen = Effect.map(Effect.context<never>(), (context) => Context.getOption(context, Colour))

/** How some work ends with a colour provided to it, and which colour is seen afterwards. */
const afterwards = <A, E>(work: Effect.Effect<A, E, Colour>) =>
  Effect.all([Effect.exit(Provide.service(work, Colour, "red")), seen])

describe("Provide", () => {
  it.effect("gives a service to the work alone, whether it succeeds, fails or dies", () =>
    Effect.gen(function* () {
      deepStrictEqual(yield* afterwards(Colour), [Exit.succeed("red"), Option.none()])
      deepStrictEqual(yield* afterwards(Effect.fail("no")), [Exit.fail("no"), Option.none()])
      deepStrictEqual(yield* afterwards(Effect.die("bug")), [Exit.die("bug"), Option.none()])
    })
  )

  it.effect("puts an inner service before an outer one, and the outer one back", () =>
    Effect.gen(function* () {
      const inner = Provide.service(Colour, Colour, "blue")
      const both = Provide.service(Effect.all([Colour, inner, Colour]), Colour, "red")
      assert.deepStrictEqual(yield* both, ["red", "blue", "red"])
    })
  )

  it.effect("keeps the services around it, and what the work forks has them too", () =>
    Effect.gen(function* () {
      const work = Effect.flatMap(Effect.fork(Effect.all([Colour, Size])), Fiber.join)
      const found = yield* Provide.service(Provide.service(work, Colour, "red"), Size, 3)
      assert.deepStrictEqual(found, ["red", 3])
    })
  )

  it.live("puts back what was there when the work is interrupted where nothing else may be", () =>
    Effect.gen(function* () {
      let after: Option.Option<string> = Option.some("never looked")
      const work = Effect.uninterruptibleMask((restore) =>
        Effect.exit(Provide.service(restore(Effect.never), Colour, "red")).pipe(
          Effect.zipRight(seen),
          Effect.flatMap((colour) =>
            Effect.sync(() => {
              after = colour
            })
          )
        )
      )
      const fiber = yield* Effect.fork(work)
      yield* Effect.sleep("10 millis")
      yield* Fiber.interrupt(fiber)
      deepStrictEqual(after, Option.none())
    })
  )

  it.effect("leaves alone whatever else the work has set, and takes back the services alone", () =>
    Effect.gen(function* () {
      const noted = FiberRef.unsafeMake("nothing")
      yield* Provide.service(FiberRef.set(noted, "something"), Colour, "red")
      assert.strictEqual(yield* FiberRef.get(noted), "something")
      deepStrictEqual(yield* seen, Option.none())
      yield* Provide.service(Effect.locally(Colour, noted, "else"), Colour, "red")
      assert.strictEqual(yield* FiberRef.get(noted), "something")
      deepStrictEqual(yield* seen, Option.none())
    })
  )

  it.effect("tells how the work has ended", () =>
    Effect.gen(function* () {
      const red = (around: Context.Context<never>) => Context.add(around, Colour, "red")
      deepStrictEqual(yield* Provide.exit(Colour, red), Exit.succeed("red"))
      deepStrictEqual(yield* Provide.exit(Effect.fail("no"), red), Exit.fail("no"))
      deepStrictEqual(yield* seen, Option.none())
    })
  )

  it.effect("changes many services at once", () =>
    Effect.gen(function* () {
      const found = yield* Provide.context(
        Effect.all([Colour, Size]),
        (around: Context.Context<never>) =>
          around.pipe(Context.add(Colour, "red"), Context.add(Size, 3))
      )
      assert.deepStrictEqual(found, ["red", 3])
      deepStrictEqual(yield* seen, Option.none())
    })
  )
})
