/** Which requests fail and which go on waiting, by the answers of a server. */
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import * as ServerWatch from "../../src/pg/internal/ServerWatch.js"

const TIMES = { slow: 40, probe: 40, again: 10, grace: 5 }

const pause = (millis: number) => vi.advanceTimersByTimeAsync(millis)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A watch on a server with given answers, and the requests that it has failed. */
const watching = (answer: () => Promise<ReadonlySet<number> | undefined>) => {
  const givenUp: Array<string> = []
  const watch = ServerWatch.make(answer, TIMES)
  const wait = (name: string, backend?: number) =>
    watch.begin({ backend, fail: () => givenUp.push(name) })
  return { watch, wait, givenUp }
}

const never = () => new Promise<never>(() => {})

describe("ServerWatch", () => {
  it("does not probe while requests are quick", async () => {
    let asked = 0
    const { wait, watch, givenUp } = watching(() => {
      asked += 1
      return never()
    })
    for (let turn = 0; turn < 10; turn++) {
      const over = wait("quick", 1)
      await pause(10)
      over(true)
    }
    assert.deepStrictEqual([asked, givenUp.length, watch.isAway()], [0, 0, false])
    watch.close()
  })

  it("fails all requests when the server is silent, and recovers when it answers", async () => {
    let isSilent = true
    const { wait, watch, givenUp } = watching(() =>
      isSilent ? never() : Promise.resolve(new Set([2]))
    )
    wait("statement", 1)
    wait("connection")
    await pause(60)
    wait("new", 3)
    await pause(60)
    assert.deepStrictEqual([givenUp, watch.isAway()], [["statement", "connection", "new"], true])
    isSilent = false
    while (watch.isAway()) await pause(5)
    const over = wait("working", 2)
    await pause(200)
    over(true)
    assert.strictEqual(givenUp.length, 3)
    watch.close()
  })

  it("fails only a request that no backend runs", async () => {
    const { wait, watch, givenUp } = watching(() => Promise.resolve(new Set([2])))
    wait("lost", 1)
    wait("working", 2)
    wait("connection")
    await pause(200)
    assert.deepStrictEqual([givenUp, watch.isAway()], [["lost"], false])
    watch.close()
  })

  it("waits for a server that answers the probe with an error, and for one that answers other requests", async () => {
    const refusing = watching(() => Promise.resolve(undefined))
    refusing.wait("statement", 1)
    const busy = watching(never)
    busy.wait("statement", 1)
    for (let turn = 0; turn < 20; turn++) {
      const over = busy.wait("quick", 2)
      await pause(10)
      over(true)
    }
    assert.deepStrictEqual([refusing.givenUp, busy.givenUp], [[], []])
    refusing.watch.close()
    busy.watch.close()
  })

  it("does not count failures as answers", async () => {
    const { wait, watch, givenUp } = watching(never)
    wait("statement", 1)
    for (let turn = 0; turn < 20; turn++) {
      const over = wait("refused")
      await pause(10)
      over(false)
    }
    assert.include(givenUp, "statement")
    watch.close()
  })
})
