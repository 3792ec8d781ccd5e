/** When a key is valid, and the effect of rotation on its end. */
import { graceEnd, isValidAt } from "@attestry/core/ApiKey"
import * as Timestamp from "@attestry/core/Timestamp"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"

const instant = FastCheck.integer({ min: 0, max: 1_000_000 }).map((seconds) =>
  Timestamp.fromSeconds(seconds)
)
const end = FastCheck.option(instant, { nil: null })
const ends = { expires_at: end, revoked_at: end, grace_period_expires_at: end }

describe("ApiKey", () => {
  it.prop(
    "is valid exactly until the earliest of its ends (KEY-1)",
    { ...ends, now: instant },
    ({ now, ...key }) => {
      const given = Object.values(key).filter((at) => at !== null)
      const earliest = given.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...given)
      assert.strictEqual(isValidAt(key, now), now < earliest)
    }
  )

  it.prop(
    "never becomes valid again",
    { ...ends, one: instant, other: instant },
    ({ one, other, ...key }) => {
      const [earlier, later] = one <= other ? [one, other] : [other, one]
      if (!isValidAt(key, earlier)) assert.isFalse(isValidAt(key, later))
    }
  )

  it.prop(
    "ends a rotated key at the earlier of its expiry and the grace period (KEY-3)",
    { expires_at: end, at: instant, graceHours: FastCheck.integer({ min: 1, max: 720 }) },
    ({ expires_at, at, graceHours }) => {
      const grace = Timestamp.plusSeconds(at, graceHours * 3600)
      const expected = expires_at === null ? grace : Math.min(expires_at, grace)
      assert.strictEqual(graceEnd({ expires_at }, { at, graceHours }), expected)
      const old = { expires_at, revoked_at: null, grace_period_expires_at: grace }
      if (isValidAt({ ...old, grace_period_expires_at: null }, at)) {
        assert.isTrue(isValidAt(old, at))
      }
      assert.isFalse(isValidAt(old, grace))
    }
  )
})
