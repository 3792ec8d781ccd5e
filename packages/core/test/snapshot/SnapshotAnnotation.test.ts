import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { FastCheck, Option, Schema, SchemaAST } from "effect"
import type { Verdict } from "../../src/shared/Verdict.js"
import * as SnapshotAnnotation from "../../src/snapshot/SnapshotAnnotation.js"
import * as Reports from "../../testing/EnvironmentReport.js"

const base: SnapshotAnnotation.EvaluatedResult = {
  name: "shop",
  fingerprint: Reports.fingerprints[0],
  creationTimestamp: [1, 2],
  verdict: "Unknown",
  decisionKey: "d",
  provenanceKey: "p"
}
const verdict = FastCheck.constantFrom<ReadonlyArray<Verdict>[number]>(
  "Compliant",
  "NonCompliant",
  "Unknown"
)
const row = FastCheck.record({
  creationTimestamp: FastCheck.array(FastCheck.nat(3), { minLength: 1, maxLength: 3 }),
  verdict,
  decisionKey: FastCheck.constantFrom("d", "e"),
  provenanceKey: FastCheck.constantFrom("p", "q")
}).map((given) => ({ ...base, ...given }))
const { continued, exited, started } = SnapshotAnnotation

describe("SnapshotAnnotation", () => {
  it.prop(
    "is `unchanged` exactly when no relevant field differs",
    { before: row, after: row, includeScaling: FastCheck.boolean() },
    ({ before, after, includeScaling }) => {
      const { type, was, now } = continued(before, after, { includeScaling })
      const equal =
        before.verdict === after.verdict &&
        before.decisionKey === after.decisionKey &&
        before.provenanceKey === after.provenanceKey &&
        (!includeScaling || before.creationTimestamp.length === after.creationTimestamp.length)
      assert.strictEqual(SnapshotAnnotation.isEvent(type), !equal)
      assert.deepStrictEqual(
        [was, now],
        [before.creationTimestamp.length, after.creationTimestamp.length]
      )
    }
  )

  it.prop(
    "prefers verdicts to everything else",
    { before: row, after: row },
    ({ before, after }) => {
      const { type } = continued(before, after, { includeScaling: true })
      const turned = before.verdict !== after.verdict
      assert.strictEqual(type === "became-compliant", turned && after.verdict === "Compliant")
      assert.strictEqual(
        type === "became-non-compliant",
        turned && after.verdict === "NonCompliant"
      )
    }
  )

  it.each([
    ["Compliant", "started-compliant"],
    ["NonCompliant", "started-non-compliant"],
    ["Unknown", "started-unknown"]
  ] as const)("a %s row that was not running is `%s`", (given, type) =>
    assert.deepStrictEqual(started({ ...base, verdict: given }), { type, was: 0, now: 2 })
  )

  it("is published as one of its words with two counts", () => {
    const { SnapshotAnnotation: schema } = SnapshotAnnotation
    const isAnnotation = Schema.is(schema)
    const unchanged = continued(base, base, { includeScaling: true })
    for (const given of [started(base), exited(base), unchanged]) assert.isTrue(isAnnotation(given))
    for (const wrong of [{ type: "other" }, { was: 0.5 }, { now: "1" }])
      assert.isFalse(isAnnotation({ ...unchanged, ...wrong }))
    deepStrictEqual(
      SchemaAST.getIdentifierAnnotation(schema.ast),
      Option.some("SnapshotAnnotation")
    )
  })

  it("a row that no longer runs is `exited`", () =>
    assert.deepStrictEqual(exited(base), { type: "exited", was: 2, now: 0 }))

  it.each([
    ["Unknown", "Compliant", "became-compliant"],
    ["NonCompliant", "Compliant", "became-compliant"],
    ["Unknown", "NonCompliant", "became-non-compliant"],
    ["Compliant", "NonCompliant", "became-non-compliant"],
    ["Compliant", "Unknown", "changed"],
    ["NonCompliant", "Unknown", "changed"],
    ["Compliant", "Compliant", "unchanged"]
  ] as const)("from %s to %s is `%s`", (from, to, type) =>
    assert.strictEqual(
      continued({ ...base, verdict: from }, { ...base, verdict: to }, { includeScaling: true })
        .type,
      type
    )
  )

  it("a count is `scaled` only where scaling is recorded", () => {
    const more = { ...base, creationTimestamp: [1, 2, 3] }
    assert.deepStrictEqual(continued(base, more, { includeScaling: true }), {
      type: "scaled",
      was: 2,
      now: 3
    })
    assert.deepStrictEqual(continued(base, more, { includeScaling: false }), {
      type: "unchanged",
      was: 2,
      now: 3
    })
  })

  it("prefers scaling to provenance, provenance to the rest", () => {
    const after = { ...base, creationTimestamp: [1], provenanceKey: "q", decisionKey: "e" }
    assert.strictEqual(continued(base, after, { includeScaling: true }).type, "scaled")
    assert.strictEqual(continued(base, after, { includeScaling: false }).type, "updated-provenance")
    assert.strictEqual(
      continued(base, { ...base, decisionKey: "e" }, { includeScaling: false }).type,
      "changed"
    )
  })

  it("times alone are `unchanged`, whatever the flag", () => {
    const restarted = { ...base, creationTimestamp: [8, 9] }
    for (const includeScaling of [true, false])
      assert.strictEqual(continued(base, restarted, { includeScaling }).type, "unchanged")
  })
})
