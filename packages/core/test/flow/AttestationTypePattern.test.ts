import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as AttestationTypePattern from "../../src/flow/AttestationTypePattern.js"

describe("AttestationTypePattern", () => {
  it.prop(
    "matches the same type only, except that the asterisk matches all",
    {
      pattern: FastCheck.constantFrom(...AttestationTypePattern.WORDS, "custom:a", "custom:b"),
      type: FastCheck.constantFrom("generic", "junit", "decision", "custom:a", "custom:b")
    },
    ({ pattern, type }) =>
      assert.strictEqual(
        AttestationTypePattern.matches(pattern, type),
        pattern === "*" || pattern === type
      )
  )

  it("accepts both names of a decision", () => {
    assert.isTrue(AttestationTypePattern.matches("decision", "system:decision"))
    assert.strictEqual(AttestationTypePattern.fromWire("system:decision"), "decision")
    assert.strictEqual(AttestationTypePattern.toWire("decision"), "system:decision")
    assert.strictEqual(AttestationTypePattern.toWire("junit"), "junit")
  })

  it("resolves a bare custom override to the custom type it replaces, or to any without one", () => {
    const { overridden, matches } = AttestationTypePattern
    assert.strictEqual(overridden("custom", ["junit", "custom:b", "custom:a"]), "custom:b")
    assert.strictEqual(overridden("custom", ["junit"]), "custom")
    assert.strictEqual(overridden("system:decision", ["custom:a"]), "decision")
    assert.strictEqual(overridden("custom:a", ["custom:b"]), "custom:a")
    assert.isTrue(matches("custom:a", "custom"))
    assert.isFalse(matches("junit", "custom"))
  })
})
