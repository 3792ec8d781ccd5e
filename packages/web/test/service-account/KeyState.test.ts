/** How long keys work, at every limit. */
import { assert, describe, it } from "vitest"
import { expiryOf, graceOf, SOON_MS, stateOf } from "../../app/service-account/KeyState.js"

const NOW = 1_790_000_000_000
const at = (ms: number) => (NOW + ms) / 1_000

describe("a key", () => {
  it("lasts, ends, ends soon, is in its grace period, or has ended", () => {
    assert.deepStrictEqual(stateOf({ expires_at: 0 }, NOW), { kind: "lasting", text: "never ends" })
    assert.strictEqual(stateOf({ expires_at: at(SOON_MS) }, NOW).kind, "soon")
    assert.strictEqual(stateOf({ expires_at: at(SOON_MS + 1_000) }, NOW).kind, "ending")
    assert.strictEqual(stateOf({ expires_at: at(0) }, NOW).kind, "ended")
    assert.deepStrictEqual(
      stateOf({ expires_at: 0, grace_period_expires_at: at(3 * 3_600_000) }, NOW),
      { kind: "grace", text: "grace period, ends in 3 h" }
    )
  })

  it("ends in whole seconds, or never", () => {
    assert.strictEqual(expiryOf(0, NOW), 0)
    assert.strictEqual(expiryOf(30, NOW + 999), NOW / 1_000 + 30 * 86_400)
  })

  it("has a grace period of 1 to 720 whole hours", () => {
    assert.deepStrictEqual(["1", "720", " 24 "].map(graceOf), [1, 720, 24])
    assert.deepStrictEqual(
      ["0", "721", "", "1.5", "-1", "x"].map(graceOf),
      Array.from({ length: 6 }, () => undefined)
    )
  })
})
