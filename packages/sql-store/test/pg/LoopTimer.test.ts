/** A timer that counts the time in which the event loop turned. */
import { assert, describe, it } from "vitest"
import * as LoopTimer from "../../src/pg/internal/LoopTimer.js"

const spin = (millis: number) => {
  const end = performance.now() + millis
  while (performance.now() < end);
}

const sleep = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

describe("LoopTimer", () => {
  it("calls back once the loop has turned for so long", async () => {
    let fired = 0
    LoopTimer.after(200, () => fired++)
    await sleep(100)
    assert.strictEqual(fired, 0)
    await sleep(400)
    assert.strictEqual(fired, 1)
  })

  it("does not count a long computation", async () => {
    let fired = 0
    const stop = LoopTimer.after(700, () => fired++)
    spin(1_500)
    await sleep(100)
    assert.strictEqual(fired, 0)
    stop()
    await sleep(800)
    assert.strictEqual(fired, 0)
  })
})
