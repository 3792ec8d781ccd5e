/** Backoff grows, has jitter, respects Retry-After, and ends after the last attempt. */
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Duration, FastCheck, Option } from "effect"
import * as Channel from "../../src/notification/Channel.js"
import * as DeliverySchedule from "../../src/notification/DeliverySchedule.js"

const { defaults } = DeliverySchedule
const DAY = 86_400_000

const settle = (
  outcome: Channel.ChannelOutcome,
  attempts = 0,
  {
    chance = 0.5,
    options = defaults
  }: { chance?: number; options?: DeliverySchedule.ScheduleOptions } = {}
) => DeliverySchedule.settle(outcome, { attempts, chance }, options)

const pauseOf = (...input: Parameters<typeof settle>) => {
  const outcome = settle(...input)
  return outcome._tag === "Retry" ? outcome.afterMillis : undefined
}

const chance = FastCheck.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const options = FastCheck.record({
  attemptsMax: FastCheck.integer({ min: 1, max: 30 }),
  backoffMillis: FastCheck.integer({ min: 1, max: DAY })
})

describe("DeliverySchedule", () => {
  it("makes eight attempts over about three days", () => {
    const pauses = Array.from({ length: 7 }, (_, attempts) =>
      pauseOf(Channel.refused("x"), attempts)
    )
    assert.notInclude(pauses, undefined)
    const total = pauses.reduce<number>((sum, pause) => sum + (pause ?? 0), 0)
    assert.isAtLeast(total, 2.8 * DAY)
    assert.isAtMost(total, 3.2 * DAY)
    deepStrictEqual(settle(Channel.refused("status 500"), 7), { _tag: "Dead", error: "status 500" })
  })

  it("ends after a success and after 410", () => {
    deepStrictEqual(settle(Channel.accepted, 3), { _tag: "Delivered" })
    deepStrictEqual(settle(Channel.gone("status 410")), { _tag: "Gone", error: "status 410" })
  })

  it("makes no further attempt after a final failure", () => {
    deepStrictEqual(settle(Channel.refused("mail refused (550)", { isFinal: true })), {
      _tag: "Dead",
      error: "mail refused (550)"
    })
  })

  it.prop(
    "has a jitter of at most a fifth",
    { chance, options, attempts: FastCheck.nat(28) },
    (input) => {
      const pause = pauseOf(Channel.refused("x"), input.attempts, input)
      const planned = DeliverySchedule.pauseMillis(input.attempts + 1, input.options)
      if (input.attempts + 1 >= input.options.attemptsMax) return assert.isUndefined(pause)
      assert.isAtLeast(pause ?? 0, Math.floor(planned * 0.8))
      assert.isAtMost(pause ?? 0, Math.ceil(planned * 1.2))
    }
  )

  it.prop(
    "never plans a shorter pause than before, and has a longest pause",
    { options, failures: FastCheck.integer({ min: 1, max: 100 }) },
    (input) => {
      const pause = DeliverySchedule.pauseMillis(input.failures, input.options)
      assert.isAtLeast(DeliverySchedule.pauseMillis(input.failures + 1, input.options), pause)
      assert.isAtMost(pause, DeliverySchedule.PAUSE_MILLIS_MAX)
    }
  )

  it.prop(
    "waits at least as long as Retry-After says, up to a day",
    { chance, wish: FastCheck.nat(3 * DAY) },
    (input) => {
      const retryAfter = Option.some(Duration.millis(input.wish))
      const pause = pauseOf(Channel.refused("status 503", { retryAfter }), 0, input) ?? 0
      const own = pauseOf(Channel.refused("status 503"), 0, input) ?? 0
      assert.strictEqual(pause, Math.max(own, Math.min(input.wish, DAY)))
    }
  )
})
