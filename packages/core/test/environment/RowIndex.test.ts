import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as RowIndex from "../../src/environment/RowIndex.js"
import { keyOf } from "../../src/environment/RunningRow.js"
import * as Generated from "../../testing/arbitrary/EnvironmentReport.js"

const identity = FastCheck.record({
  name: Generated.artifactName,
  fingerprint: Generated.reportedFingerprint
})
const rows = FastCheck.uniqueArray(identity, { selector: keyOf, maxLength: 16 })

describe("RowIndex", () => {
  it.prop("finds each row at its place, and no other", { rows, asked: identity }, (given) => {
    const { placeOf } = RowIndex.of(given.rows)
    const keys = given.rows.map(keyOf)
    assert.deepStrictEqual(
      given.rows.map((row) => placeOf({ ...row })),
      keys.map((_, place) => place)
    )
    assert.strictEqual(placeOf(given.asked), keys.indexOf(keyOf(given.asked)))
  })

  it("is made once for each list", () => {
    const one = [{ name: "shop", fingerprint: "" as const }]
    assert.strictEqual(RowIndex.of(one), RowIndex.of(one))
    assert.strictEqual(RowIndex.of([]).placeOf({ name: "shop", fingerprint: "" }), -1)
  })
})
