/** Key files, the keys that follow from them, and waiting. */

import * as LogKey from "@attestry/transparency-log/LogKey"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Effect, Either, FastCheck, Fiber, TestClock } from "effect"
import * as LogWaiting from "../../src/log/internal/LogWaiting.js"
import * as Log from "../../src/log/Log.js"
import * as LogSigner from "../../src/log/LogSigner.js"

const LINE = "1 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

describe("LogKey", () => {
  it.effect("gives the key of the published vector", () =>
    Effect.gen(function* () {
      const signer = yield* LogSigner.fromKeys(Either.getOrThrow(LogKey.parse(`${LINE}\n`)))
      const origin = Log.originOf("https://attestry.example.com/", "acme")
      assert.deepStrictEqual(yield* signer.keys(origin), [
        {
          generation: 1,
          vkey: "attestry.example.com/api/v2/log/acme+c6106021+AWddehx3dfKPbt7RW1ncgj4hBhsaPxD0hvLKjAvFCea1"
        }
      ])
    }).pipe(Effect.provide(SignaturesWebCrypto.layer))
  )

  it.prop(
    "reads back what it wrote",
    {
      seeds: FastCheck.array(FastCheck.uint8Array({ minLength: 32, maxLength: 32 }), {
        minLength: 1
      })
    },
    ({ seeds }) => {
      const keys = seeds.map((seed, place) => ({
        generation: place + 1,
        seed,
        until: place % 2 === 0 ? null : "2026-12-31"
      }))
      const text = `# keys\n\n${keys.map(LogKey.printLine).join("")}`
      assert.deepStrictEqual(Either.getOrThrow(LogKey.parse(text)), keys)
    }
  )

  it("adds the next generation, and ends one that is not the last", () => {
    const seed = new Uint8Array(32)
    const one = LogKey.add([], seed)
    const two = LogKey.add(one, seed)
    assert.deepStrictEqual(
      two.map(({ generation }) => generation),
      [1, 2]
    )
    const ending = { generation: 1, until: "2026-12-31" }
    deepStrictEqual(LogKey.retire(one, ending), Either.left("last"))
    deepStrictEqual(LogKey.retire(two, { ...ending, generation: 3 }), Either.left("unknown"))
    const ended = Either.getOrThrow(LogKey.retire(two, ending))
    assert.deepStrictEqual(
      ["2026-12-31", "2027-01-01"].map((day) =>
        ended.filter((key) => LogKey.isActive(key, day)).map(({ generation }) => generation)
      ),
      [[1, 2], [2]]
    )
    deepStrictEqual(LogKey.retire(ended, { ...ending, generation: 2 }), Either.left("last"))
  })

  it.each([
    ["", "the file has no key"],
    ["# nothing", "the file has no key"],
    [
      "0 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
      "line 1 is not a generation and 32 bytes in Base64"
    ],
    [`${LINE}=`, "line 1 is not a generation and 32 bytes in Base64"],
    ["1 AAEC", "line 1 is not a generation and 32 bytes in Base64"],
    [`${LINE}\n${LINE}`, "line 2 repeats a generation"]
  ])("refuses `%s` without telling a key", (text, problem) =>
    deepStrictEqual(LogKey.parse(text), Either.left(problem))
  )
})

describe("LogWaiting", () => {
  it.effect("reads until it is over, or until the time has passed", () =>
    Effect.gen(function* () {
      const waitFor = LogWaiting.make()
      let reads = 0
      const read = Effect.sync(() => (reads += 1))
      const over = yield* Effect.fork(waitFor(read, { seconds: 9, isOver: (count) => count === 3 }))
      yield* TestClock.adjust("500 millis")
      assert.strictEqual(yield* Fiber.join(over), 3)
      const never = yield* Effect.fork(waitFor(read, { seconds: 2, isOver: () => false }))
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(yield* Fiber.join(never), 12)
      assert.strictEqual(yield* waitFor(read, { seconds: 0, isOver: () => false }), 13)
    })
  )

  it.effect("lets so many wait, and one more when one has ended", () =>
    Effect.gen(function* () {
      const waitFor = LogWaiting.make()
      const wait = waitFor(Effect.void, { seconds: 30, isOver: () => false })
      const fibers = yield* Effect.forEach(Array.from({ length: LogWaiting.WAITING_MAX }), () =>
        Effect.fork(wait)
      )
      yield* TestClock.adjust("1 millis")
      assert.deepInclude(yield* Effect.flip(wait), { _tag: "LogBusy" })
      yield* Fiber.interruptAll(fibers)
      const again = yield* Effect.fork(wait)
      yield* TestClock.adjust("31 seconds")
      yield* Fiber.join(again)
    })
  )
})
