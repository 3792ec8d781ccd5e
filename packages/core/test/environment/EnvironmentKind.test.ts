import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as EnvironmentKind from "../../src/environment/EnvironmentKind.js"

describe("EnvironmentKind", () => {
  it("is physical except for `logical`", () => {
    const { literals } = EnvironmentKind.EnvironmentKind
    assert.deepStrictEqual(
      literals.filter((kind) => !EnvironmentKind.isPhysical(kind)),
      ["logical"]
    )
    assert.strictEqual(literals.length, 9)
  })

  it.each(["k8s", "K8s", "Docker", "Logical", "", "pods"])("refuses `%s`", (word) =>
    assert.strictEqual(Schema.is(EnvironmentKind.EnvironmentKind)(word), false)
  )
})
