/** What is known about digests: fresh, valid, silent, bounded, and asked about once. */
import { assert, describe, it } from "vitest"
import * as ReceiptCache from "../../src/admission/ReceiptCache.js"

const stage = (more: Partial<ReceiptCache.ReceiptCacheOptions> = {}) => {
  const state = { now: 0, asked: 0, isGone: false, isCompliant: true }
  const cache = ReceiptCache.make({
    now: () => state.now,
    ask: async () => {
      state.asked++
      if (state.isGone) throw new Error("gone")
      const { isCompliant, now } = state
      return { isCompliant, why: "no", reasons: [], endsMs: now + 900_000 }
    },
    wordsOf: (failure) => (failure instanceof Error ? failure.message : ""),
    sizeMax: 100,
    freshMs: 60_000,
    refusedFreshMs: 10_000,
    silenceMs: 5_000,
    ...more
  })
  return { state, cache, find: (key = "k") => cache.find(key, "d") }
}

describe("the cache of receipts", () => {
  it("asks again after the fresh time, which is shorter for a no", async () => {
    const { find, state } = stage()
    await find()
    state.now = 59_999
    await find()
    assert.strictEqual(state.asked, 1)
    state.now = 60_000
    state.isCompliant = false
    assert.strictEqual((await find()).type, "refused")
    state.now += 9_999
    await find()
    assert.strictEqual(state.asked, 2)
    state.now += 1
    state.isCompliant = true
    assert.strictEqual((await find()).type, "compliant")
    assert.strictEqual(state.asked, 3)
  })

  it("uses a receipt to its end while there is no answer, and asks once in five seconds", async () => {
    const { find, state } = stage()
    await find()
    state.isGone = true
    state.now = 899_999
    const held = await find()
    assert.deepStrictEqual(held, { type: "compliant", digest: "d", stale: "gone" })
    const { asked } = state
    await Promise.all(Array.from({ length: 50 }, () => find()))
    assert.strictEqual(state.asked, asked)
    state.now = 900_000
    assert.deepStrictEqual(await find(), { type: "unanswered", digest: "d", why: "gone" })
    assert.strictEqual(state.asked, asked)
    state.now = 899_999 + 5_000
    state.isGone = false
    assert.strictEqual((await find()).type, "compliant")
  })

  it("asks once for all who wait, also when the answer is a failure", async () => {
    for (const isGone of [false, true]) {
      const { cache, find, state } = stage()
      state.isGone = isGone
      await Promise.all(Array.from({ length: 200 }, () => find()))
      assert.strictEqual(state.asked, 1)
      assert.strictEqual(cache.counts.shared, 199)
    }
  })

  it("keeps so many digests, and forgets those that were used longest ago", async () => {
    const { find, state } = stage({ sizeMax: 3 })
    for (const key of ["a", "b", "c", "a", "d"]) await find(key)
    assert.strictEqual(state.asked, 4)
    await find("a")
    assert.strictEqual(state.asked, 4)
    await find("b")
    assert.strictEqual(state.asked, 5)
  })

  it("answers from memory in far less than a millisecond", async () => {
    const { find } = stage()
    await find()
    const rounds = 2_000
    const began = performance.now()
    for (let at = 0; at < rounds; at++) await find()
    assert.isBelow((performance.now() - began) / rounds, 1)
  })
})
