/** The instant of the second slider, and its differences. */
import { assert, describe, it } from "vitest"
import type { SnapshotAsOf } from "../../app/shared/Contract.js"
import {
  lateOf,
  parse,
  STEPS,
  stepOf,
  textAt,
  turnedOf
} from "../../app/snapshot/as-of/AsOfSlider.js"

const span = { from: 1_790_000_000.123456, to: 1_790_086_400 }

describe("the instant", () => {
  it("is read from the address, and anything else is as recorded", () => {
    assert.deepStrictEqual(
      ["now", "1790000000.5", "12", undefined, "", "later", "-1", "1e9"].map(parse),
      ["now", 1_790_000_000.5, 12, undefined, undefined, undefined, undefined, undefined]
    )
  })

  it("is never before the snapshot, and its end is now", () => {
    assert.strictEqual(textAt(0, span), "1790000000.124")
    assert.isAtLeast(Number(textAt(0, span)), span.from)
    assert.strictEqual(textAt(STEPS, span), "now")
    assert.strictEqual(stepOf(undefined, span), 0)
    assert.strictEqual(stepOf("now", span), STEPS)
    assert.strictEqual(stepOf(0, span), 0)
    assert.strictEqual(stepOf(span.to * 2, span), STEPS)
  })

  it("comes back to its place on the slider", () => {
    for (let step = 0; step <= STEPS; step += 50)
      assert.strictEqual(stepOf(parse(textAt(step, span)), span), step)
  })
})

const late = (attestation_id: string, reported_at: number, decisive: boolean) => ({
  attestation_id,
  attestation_name: "scan",
  attestation_type: "generic",
  is_compliant: true,
  reported_at,
  late_by_seconds: 5,
  decisive
})

describe("hindsight", () => {
  // WHY: the functions read these members alone.
  const past = {
    artifacts: [
      {
        name: "a",
        compliant: true,
        recorded: { compliant: false },
        late_evidence: [late("1", 7, false)]
      },
      {
        name: "b",
        compliant: true,
        recorded: { compliant: true },
        late_evidence: [late("1", 7, true), late("2", 9, false)]
      },
      { name: "c", compliant: false }
    ]
  } as unknown as SnapshotAsOf

  it("has the rows whose verdict is another one than in the record", () => {
    assert.deepStrictEqual(
      turnedOf(past).map(({ name }) => name),
      ["a"]
    )
  })

  it("lists late evidence once, newest first, as decisive where it is so for a row", () => {
    assert.deepStrictEqual(
      lateOf(past).map(({ attestation_id, decisive, row }) => [attestation_id, decisive, row]),
      [
        ["2", false, "b"],
        ["1", true, "b"]
      ]
    )
  })
})
