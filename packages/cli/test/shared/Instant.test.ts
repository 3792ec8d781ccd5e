/** Instants and durations as people write and read them. */
import { assert, describe, it } from "vitest"
import * as Duration from "../../src/shared/Duration.js"
import * as Instant from "../../src/shared/Instant.js"

const NOW = Date.parse("2026-11-18T12:00:00Z")
const host = { now: () => NOW }
const DAY = 86_400

describe("an instant", () => {
  it("is a distance from now, a date, a time or epoch seconds", () => {
    const now = NOW / 1_000
    for (const [text, past, future] of [
      ["3d", now - 3 * DAY, now + 3 * DAY],
      ["2w", now - 14 * DAY, now + 14 * DAY],
      ["90m", now - 5_400, now + 5_400],
      ["2026-11-21", now + 2.5 * DAY, now + 2.5 * DAY],
      ["2026-11-21T14:00:00Z", now + 3 * DAY + 7_200, now + 3 * DAY + 7_200],
      ["1790000000.5", 1_790_000_000.5, 1_790_000_000.5]
    ] as const)
      assert.deepStrictEqual(
        [Instant.parse(host, text, "before"), Instant.parse(host, text, "after")],
        [past, future],
        text
      )
    for (const text of ["soon", "3", "3y", "-3d", "2026-13-40", ""])
      assert.isUndefined(Instant.parse(host, text, "after"), text)
  })

  it("is printed to the minute, with its distance from now", () => {
    assert.strictEqual(
      Instant.print(NOW / 1_000 + 3 * DAY - 1, NOW),
      "2026-11-21 11:59 UTC (in 3 days)"
    )
    assert.strictEqual(Instant.print(NOW / 1_000 - DAY, NOW), "2026-11-17 12:00 UTC (1 day ago)")
    assert.deepStrictEqual(
      [0, 0.999, 1, 60, 5_300, 2 * 3_600, DAY].map((seconds) => Duration.relative(seconds * 1_000)),
      ["0 s ago", "0 s ago", "in 1 s", "in 1 min", "in 1 h", "in 2 h", "in 1 day"]
    )
  })
})
