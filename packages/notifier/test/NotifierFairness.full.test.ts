/** Targets that answer are served in time beside hundreds that hang, by the test clock. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import * as Channel from "../src/notification/Channel.js"
import { pass, type Send, start } from "./WorkerFixture.js"

describe("Notifier", () => {
  it.scoped("serves a healthy target in time beside 300 that hang", () =>
    Effect.gen(function* () {
      const TIMEOUT = "15 seconds"
      const hang: Send = ({ queue }) =>
        queue === "healthy"
          ? Effect.succeed(Channel.accepted)
          : Effect.as(Effect.sleep(TIMEOUT), Channel.refused("timeout"))
      const { book, put } = yield* start(hang, { graceMillis: 0 })
      for (let n = 0; n < 1_500; n++) yield* put(`dead${n % 300}`, `dead-${n}`)
      const putAt = new Map<string, number>()
      for (let second = 0; second < 60; second++) {
        putAt.set(`healthy-${second}`, yield* Clock.currentTimeMillis)
        yield* put("healthy", `healthy-${second}`)
        yield* pass("1 second", 10)
      }
      yield* pass("2 seconds", 20)
      const waits = book
        .filter(({ id }) => putAt.has(id))
        .map(({ at, id }) => at - (putAt.get(id) ?? 0))
      assert.strictEqual(waits.length, 60)
      assert.isAtMost(Math.max(...waits), 2_000)
      const tried = new Set(book.filter(({ id }) => id.startsWith("dead-")).map(({ id }) => id))
      assert.isAtLeast(tried.size, 300)
    })
  )

  it.scoped(
    "serves targets whose last attempt succeeded in time beside 400 new ones that hang",
    () =>
      Effect.gen(function* () {
        const hang: Send = ({ queue }) =>
          queue.startsWith("dead")
            ? Effect.as(Effect.sleep("15 seconds"), Channel.refused("timeout"))
            : Effect.succeed(Channel.accepted)
        const options = { concurrency: 16, graceMillis: 0 }
        const { answering, book, put, sent } = yield* start(hang, options)
        for (const known of ["known-0", "known-1"]) answering.add(known)
        for (let n = 0; n < 400; n++) yield* put(`dead${n}`, `dead-${n}`)
        const putAt = new Map<string, number>()
        for (let second = 0; second < 40; second++) {
          putAt.set(`known-${second}`, yield* Clock.currentTimeMillis)
          yield* put(`known-${second % 2}`, `known-${second}`)
          yield* pass("1 second", 10)
        }
        yield* pass("2 seconds", 20)
        const waits = book
          .filter(({ id }) => putAt.has(id))
          .map(({ at, id }) => at - (putAt.get(id) ?? 0))
        assert.strictEqual(waits.length, 40)
        assert.isAtMost(Math.max(...waits), 2_000)
        // Three quarters of twice 16 slots, each occupied three times in 42 seconds by attempts of 15 seconds.
        const tried = sent.filter(({ id }) => id.startsWith("dead-")).length
        assert.isAtLeast(tried, 2 * 24)
        assert.isAtMost(tried, 3 * 24)
      })
  )
})
