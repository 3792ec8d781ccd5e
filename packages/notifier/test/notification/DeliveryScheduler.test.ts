/** Attempts that hang occupy no slot of quick ones, for every order of starts and ends. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as DeliveryScheduler from "../../src/notification/internal/DeliveryScheduler.js"
import { deliveryOf } from "./Samples.js"

const SLOW = 1_000
const CONCURRENCY = 8

const deliveryIn = (queue: number) =>
  deliveryOf(
    { type: "WEBHOOK", webhook: "https://hooks.example.com/", payload_version: "1.0" },
    undefined,
    { queue: `q${queue}` }
  )

const make = () => DeliveryScheduler.make({ concurrency: CONCURRENCY, slowMillis: SLOW })

type Step =
  | { readonly kind: "start"; readonly queue: number; readonly slot: "quick" | "answering" }
  | { readonly kind: "end"; readonly which: number }
  | { readonly kind: "pass"; readonly millis: number }

const step: FastCheck.Arbitrary<Step> = FastCheck.oneof(
  FastCheck.record({
    kind: FastCheck.constant("start" as const),
    queue: FastCheck.nat(5),
    slot: FastCheck.constantFrom("quick" as const, "answering" as const)
  }),
  FastCheck.record({ kind: FastCheck.constant("end" as const), which: FastCheck.nat(20) }),
  FastCheck.record({ kind: FastCheck.constant("pass" as const), millis: FastCheck.nat(1_500) })
)

describe("DeliveryScheduler", () => {
  it.prop(
    "counts quick attempts as the model does",
    { steps: FastCheck.array(step) },
    ({ steps }) => {
      const scheduler = make()
      let now = 0
      let running: ReadonlyArray<DeliveryScheduler.Running> = []
      for (const each of steps) {
        if (each.kind === "pass") now += each.millis
        else if (each.kind === "end") {
          const ended = running[each.which]
          if (ended === undefined) continue
          running = running.filter((other) => other !== ended)
          scheduler.end(ended, now)
          const isSlow = scheduler.slowQueues().some(({ queue }) => queue === ended.delivery.queue)
          assert.strictEqual(isSlow, now - ended.startedAt >= SLOW)
        } else if (scheduler.free(each.slot, now) > 0) {
          running = [...running, scheduler.start(deliveryIn(each.queue), each.slot, now)]
        }
        const quick = running.filter(({ startedAt }) => now - startedAt < SLOW).length
        const free = (most: number) =>
          Math.max(0, Math.min(CONCURRENCY - quick, most - running.length))
        assert.strictEqual(scheduler.free("quick", now), free(CONCURRENCY * 1.5))
        assert.strictEqual(scheduler.free("answering", now), free(CONCURRENCY * 2))
        assert.strictEqual(scheduler.count(), running.length)
        assert.strictEqual(scheduler.countQuick(), quick)
      }
    }
  )

  it("has a quarter as many slots for slow queues", () => {
    const scheduler = make()
    assert.strictEqual(scheduler.free("slow", 0), 2)
    scheduler.start(deliveryIn(1), "slow", 0)
    assert.strictEqual(scheduler.free("slow", 0), 1)
    assert.strictEqual(scheduler.free("quick", 0), CONCURRENCY)
  })

  it("reserves the last quarter of all slots for queues whose last attempt succeeded", () => {
    const scheduler = make()
    let now = 0
    while (scheduler.free("quick", now) > 0) {
      scheduler.start(deliveryIn(scheduler.count()), "quick", now)
      if (scheduler.free("quick", now) === 0 && scheduler.count() === CONCURRENCY) now += SLOW
    }
    now += SLOW
    assert.strictEqual(scheduler.count(), 12)
    assert.deepStrictEqual(
      [scheduler.free("quick", now), scheduler.free("slow", now), scheduler.free("answering", now)],
      [0, 0, 4]
    )
    for (let n = 0; n < 4; n++) scheduler.start(deliveryIn(100 + n), "answering", now)
    assert.strictEqual(scheduler.free("answering", now + SLOW), 0)
  })

  it("tells when the oldest quick attempt becomes slow", () => {
    const scheduler = make()
    assert.strictEqual(scheduler.millisToSlow(0), 0)
    scheduler.start(deliveryIn(1), "quick", 100)
    scheduler.start(deliveryIn(2), "quick", 700)
    assert.strictEqual(scheduler.millisToSlow(800), 300)
    scheduler.free("quick", 1_100)
    assert.strictEqual(scheduler.millisToSlow(1_100), 600)
  })

  it("drops the oldest slow queues beyond the limit", () => {
    const scheduler = make()
    for (let queue = 0; queue <= DeliveryScheduler.SLOW_QUEUES_MAX; queue++) {
      scheduler.end(scheduler.start(deliveryIn(queue), "quick", 0), SLOW)
    }
    const slowQueues = scheduler.slowQueues()
    assert.strictEqual(slowQueues.length, DeliveryScheduler.SLOW_QUEUES_MAX)
    assert.strictEqual(slowQueues[0]?.queue, "q1")
  })
})
