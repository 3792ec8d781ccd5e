/** Attempts that hang take no place of those that answer, whatever happens in which order. */
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
  | { readonly kind: "start"; readonly queue: number; readonly lane: "quick" | "answering" }
  | { readonly kind: "end"; readonly which: number }
  | { readonly kind: "pass"; readonly millis: number }

const step: FastCheck.Arbitrary<Step> = FastCheck.oneof(
  FastCheck.record({
    kind: FastCheck.constant("start" as const),
    queue: FastCheck.nat(5),
    lane: FastCheck.constantFrom("quick" as const, "answering" as const)
  }),
  FastCheck.record({ kind: FastCheck.constant("end" as const), which: FastCheck.nat(20) }),
  FastCheck.record({ kind: FastCheck.constant("pass" as const), millis: FastCheck.nat(1_500) })
)

describe("DeliveryScheduler", () => {
  it.prop(
    "count what is quick as the model does",
    { steps: FastCheck.array(step) },
    ({ steps }) => {
      const lanes = make()
      let now = 0
      let running: ReadonlyArray<DeliveryScheduler.Running> = []
      for (const each of steps) {
        if (each.kind === "pass") now += each.millis
        else if (each.kind === "end") {
          const ended = running[each.which]
          if (ended === undefined) continue
          running = running.filter((other) => other !== ended)
          lanes.end(ended, now)
          const isSuspect = lanes.suspects().some(({ queue }) => queue === ended.delivery.queue)
          assert.strictEqual(isSuspect, now - ended.startedAt >= SLOW)
        } else if (lanes.room(each.lane, now) > 0) {
          running = [...running, lanes.start(deliveryIn(each.queue), each.lane, now)]
        }
        const quick = running.filter(({ startedAt }) => now - startedAt < SLOW).length
        const room = (most: number) =>
          Math.max(0, Math.min(CONCURRENCY - quick, most - running.length))
        assert.strictEqual(lanes.room("quick", now), room(CONCURRENCY * 1.5))
        assert.strictEqual(lanes.room("answering", now), room(CONCURRENCY * 2))
        assert.strictEqual(lanes.count(), running.length)
        assert.strictEqual(lanes.countQuick(), quick)
      }
    }
  )

  it("leaves a quarter for queues that are suspect", () => {
    const lanes = make()
    assert.strictEqual(lanes.room("slow", 0), 2)
    lanes.start(deliveryIn(1), "slow", 0)
    assert.strictEqual(lanes.room("slow", 0), 1)
    assert.strictEqual(lanes.room("quick", 0), CONCURRENCY)
  })

  it("leaves the last quarter of all places for queues that are known to answer", () => {
    const lanes = make()
    let now = 0
    while (lanes.room("quick", now) > 0) {
      lanes.start(deliveryIn(lanes.count()), "quick", now)
      if (lanes.room("quick", now) === 0 && lanes.count() === CONCURRENCY) now += SLOW
    }
    now += SLOW
    assert.strictEqual(lanes.count(), 12)
    assert.deepStrictEqual(
      [lanes.room("quick", now), lanes.room("slow", now), lanes.room("answering", now)],
      [0, 0, 4]
    )
    for (let n = 0; n < 4; n++) lanes.start(deliveryIn(100 + n), "answering", now)
    assert.strictEqual(lanes.room("answering", now + SLOW), 0)
  })

  it("says when the oldest attempt stops being quick", () => {
    const lanes = make()
    assert.strictEqual(lanes.millisToAge(0), 0)
    lanes.start(deliveryIn(1), "quick", 100)
    lanes.start(deliveryIn(2), "quick", 700)
    assert.strictEqual(lanes.millisToAge(800), 300)
    lanes.room("quick", 1_100)
    assert.strictEqual(lanes.millisToAge(1_100), 600)
  })

  it("forgets suspects beyond the limit", () => {
    const lanes = make()
    for (let queue = 0; queue <= DeliveryScheduler.SUSPECTS_MAX; queue++) {
      lanes.end(lanes.start(deliveryIn(queue), "quick", 0), SLOW)
    }
    const suspects = lanes.suspects()
    assert.strictEqual(suspects.length, DeliveryScheduler.SUSPECTS_MAX)
    assert.strictEqual(suspects[0]?.queue, "q1")
  })
})
