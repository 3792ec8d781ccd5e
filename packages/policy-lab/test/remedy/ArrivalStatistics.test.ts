import { Fingerprint } from "@attestry/core/Fingerprint"
import { TrailId } from "@attestry/core/Identifier"
import * as Timestamp from "@attestry/core/Timestamp"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { SAMPLES_MIN, usuallyAfter } from "../../src/remedy/internal/ArrivalStatistics.js"

const F = Fingerprint.make("a".repeat(64))
const other = Fingerprint.make("b".repeat(64))
const trail = (index: number) =>
  TrailId.make(`00000000-0000-7000-8000-${String(index).padStart(12, "0")}`)
const at = (seconds: number) => Timestamp.fromMillis(seconds * 1_000)

const artifact = (index: number) => ({
  trail_id: trail(index),
  fingerprint: F,
  created_at: at(index * 10_000)
})

const attestation = (index: number, delay: number, over: object = {}) => ({
  trail_id: trail(index),
  fingerprint: F,
  name: "unit",
  created_at: at(index * 10_000 + delay),
  ...over
})

describe("ArrivalStatistics", () => {
  it("is the time by which nine of ten had it", () => {
    const delays = [5, 10, 15, 20, 25, 30, 35, 40, 45, 1_000]
    const found = usuallyAfter(
      "unit",
      delays.map((_, index) => artifact(index)),
      delays.map((delay, index) => attestation(index, delay))
    )
    assert.strictEqual(found, 45)
  })

  it("says nothing about two artifacts, and something about three", () => {
    const some = (count: number) => {
      const indexes = Array.from({ length: count }, (_, index) => index)
      return usuallyAfter(
        "unit",
        indexes.map(artifact),
        indexes.map((index) => attestation(index, 60))
      )
    }
    assert.strictEqual(SAMPLES_MIN, 3)
    assert.isUndefined(some(2))
    assert.strictEqual(some(3), 60)
  })

  it("looks at the first of its name, of this artifact or of its trail, and nowhere before the artifact", () => {
    const artifacts = [0, 1, 2].map(artifact)
    const found = usuallyAfter("unit", artifacts, [
      attestation(0, 90),
      attestation(0, 30),
      attestation(1, 40, { fingerprint: null }),
      attestation(2, -5),
      attestation(2, 1, { name: "scan" }),
      attestation(1, 1, { fingerprint: other })
    ])
    assert.strictEqual(found, 40)
  })

  it.prop(
    "is one of the delays, in whole seconds, and the order changes nothing",
    { delays: FastCheck.array(FastCheck.nat(10_000), { minLength: 3, maxLength: 50 }) },
    ({ delays }) => {
      const artifacts = delays.map((_, index) => artifact(index))
      const attestations = delays.map((delay, index) => attestation(index, delay))
      const found = usuallyAfter("unit", artifacts, attestations)
      assert.include(delays, found)
      assert.strictEqual(
        usuallyAfter("unit", [...artifacts].reverse(), [...attestations].reverse()),
        found
      )
      const covered = delays.filter((delay) => delay <= (found ?? 0)).length
      assert.isAtLeast(covered, Math.ceil(delays.length * 0.9))
    }
  )
})
