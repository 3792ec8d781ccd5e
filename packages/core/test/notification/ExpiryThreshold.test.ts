/** When the coming end of a key or a waiver is notified. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck, Option } from "effect"
import * as ExpiryThreshold from "../../src/notification/ExpiryThreshold.js"
import {
  EXPIRY_THRESHOLDS_DAYS,
  WAIVER_THRESHOLDS_DAYS
} from "../../src/notification/NotificationConfig.js"
import * as Timestamp from "../../src/shared/Timestamp.js"
import * as Model from "../../testing/internal/model/ExpiryModel.js"

const DAY = 86_400
const NOW = Timestamp.fromSeconds(1_790_000_000)

const leftAt = (secondsLeft: number) =>
  ExpiryThreshold.daysLeft(Timestamp.plusSeconds(NOW, secondsLeft), NOW)

describe("ExpiryThreshold.daysLeft", () => {
  it("rounds days up, and is 0 exactly when the end has come", () => {
    assert.deepStrictEqual(
      [30 * DAY, 29 * DAY + 1, 29 * DAY, 5 * DAY, 1.5 * DAY, DAY, 0.000_001, 0, -DAY].map(leftAt),
      [30, 30, 29, 5, 2, 1, 1, 0, 0]
    )
  })
})

const scans = FastCheck.array(
  FastCheck.record({
    passed: FastCheck.oneof(
      FastCheck.integer({ min: 0, max: 3_600 }),
      FastCheck.integer({ min: 0, max: 12 * DAY })
    ),
    succeeds: FastCheck.boolean()
  }),
  { maxLength: 40 }
)

const first = FastCheck.integer({ min: -DAY, max: 60 * DAY })

/** The seconds left at each scan. */
const lifeOf = (
  from: number,
  given: ReadonlyArray<{ readonly passed: number; readonly succeeds: boolean }>
): ReadonlyArray<Model.ModelScan> => {
  let secondsLeft = from
  return given.map(({ passed, succeeds }) => {
    secondsLeft -= passed
    return { secondsLeft, succeeds }
  })
}

const laws = (name: string, thresholds: ExpiryThreshold.Thresholds) => {
  const dueAt = (secondsLeft: number, notified_days: number | null = null): number | null =>
    Option.getOrNull(
      ExpiryThreshold.due(
        thresholds,
        { expires_at: Timestamp.plusSeconds(NOW, secondsLeft), notified_days },
        NOW
      )
    )

  /** The thresholds that are notified over a life, with the marks of the stores. */
  const toldBy = (life: ReadonlyArray<Model.ModelScan>) => {
    let notified_days: number | null = null
    const told: Array<number> = []
    for (const { secondsLeft, succeeds } of life) {
      const days = dueAt(secondsLeft, notified_days)
      if (days === null) continue
      told.push(days)
      if (succeeds) notified_days = leftAt(secondsLeft)
    }
    return told
  }

  describe(`ExpiryThreshold.due of ${name}`, () => {
    it("crosses a threshold exactly when that much time is left", () => {
      for (const days of thresholds.filter((each) => each > 0)) {
        assert.strictEqual(dueAt(days * DAY), days)
        assert.notStrictEqual(dueAt(days * DAY + 0.000_001), days)
      }
      assert.strictEqual(dueAt(0), 0)
      assert.strictEqual(dueAt(0.000_001), 1)
      assert.strictEqual(dueAt(-400 * DAY), 0)
      assert.strictEqual(dueAt(thresholds[0] * DAY + 1), null)
    })

    it("notifies 7, 1 and 0 of what begins five days before its end, no larger one", () => {
      assert.strictEqual(dueAt(5 * DAY), 7)
      assert.strictEqual(dueAt(4 * DAY, 7), null)
      assert.strictEqual(dueAt(DAY, 7), 1)
      assert.strictEqual(dueAt(0, 1), 0)
      assert.strictEqual(dueAt(-DAY, 0), null)
    })

    it.prop(
      "has days left above every threshold that is not notified, and not above the notified one",
      { secondsLeft: FastCheck.integer({ min: -DAY, max: thresholds[0] * DAY }) },
      ({ secondsLeft }) => {
        const threshold = dueAt(secondsLeft) ?? Number.NaN
        const next = thresholds.find((days) => days < threshold) ?? -1
        const left = leftAt(secondsLeft)
        assert.isTrue(left <= threshold && left > next)
      }
    )

    it.prop(
      "notifies what the model does, for any scans and failures",
      { first, scans },
      ({ first: from, scans: given }) => {
        const life = lifeOf(from, given)
        assert.deepStrictEqual(toldBy(life), Model.fold(thresholds, life))
      },
      { fastCheck: { numRuns: 5_000 } }
    )

    it.prop(
      "NOTIFY-5, W-9: notifies each threshold at most once, in falling order, when targets succeed",
      { first, scans },
      ({ first: from, scans: given }) => {
        const told = toldBy(
          lifeOf(
            from,
            given.map(({ passed }) => ({ passed, succeeds: true }))
          )
        )
        assert.deepStrictEqual(
          told,
          [...new Set(told)].sort((left, right) => right - left)
        )
      }
    )
  })
}

laws("keys", EXPIRY_THRESHOLDS_DAYS)
laws("waivers", WAIVER_THRESHOLDS_DAYS)
