/** Token buckets: their rate, and their bound in memory. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as RateLimiter from "../../src/shared/internal/RateLimiter.js"

const make = (perMinute: number, keysMax = 10) => {
  const clock = { now: 0 }
  const limiter = RateLimiter.make({ perMinute, keysMax, now: () => clock.now })
  return { clock, limiter }
}

describe("RateLimiter", () => {
  it.prop(
    "never grants more than a burst and the refill of a minute",
    {
      perMinute: FastCheck.integer({ min: 1, max: 50 }),
      steps: FastCheck.array(FastCheck.integer({ min: 0, max: 5_000 }), { maxLength: 200 })
    },
    ({ perMinute, steps }) => {
      const { clock, limiter } = make(perMinute)
      let granted = 0
      for (const step of steps) {
        clock.now += step
        if (limiter.take("k") === 0) granted += 1
        assert.isAtMost(granted, perMinute + (clock.now * perMinute) / 60_000 + 1e-6)
      }
    }
  )

  it.prop(
    "returns the time until the next token",
    { perMinute: FastCheck.integer({ min: 1, max: 1_000 }) },
    ({ perMinute }) => {
      const { clock, limiter } = make(perMinute)
      for (let index = 0; index < perMinute; index++) assert.strictEqual(limiter.take("k"), 0)
      const wait = limiter.take("k")
      assert.isAbove(wait, 0)
      clock.now += wait
      assert.strictEqual(limiter.take("k"), 0)
    }
  )

  it("has a bucket for each key, and drops the least recently used one", () => {
    const { limiter } = make(1, 2)
    assert.strictEqual(limiter.take("a"), 0)
    assert.strictEqual(limiter.take("b"), 0)
    assert.isAbove(limiter.take("a"), 0)
    assert.strictEqual(limiter.take("c"), 0)
    assert.isAbove(limiter.take("a"), 0)
    assert.strictEqual(limiter.take("b"), 0)
  })
})

/** Processes that tell each other that they live, and buckets of one key in each. */
const makeFleet = (perMinute: number) => {
  const clock = { now: 0 }
  const rows = new Map<number, number>()
  const running = new Map<
    number,
    { limiter: RateLimiter.RateLimiter; tell: () => void; told: number }
  >()
  let started = 0

  const start = () => {
    const id = started++
    const known = { count: 1 }
    const sharers = () => known.count
    const limiter = RateLimiter.make({ perMinute, keysMax: 10, now: () => clock.now, sharers })
    const tell = () => {
      rows.set(id, clock.now)
      const live = [...rows.values()].filter((seen) => clock.now - seen < GONE_MS)
      known.count = live.length
    }
    tell()
    running.set(id, { limiter, tell, told: clock.now })
  }

  /** Ends a process; one that is killed leaves its row. */
  const end = (which: number, isKilled: boolean) => {
    const ids = [...running.keys()]
    const id = ids[which % Math.max(1, ids.length)]
    if (id === undefined || ids.length === 1) return false
    running.delete(id)
    if (!isKilled) rows.delete(id)
    return true
  }

  const advance = (millis: number) => {
    for (let left = millis; left > 0; ) {
      const step = Math.min(left, 100)
      clock.now += step
      left -= step
      for (const process of running.values()) {
        if (clock.now - process.told < SEEN_MS) continue
        process.tell()
        process.told = clock.now
      }
    }
  }

  /** How many of so many requests, dealt to processes in turn, are granted. */
  const send = (count: number) => {
    const all = [...running.values()]
    return Array.from({ length: count }, (_, at) => all[at % all.length]?.limiter.take("k")).filter(
      (millis) => millis === 0
    ).length
  }

  return { clock, start, end, advance, send, size: () => running.size }
}

const SEEN_MS = 5_000
const GONE_MS = 15_000
const SETTLED_MS = 10_000

type Step =
  | { readonly do: "start" }
  | { readonly do: "end"; readonly which: number; readonly isKilled: boolean }
  | { readonly do: "wait"; readonly millis: number }
  | { readonly do: "send"; readonly count: number }

const { integer, boolean, constant, record } = FastCheck
const step: FastCheck.Arbitrary<Step> = FastCheck.oneof(
  { weight: 1, arbitrary: record({ do: constant("start" as const) }) },
  {
    weight: 1,
    arbitrary: record({
      do: constant("end" as const),
      which: integer({ min: 0, max: 9 }),
      isKilled: boolean()
    })
  },
  {
    weight: 3,
    arbitrary: record({ do: constant("wait" as const), millis: integer({ min: 0, max: 20_000 }) })
  },
  {
    weight: 6,
    arbitrary: record({ do: constant("send" as const), count: integer({ min: 0, max: 200 }) })
  }
)

describe("processes that share a limit", () => {
  it.prop(
    "SHARE-1: grant at most it together, 10 seconds after one came or went",
    {
      perMinute: integer({ min: 1, max: 200 }),
      steps: FastCheck.array(step, { minLength: 1, maxLength: 60 })
    },
    ({ perMinute, steps }) => {
      const fleet = makeFleet(perMinute)
      fleet.start()
      let changed = fleet.clock.now
      let settled: Array<{ readonly at: number; readonly granted: number }> = []
      for (const each of steps) {
        if (each.do === "wait") fleet.advance(each.millis)
        else if (each.do === "send") {
          const granted = fleet.send(each.count)
          if (fleet.clock.now - changed < SETTLED_MS) continue
          settled.push({ at: fleet.clock.now, granted })
          for (let from = 0; from < settled.length; from++) {
            const window = settled.slice(from)
            const sum = window.reduce((total, one) => total + one.granted, 0)
            const took = fleet.clock.now - (window[0]?.at ?? 0)
            // A process whose part is below one token has one at once.
            const burst = Math.max(perMinute, fleet.size())
            assert.isAtMost(sum, burst + (took * perMinute) / 60_000 + 1e-6)
          }
        } else {
          if (each.do === "start") fleet.start()
          else if (!fleet.end(each.which, each.isKilled)) continue
          changed = fleet.clock.now
          settled = []
        }
      }
    }
  )

  it("grant all of it again when the others have gone, killed or not", () => {
    for (const isKilled of [true, false]) {
      const fleet = makeFleet(60)
      fleet.start()
      fleet.start()
      fleet.advance(SETTLED_MS)
      assert.strictEqual(fleet.send(200), 60)
      fleet.end(1, isKilled)
      fleet.advance(GONE_MS + SEEN_MS)
      fleet.send(200)
      fleet.advance(60_000)
      assert.strictEqual(fleet.send(200), 60)
    }
  })

  it("each have a token, however many they are", () => {
    const fleet = makeFleet(1)
    for (let count = 0; count < 4; count++) fleet.start()
    fleet.advance(SETTLED_MS)
    assert.strictEqual(fleet.send(40), 4)
    fleet.advance(60_000)
    assert.strictEqual(fleet.send(40), 0)
    fleet.advance(181_000)
    assert.strictEqual(fleet.send(40), 4)
  })
})
