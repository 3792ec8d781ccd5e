/** Sentences about exposures of components. */
import { assert, describe, it } from "vitest"
import { withoutSbomText } from "../../app/exposure/ExposureText.js"

describe("artifacts without a bill of materials", () => {
  it("are counted, and not mentioned where there is none or components were not asked for", () => {
    assert.isUndefined(withoutSbomText(undefined))
    assert.isUndefined(withoutSbomText(0))
    assert.match(withoutSbomText(1) ?? "", /^1 artifact that ran has no .* what it contains\.$/)
    assert.match(
      withoutSbomText(12_000) ?? "",
      /^12,000 artifacts that ran have no .* what they contain\.$/
    )
  })
})
