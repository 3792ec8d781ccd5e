/** Instants: whole microseconds inside, seconds with a fraction on the wire. */
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck, Schema } from "effect"
import * as Timestamp from "../../src/shared/Timestamp.js"

const SECONDS_EXACT = 2 ** 32

const exact = FastCheck.oneof(
  FastCheck.maxSafeInteger(),
  FastCheck.integer({ min: 1_700_000_000, max: 2_000_000_000 }).map((s) => s * 1_000_000 + 1)
).map((any) => Timestamp.fromMicros(any % (SECONDS_EXACT * 1_000_000)))

const decode = Schema.decodeUnknownEither(Timestamp.EpochSeconds)
const accepts = (seconds: unknown) => Either.isRight(decode(seconds))
const isTimestamp = Schema.is(Timestamp.Timestamp)

describe("Timestamp", () => {
  it.prop("keeps every microsecond on the wire until the year 2106", { at: exact }, ({ at }) => {
    const seconds = Schema.encodeSync(Timestamp.EpochSeconds)(at)
    assert.strictEqual(seconds, at / 1_000_000)
    assert.strictEqual(Schema.decodeSync(Timestamp.EpochSeconds)(seconds), at)
  })

  it.prop(
    "reads any number of seconds as the nearest microsecond",
    { seconds: FastCheck.double({ min: -4e9, max: 4e9, noNaN: true }) },
    ({ seconds }) => {
      const at = Timestamp.fromSeconds(seconds)
      assert.strictEqual(isTimestamp(at), true)
      assert.strictEqual(Math.abs(at - seconds * 1_000_000) <= 0.5, true)
    }
  )

  it.prop(
    "adds and subtracts seconds",
    { at: exact, seconds: FastCheck.integer({ min: -1_000_000, max: 1_000_000 }) },
    ({ at, seconds }) => {
      const moved = Timestamp.plusSeconds(at, seconds)
      assert.strictEqual(moved - at, seconds * 1_000_000)
      assert.strictEqual(Timestamp.plusSeconds(moved, -seconds), at)
    }
  )

  it("stops at the first and the last instant", () => {
    const [first, last] = [-Timestamp.MICROSECONDS_MAX, Timestamp.MICROSECONDS_MAX].map(
      Timestamp.fromMicros
    )
    if (first === undefined || last === undefined) throw new Error("two instants")
    assert.strictEqual(Timestamp.plusSeconds(first, -1), first)
    assert.strictEqual(Timestamp.plusSeconds(last, 1), last)
    assert.strictEqual(Timestamp.plusSeconds(last, -1), last - 1_000_000)
  })

  it("drops fractions of a microsecond, on either side of the epoch", () =>
    assert.deepStrictEqual([1.9, -1.9, 0.5].map(Timestamp.fromMicros).map(Number), [1, -1, 0]))

  it("reads milliseconds", () =>
    assert.strictEqual(Number(Timestamp.fromMillis(1_790_000_000_123)), 1_790_000_000_123_000))

  it("accepts the largest instants, and nothing beyond", () => {
    const max = Timestamp.MICROSECONDS_MAX
    assert.deepStrictEqual(
      [max, -max, max + 1, -max - 1, 1.5, Number.NaN].map((value) => isTimestamp(value)),
      [true, true, false, false, false, false]
    )
    assert.deepStrictEqual([max / 1e6, -max / 1e6, max / 1e6 + 1, -max / 1e6 - 1].map(accepts), [
      true,
      true,
      false,
      false
    ])
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, "1", null, undefined, true])(
    "refuses %s as seconds",
    (seconds) => assert.strictEqual(accepts(seconds), false)
  )
})
