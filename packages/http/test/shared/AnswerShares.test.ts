/** Answers that are made at the same time are bounded, and orgs share them. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, FastCheck as fc } from "effect"

import * as AnswerShares from "../../src/shared/internal/AnswerShares.js"

const LIMITS = { answers: 4, answersPerOrg: 2, bytes: 100, bytesPerOrg: 50, waitMillis: 60_000 }

/** A request that keeps its share until the test ends it. */
const request = (shares: AnswerShares.AnswerShares, org: string, bytes: number) =>
  Effect.gen(function* () {
    const begun = yield* Deferred.make<AnswerShares.AnswerShare>()
    const end = yield* Deferred.make<void>()
    const fiber = yield* Effect.fork(
      shares.within({ org, bytes }, (share) =>
        Effect.zipRight(Deferred.succeed(begun, share), Deferred.await(end))
      )
    )
    yield* Effect.yieldNow()
    return {
      fiber,
      share: Deferred.await(begun),
      isBegun: Deferred.isDone(begun),
      finish: Effect.zipRight(Deferred.succeed(end, undefined), Fiber.await(fiber))
    }
  })

const settle = Effect.repeatN(Effect.yieldNow(), 20)

describe("AnswerShares", () => {
  it.effect("lets one org make half of the answers, and another begin at once", () =>
    Effect.gen(function* () {
      const shares = AnswerShares.make(LIMITS)
      const noisy = yield* Effect.forEach([1, 2, 3, 4, 5], () => request(shares, "noisy", 10))
      const quiet = yield* request(shares, "quiet", 10)
      yield* settle
      assert.deepStrictEqual(yield* Effect.forEach(noisy, ({ isBegun }) => isBegun), [
        true,
        true,
        false,
        false,
        false
      ])
      assert.isTrue(yield* quiet.isBegun)
      yield* noisy[0]?.finish ?? Effect.void
      yield* settle
      assert.isTrue(yield* noisy[2]?.isBegun ?? Effect.succeed(false))
    })
  )

  it.effect("gives what becomes free to the org that holds the least", () =>
    Effect.gen(function* () {
      const shares = AnswerShares.make({ ...LIMITS, answers: 2 })
      const first = yield* request(shares, "a", 10)
      const second = yield* request(shares, "a", 10)
      const third = yield* request(shares, "a", 10)
      const other = yield* request(shares, "b", 10)
      yield* first.finish
      yield* settle
      assert.deepStrictEqual([yield* third.isBegun, yield* other.isBegun], [false, true])
      yield* second.finish
    })
  )

  it.effect("counts the bytes of an answer until it is sent", () =>
    Effect.gen(function* () {
      const shares = AnswerShares.make(LIMITS)
      const first = yield* request(shares, "a", 40)
      const share = yield* first.share
      share.keep(45)
      yield* first.finish
      const second = yield* request(shares, "a", 10)
      yield* settle
      assert.isFalse(yield* second.isBegun)
      share.release()
      share.release()
      yield* settle
      assert.isTrue(yield* second.isBegun)
      const third = yield* request(shares, "a", 41)
      yield* settle
      assert.isFalse(yield* third.isBegun)
    })
  )

  it.effect("counts an answer that is larger than the share of an org as that", () =>
    Effect.gen(function* () {
      const shares = AnswerShares.make(LIMITS)
      const large = yield* request(shares, "a", 1_000)
      yield* settle
      assert.isTrue(yield* large.isBegun)
      assert.isTrue(yield* (yield* request(shares, "b", 1_000)).isBegun)
    })
  )

  it.live("refuses a request that has waited for too long, and no other", () =>
    Effect.gen(function* () {
      const shares = AnswerShares.make({ ...LIMITS, answersPerOrg: 1, waitMillis: 20 })
      const first = yield* request(shares, "a", 10)
      const late = yield* request(shares, "a", 10)
      assert.deepStrictEqual(yield* Fiber.await(late.fiber), Exit.fail(new AnswerShares.NoShare()))
      yield* first.finish
      assert.isTrue(yield* (yield* request(shares, "a", 10)).isBegun)
    })
  )

  it.effect("never holds more than its limits, and gives everything back", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.record({
              org: fc.constantFrom("a", "b", "c"),
              bytes: fc.integer({ min: 1, max: 80 }),
              end: fc.constantFrom<Played["end"]>("finish", "interrupt", "keep"),
              turns: fc.integer({ min: 0, max: 5 })
            }),
            { maxLength: 40 }
          ),
          (requests) => Effect.runPromise(play(requests))
        ),
        { numRuns: 100 }
      )
    )
  )
})

interface Played {
  readonly org: string
  readonly bytes: number
  readonly end: "finish" | "interrupt" | "keep"
  readonly turns: number
}

/** Runs requests concurrently, and checks the limits whenever one begins. */
const play = (requests: ReadonlyArray<Played>) =>
  Effect.gen(function* () {
    const shares = AnswerShares.make(LIMITS)
    const held = new Map<object, Played>()
    const look = () => {
      const all = [...held.values()]
      const bytesOf = (some: ReadonlyArray<Played>) =>
        some.reduce((sum, { bytes }) => sum + Math.min(bytes, LIMITS.bytesPerOrg), 0)
      assert.isAtMost(all.length, LIMITS.answers)
      assert.isAtMost(bytesOf(all), LIMITS.bytes)
      for (const org of ["a", "b", "c"]) {
        const own = all.filter((one) => one.org === org)
        assert.isAtMost(own.length, LIMITS.answersPerOrg)
        assert.isAtMost(bytesOf(own), LIMITS.bytesPerOrg)
      }
    }
    yield* Effect.forEach(
      requests,
      (one) =>
        shares
          .within(one, (share) =>
            Effect.gen(function* () {
              held.set(share, one)
              look()
              yield* Effect.repeatN(Effect.yieldNow(), one.turns)
              held.delete(share)
              if (one.end === "interrupt") return yield* Effect.interrupt
              if (one.end === "keep") {
                share.keep(0)
                share.release()
              }
            })
          )
          .pipe(Effect.exit),
      { concurrency: "unbounded", discard: true }
    )
    const after = yield* request(shares, "a", 50)
    assert.isTrue(yield* after.isBegun)
    yield* after.finish
  })
