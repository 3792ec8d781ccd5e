import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as AttestationTypePattern from "../../src/flow/AttestationTypePattern.js"

describe("AttestationTypePattern", () => {
  it.prop(
    "fits the same type and nothing else, except that the asterisk fits all",
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

  it("knows a decision under both of its names", () => {
    assert.isTrue(AttestationTypePattern.matches("decision", "system:decision"))
    assert.strictEqual(AttestationTypePattern.fromWire("system:decision"), "decision")
    assert.strictEqual(AttestationTypePattern.toWire("decision"), "system:decision")
    assert.strictEqual(AttestationTypePattern.toWire("junit"), "junit")
  })

  it("takes a bare custom override for the custom type it replaces, or for any when there is none", () => {
    const { overridden, matches } = AttestationTypePattern
    assert.strictEqual(overridden("custom", ["junit", "custom:b", "custom:a"]), "custom:b")
    assert.strictEqual(overridden("custom", ["junit"]), "custom")
    assert.strictEqual(overridden("system:decision", ["custom:a"]), "decision")
    assert.strictEqual(overridden("custom:a", ["custom:b"]), "custom:a")
    assert.isTrue(matches("custom:a", "custom"))
    assert.isFalse(matches("junit", "custom"))
  })
})
