/** The cache of reads: shared, kept while it is refreshed, aborted and dropped when nothing reads it. */
import { assert, describe, it } from "vitest"
import { offline } from "../../app/shared/ApiProblem.js"
import * as QueryCache from "../../app/shared/QueryCache.js"
import type { Outcome } from "../../app/shared/Transport.js"

const answer = (value: unknown, bytes = 10): Outcome => ({
  _tag: "Answered",
  value,
  bytes,
  text: JSON.stringify(value)
})

const setUp = () => {
  const asked: Array<{ path: string; signal: AbortSignal; answer: (outcome: Outcome) => void }> = []
  const timers: Array<() => void> = []
  const log: Array<string> = []
  let now = 0
  const cache = QueryCache.make({
    load: (path, signal) => new Promise((resolve) => asked.push({ path, signal, answer: resolve })),
    now: () => {
      now += 1
      return now
    },
    later: (run) => {
      timers.push(run)
      return () => timers.splice(timers.indexOf(run), 1)
    },
    signedOut: () => log.push("signed out")
  })
  const settle = async (index: number, outcome: Outcome) => {
    asked[index]?.answer(outcome)
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
  const fire = () => {
    for (const run of timers.splice(0)) run()
  }
  const stateOf = (key: string) => cache.entry(key).state.value
  return { cache, asked, settle, fire, stateOf, log }
}

describe("a read", () => {
  it("is one request for all readers of an address", async () => {
    const { cache, asked, settle, stateOf } = setUp()
    cache.read("/a")
    cache.read("/a")
    assert.lengthOf(asked, 1)
    assert.strictEqual(stateOf("/a")._tag, "Loading")
    await settle(0, answer({ n: 1 }))
    assert.deepStrictEqual(stateOf("/a"), { _tag: "Ready", value: { n: 1 }, at: 1 })
  })

  it("keeps the old value while it is refreshed and when that fails", async () => {
    const { cache, settle, stateOf } = setUp()
    cache.read("/a")
    await settle(0, answer(1))
    void cache.refresh("/a")
    assert.strictEqual(stateOf("/a")._tag, "Ready")
    await settle(1, { _tag: "Refused", problem: offline })
    const failed = stateOf("/a")
    assert.deepStrictEqual(QueryCache.knownOf(failed)?.value, 1)
    assert.strictEqual(cache.entry("/a").failures, 1)
  })

  it("keeps the same object where the answer is the same", async () => {
    const { cache, settle, stateOf } = setUp()
    cache.read("/a")
    await settle(0, answer({ n: 1 }))
    const first = QueryCache.knownOf(stateOf("/a"))?.value
    void cache.refresh("/a")
    await settle(1, answer({ n: 1 }))
    assert.strictEqual(QueryCache.knownOf(stateOf("/a"))?.value, first)
    assert.strictEqual(cache.entry("/a").changedAt, 1)
  })

  it("is aborted a while after its last reader left, and not before", async () => {
    const { cache, asked, fire } = setUp()
    const leave = cache.read("/a")
    leave()
    leave()
    const again = cache.read("/a")
    fire()
    assert.strictEqual(asked[0]?.signal.aborted, false)
    again()
    fire()
    assert.strictEqual(asked[0]?.signal.aborted, true)
    assert.strictEqual(cache.entry("/a").readers, 0)
  })

  it("is not repeated where it never changes", async () => {
    const { cache, asked, settle } = setUp()
    cache.entry("/a", { immutable: true })
    cache.read("/a")()
    await settle(0, answer(1))
    cache.read("/a")
    assert.lengthOf(asked, 1)
  })

  it("is replaced on request, also where it never changes", async () => {
    const { cache, settle } = setUp()
    cache.entry("/a", { immutable: true })
    cache.read("/a")
    await settle(0, answer(1))
    void cache.refresh("/a")
    await settle(1, answer(2))
    const { state } = cache.entry("/a")
    assert.strictEqual(state.value._tag === "Ready" ? state.value.value : undefined, 2)
  })

  it("says that the session has ended", async () => {
    const { cache, settle, log } = setUp()
    cache.read("/a")
    await settle(0, { _tag: "Refused", problem: { ...offline, kind: "signed-out", status: 401 } })
    assert.deepStrictEqual(log, ["signed out"])
  })
})

describe("the cache", () => {
  it("asks again for what begins with a prefix and is read, and forgets the rest", async () => {
    const { cache, asked, settle, stateOf } = setUp()
    cache.read("/a/1")
    cache.read("/a/2")()
    cache.read("/b")
    for (const index of [0, 1, 2]) await settle(index, answer(index))
    cache.invalidate("/a/")
    assert.deepStrictEqual(
      asked.slice(3).map(({ path }) => path),
      ["/a/1"]
    )
    assert.strictEqual(stateOf("/a/2")._tag, "Loading")
    assert.strictEqual(stateOf("/b")._tag, "Ready")
  })

  it("drops what was read least recently when it has too many bytes", async () => {
    const { cache, settle, stateOf } = setUp()
    for (const [index, key] of ["/a", "/b", "/c"].entries()) {
      cache.read(key)()
      await settle(index, answer(key, 9_000_000))
    }
    assert.strictEqual(stateOf("/a")._tag, "Loading")
    assert.strictEqual(stateOf("/b")._tag, "Ready")
    assert.strictEqual(stateOf("/c")._tag, "Ready")
  })

  it("asks again for what failed, after signing in", async () => {
    const { cache, asked, settle } = setUp()
    cache.read("/a")
    cache.read("/b")
    await settle(0, { _tag: "Refused", problem: offline })
    await settle(1, answer(1))
    cache.retryFailed()
    assert.deepStrictEqual(
      asked.slice(2).map(({ path }) => path),
      ["/a"]
    )
  })
})
