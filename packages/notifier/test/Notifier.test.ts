/** The worker, on the test clock. */
import { StoreError } from "@attestry/core/StoreError"
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Duration, Effect, Layer, Logger, Option } from "effect"
import * as Notifier from "../src/Notifier.js"
import * as Channel from "../src/notification/Channel.js"
import * as OutboxFake from "./notification/OutboxFake.js"
import { accept, channelOf, pass, refuse, type Send, start } from "./WorkerFixture.js"

const outcomes = (book: ReadonlyArray<OutboxFake.Entry>) =>
  book.map(({ id, outcome }) => `${id} ${outcome._tag}`)

describe("Notifier", () => {
  it.scoped("sends each due delivery once and settles it", () =>
    Effect.gen(function* () {
      const { book, put, sent } = yield* start(accept)
      yield* put("a", "a1")
      yield* put("b", "b1")
      yield* pass("2 seconds")
      yield* put("a", "a2")
      yield* pass("2 seconds")
      deepStrictEqual(outcomes(book), ["a1 Delivered", "b1 Delivered", "a2 Delivered"])
      deepStrictEqual(
        sent.map(({ id }) => id),
        ["a1", "b1", "a2"]
      )
    })
  )

  it.scoped("claims immediately after wake", () =>
    Effect.gen(function* () {
      const outbox = OutboxFake.make()
      const context = yield* Layer.build(
        Notifier.layer({ pollMillis: 60_000 }).pipe(
          Layer.provide([outbox.layer, channelOf(accept)])
        )
      )
      yield* pass("100 millis")
      yield* outbox.put("a", "a1")
      yield* pass("1 second")
      assert.isEmpty(outbox.book)
      yield* Effect.provide(
        Effect.flatMap(Notifier.Notifier, ({ wake }) => wake),
        context
      )
      yield* pass("100 millis")
      deepStrictEqual(outcomes(outbox.book), ["a1 Delivered"])
    })
  )

  it.scoped("makes eight attempts over three days under one id, then a dead letter", () =>
    Effect.gen(function* () {
      const rarely = { pollMillis: 1_800_000, measureMillis: 86_400_000 }
      const { book, put, sent } = yield* start(refuse("status 500"), rarely)
      yield* put("a", "a1")
      yield* pass("4 days")
      assert.deepStrictEqual(
        sent.map(({ id }) => id),
        Array(8).fill("a1")
      )
      deepStrictEqual(outcomes(book), [...Array(7).fill("a1 Retry"), "a1 Dead"])
      const [first, last] = [sent[0]?.at ?? 0, sent[7]?.at ?? 0]
      assert.isAtLeast(last - first, 2.2 * 86_400_000)
      assert.isAtMost(last - first, 3.7 * 86_400_000)
    })
  )

  it.scoped("waits as long as Retry-After says", () =>
    Effect.gen(function* () {
      const retryAfter = Option.some(Duration.minutes(10))
      const { put, sent } = yield* start(
        () => Effect.succeed(Channel.refused("status 429", { retryAfter })),
        { pollMillis: 10_000 }
      )
      yield* put("a", "a1")
      yield* pass("9 minutes")
      assert.strictEqual(sent.length, 1)
      yield* pass("2 minutes")
      assert.strictEqual(sent.length, 2)
    })
  )

  it.scoped("makes no further attempt after 410", () =>
    Effect.gen(function* () {
      const gone = Effect.succeed(Channel.gone("status 410"))
      const { book, put, sent } = yield* start(() => gone, {
        pollMillis: 3_600_000,
        measureMillis: 86_400_000
      })
      yield* put("a", "a1")
      yield* pass("1 day")
      assert.strictEqual(sent.length, 1)
      deepStrictEqual(
        book.map(({ outcome }) => outcome),
        [{ _tag: "Gone", error: "status 410" }]
      )
    })
  )

  it.scoped("delays no queue because of one that hangs", () =>
    Effect.gen(function* () {
      const hang: Send = ({ queue }) => (queue === "dead" ? Effect.never : accept({} as never))
      const options = { concurrency: 8, perQueue: 2, graceMillis: 0 }
      const { book, put, sent } = yield* start(hang, options)
      for (let n = 0; n < 50; n++) yield* put("dead", `dead${n}`)
      for (let n = 0; n < 50; n++) yield* put("alive", `alive${n}`)
      yield* pass("2 seconds", 200)
      assert.strictEqual(book.length, 50)
      assert.strictEqual(sent.filter(({ id }) => id.startsWith("dead")).length, 2)
    })
  )

  it.scoped("removes a queue from the slow ones after a quick attempt", () =>
    Effect.gen(function* () {
      let isSlow = true
      const send: Send = () =>
        isSlow
          ? Effect.as(Effect.sleep("15 seconds"), Channel.refused("timeout"))
          : Effect.succeed(Channel.accepted)
      const { book, put, requests } = yield* start(send, { pollMillis: 200 })
      yield* put("a", "a1")
      yield* pass("16 seconds", 40)
      const slowQueuesOf = () =>
        requests.flatMap(({ from }) => (from?._tag === "AllBut" ? [from.queues.length] : [])).at(-1)
      assert.strictEqual(slowQueuesOf(), 1)
      isSlow = false
      yield* put("a", "a2")
      yield* pass("1 second")
      deepStrictEqual(outcomes(book), ["a1 Retry", "a2 Delivered"])
      yield* pass("1 second")
      assert.strictEqual(slowQueuesOf(), 0)
    })
  )

  it.scoped("never exceeds the concurrency", () =>
    Effect.gen(function* () {
      let now = 0
      let most = 0
      const slow: Send = () =>
        Effect.acquireUseRelease(
          Effect.sync(() => {
            now += 1
            most = Math.max(most, now)
          }),
          () => Effect.as(Effect.sleep("100 millis"), Channel.accepted),
          () =>
            Effect.sync(() => {
              now -= 1
            })
        )
      const { book, put } = yield* start(slow, { concurrency: 7, perQueue: 3 })
      for (let n = 0; n < 60; n++) yield* put(`q${n % 10}`, `d${n}`)
      yield* pass("5 seconds", 500)
      assert.strictEqual(book.length, 60)
      assert.strictEqual(most, 7)
    })
  )

  it.scoped("keeps outcomes during store errors and sends nothing twice", () =>
    Effect.gen(function* () {
      const { book, faults, put, sent } = yield* start(accept)
      faults.settle = 3
      yield* put("a", "a1")
      yield* pass("2 seconds")
      assert.isEmpty(book)
      yield* pass("3 seconds")
      deepStrictEqual(outcomes(book), ["a1 Delivered"])
      assert.strictEqual(sent.length, 1)
    })
  )

  it.scoped("claims again after store errors", () =>
    Effect.gen(function* () {
      const { book, faults, put } = yield* start(accept)
      faults.claim = 4
      yield* put("a", "a1")
      yield* pass("3 seconds")
      assert.isEmpty(book)
      yield* pass("3 seconds")
      deepStrictEqual(outcomes(book), ["a1 Delivered"])
    })
  )

  it.scoped("counts a defect of the channel as a failed attempt", () =>
    Effect.gen(function* () {
      const { book, put } = yield* start(({ queue }) =>
        queue === "bad" ? Effect.die("bug at 10.0.0.7") : Effect.succeed(Channel.accepted)
      )
      yield* put("bad", "bad1")
      yield* put("good", "good1")
      yield* pass("2 seconds")
      deepStrictEqual(
        book.map(({ id, outcome }) => [id, "error" in outcome ? outcome.error : outcome._tag]),
        [
          ["good1", "Delivered"],
          ["bad1", "internal error"]
        ]
      )
    })
  )

  it.scoped("settles nothing when no attempt was made, and tries again after the lease", () =>
    Effect.gen(function* () {
      let isDown = true
      const { book, put, sent } = yield* start(() =>
        isDown
          ? Effect.fail(new StoreError({ operation: "secret", cause: "down" }))
          : Effect.succeed(Channel.accepted)
      )
      yield* put("a", "a1")
      yield* pass("20 seconds")
      isDown = false
      assert.isEmpty(book)
      assert.strictEqual(sent.length, 1)
      yield* pass("20 seconds")
      deepStrictEqual(outcomes(book), ["a1 Delivered"])
    })
  )

  it.scoped("does not send a delivery whose claim took too long", () =>
    Effect.gen(function* () {
      const { faults, put, sent } = yield* start(accept)
      faults.claimMillis = 8_000
      yield* put("a", "a1")
      yield* pass("10 seconds")
      assert.isEmpty(sent)
      faults.claimMillis = 0
      yield* pass("50 seconds")
      assert.strictEqual(sent.length, 1)
    })
  )
})

const stopping = (send: Send, options: Notifier.Options = {}, settleFaults = 0) =>
  Effect.gen(function* () {
    const outbox = OutboxFake.make()
    outbox.faults.settle = settleFaults
    for (let n = 0; n < 20; n++) yield* outbox.put(`q${n}`, `d${n}`)
    const worker = Notifier.layer({ pollMillis: 10, ...options }).pipe(
      Layer.provide([outbox.layer, channelOf(send)]),
      Layer.provide(Logger.remove(Logger.defaultLogger))
    )
    const [elapsed] = yield* Effect.zipRight(Layer.build(worker), Effect.sleep("200 millis")).pipe(
      Effect.scoped,
      Effect.timed
    )
    const tags = outbox.book.map(({ outcome }) => outcome._tag)
    return { elapsed: Duration.toMillis(elapsed), tags, outbox }
  })

describe("Notifier, when it stops", () => {
  it.live("waits for attempts that end within the grace time", () =>
    Effect.gen(function* () {
      const { elapsed, tags } = yield* stopping(() =>
        Effect.as(Effect.sleep("500 millis"), Channel.accepted)
      )
      deepStrictEqual(tags, Array(20).fill("Delivered"))
      assert.isBelow(elapsed, 2_000)
    })
  )

  it.live("releases deliveries whose attempts hang", () =>
    Effect.gen(function* () {
      const { elapsed, tags } = yield* stopping(() => Effect.never, { graceMillis: 300 })
      deepStrictEqual(tags, Array(20).fill("Released"))
      assert.isBelow(elapsed, 2_000)
    })
  )

  it.live("stops within seconds when attempts are uninterruptible", () =>
    Effect.gen(function* () {
      const { elapsed } = yield* stopping(() => Effect.uninterruptible(Effect.never), {
        graceMillis: 300
      })
      assert.isBelow(elapsed, 6_000)
    })
  )

  it.live("stops within seconds when the store fails", () =>
    Effect.gen(function* () {
      const { elapsed, outbox } = yield* stopping(() => Effect.never, { graceMillis: 300 }, 1_000)
      assert.isEmpty(outbox.book)
      assert.isBelow(elapsed, 6_000)
    })
  )
})
