import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { FastCheck, Option, Schema, SchemaAST } from "effect"
import type { Verdict } from "../../src/shared/Verdict.js"
import * as SnapshotCounts from "../../src/snapshot/SnapshotCounts.js"

const verdicts = FastCheck.array(
  FastCheck.constantFrom<ReadonlyArray<Verdict>[number]>("Compliant", "NonCompliant", "Unknown")
)
const count = (given: ReadonlyArray<Verdict>) =>
  SnapshotCounts.count(given.map((verdict) => ({ verdict })))

describe("SnapshotCounts", () => {
  it.prop("adds up to the number of rows, in any order", { verdicts }, (given) => {
    const counts = count(given.verdicts)
    assert.strictEqual(counts.true + counts.false + counts.null, given.verdicts.length)
    assert.deepStrictEqual(count([...given.verdicts].reverse()), counts)
  })

  it.prop("is Unknown without policies", { verdicts }, (given) =>
    assert.strictEqual(
      SnapshotCounts.verdictOf(count(given.verdicts), { hasPolicies: false }),
      "Unknown"
    )
  )

  it.prop("is Compliant under policies exactly when every row is", { verdicts }, (given) =>
    assert.strictEqual(
      SnapshotCounts.verdictOf(count(given.verdicts), { hasPolicies: true }),
      given.verdicts.every((verdict) => verdict === "Compliant") ? "Compliant" : "NonCompliant"
    )
  )

  it("counts by the words of the wire", () =>
    assert.deepStrictEqual(count(["Compliant", "Unknown", "Compliant", "NonCompliant"]), {
      true: 2,
      false: 1,
      null: 1
    }))

  it("is published with a whole number for each verdict", () => {
    const { SnapshotCounts: schema } = SnapshotCounts
    const isCounts = Schema.is(schema)
    assert.isTrue(isCounts(count(["Compliant"])))
    for (const verdict of ["true", "false", "null"])
      assert.isFalse(isCounts({ ...count([]), [verdict]: 0.5 }))
    deepStrictEqual(
      SchemaAST.getIdentifierAnnotation(schema.ast),
      Option.some("ArtifactComplianceCount")
    )
  })
})
