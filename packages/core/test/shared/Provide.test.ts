/** Services are there for the work they are provided to, and for nothing after it, however it ends. */
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Context, Effect, Exit, Fiber, FiberRef, Option } from "effect"
import * as Provide from "../../src/shared/Provide.js"

class Colour extends Context.Tag("test/Colour")<Colour, string>() {}
class Size extends Context.Tag("test/Size")<Size, number>() {}

/** The colour that can be seen, if any can. */
const seen = Effect.map(Effect.context<never>(), (context) => Context.getOption(context, Colour))

const coloured = <A, E>(work: Effect.Effect<A, E, Colour>, colour: string) =>
  Provide.exit(work, (around: Context.Context<never>) => Context.add(around, Colour, colour))

/** How some work ends with a colour provided to it, and which colour is seen afterwards. */
const afterwards = <A, E>(work: Effect.Effect<A, E, Colour>) =>
  Effect.all([coloured(work, "red"), seen])

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
      const inner = Effect.flatten(coloured(Colour, "blue"))
      const both = coloured(Effect.all([Colour, inner, Colour]), "red")
      deepStrictEqual(yield* both, Exit.succeed(["red", "blue", "red"]))
    })
  )

  it.effect("keeps the services around it, and what the work forks has them too", () =>
    Effect.gen(function* () {
      const work = Effect.flatMap(Effect.fork(Effect.all([Colour, Size])), Fiber.join)
      const found = yield* Provide.exit(work, (around: Context.Context<Size>) =>
        Context.add(around, Colour, "red")
      ).pipe(Effect.provideService(Size, 3))
      deepStrictEqual(found, Exit.succeed(["red", 3]))
    })
  )

  it.live("puts back what was there when the work is interrupted where nothing else may be", () =>
    Effect.gen(function* () {
      let after: Option.Option<string> = Option.some("never looked")
      const work = Effect.uninterruptibleMask((restore) =>
        coloured(restore(Effect.never), "red").pipe(
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
      yield* coloured(FiberRef.set(noted, "something"), "red")
      assert.strictEqual(yield* FiberRef.get(noted), "something")
      deepStrictEqual(yield* seen, Option.none())
      yield* coloured(Effect.locally(Colour, noted, "else"), "red")
      assert.strictEqual(yield* FiberRef.get(noted), "something")
      deepStrictEqual(yield* seen, Option.none())
    })
  )

  it.effect("changes many services at once", () =>
    Effect.gen(function* () {
      const found = yield* Provide.exit(
        Effect.all([Colour, Size]),
        (around: Context.Context<never>) =>
          around.pipe(Context.add(Colour, "red"), Context.add(Size, 3))
      )
      deepStrictEqual(found, Exit.succeed(["red", 3]))
      deepStrictEqual(yield* seen, Option.none())
    })
  )
})
