/** Patterns of claims against their definition, which tries every run, and the laws that follow from it. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as ClaimPattern from "../../src/workload-identity/internal/ClaimPattern.js"

/** Whether a value fits by the definition; exponential. */
const model = (pattern: string, value: string): boolean => {
  if (pattern === "") return value === ""
  if (!pattern.startsWith("*"))
    return value !== "" && pattern[0] === value[0] && model(pattern.slice(1), value.slice(1))
  const [stars = ""] = /^\*+/.exec(pattern) ?? []
  const rest = pattern.slice(stars.length)
  for (let length = 0; length <= value.length; length++) {
    if (stars.length === 1 && /[:/]/.test(value.slice(0, length))) return false
    if (model(rest, value.slice(length))) return true
  }
  return false
}

const pattern = FastCheck.string({
  unit: FastCheck.constantFrom("a", "b", ":", "/", "*", "**"),
  maxLength: 7
})
const value = FastCheck.string({
  unit: FastCheck.constantFrom("a", "b", ":", "/"),
  maxLength: 8
})
const exact = value

describe("a pattern of a claim", () => {
  it.prop(
    "matches what its definition says",
    { pattern, value },
    ({ pattern: given, value: claim }) => {
      assert.strictEqual(ClaimPattern.matches(given, claim), model(given, claim))
    },
    { fastCheck: { numRuns: 2_000 } }
  )

  it.prop(
    "without a wildcard matches itself alone",
    { exact, value },
    ({ exact: given, value: claim }) => {
      assert.isTrue(ClaimPattern.isExact(given))
      assert.strictEqual(ClaimPattern.matches(given, claim), given === claim)
    }
  )

  it.prop(
    "matches more with `**` where `*` was",
    { pattern, value },
    ({ pattern: given, value: claim }) => {
      if (ClaimPattern.matches(given, claim))
        assert.isTrue(ClaimPattern.matches(given.replaceAll(/\*+/g, "**"), claim))
    }
  )

  it.prop(
    "of two parts matches what the parts match together",
    { left: pattern, right: pattern, a: value, b: value },
    ({ left, right, a, b }) => {
      if (left.endsWith("*") && right.startsWith("*")) return
      if (ClaimPattern.matches(left, a) && ClaimPattern.matches(right, b))
        assert.isTrue(ClaimPattern.matches(`${left}${right}`, `${a}${b}`))
    }
  )

  it("keeps `*` within one segment, and lets `**` cross them", () => {
    assert.isTrue(ClaimPattern.matches("repo:acme/*:ref", "repo:acme/shop:ref"))
    assert.isFalse(ClaimPattern.matches("repo:acme/*:ref", "repo:acme/shop/x:ref"))
    assert.isFalse(ClaimPattern.matches("repo:acme/*", "repo:acme/shop:ref"))
    assert.isTrue(ClaimPattern.matches("repo:acme/**", "repo:acme/shop:ref"))
    assert.isFalse(ClaimPattern.matches("repo:acme/**", "repo:acme-evil/shop"))
    assert.isFalse(ClaimPattern.matches("repo:acme/shop", "repo:acme/shop2"))
  })

  it("takes no characters of regular expressions for more than themselves", () => {
    for (const text of [".", "a.c", "[a]", "(a|b)", "a?", "^a$", "\\d", "a+"]) {
      assert.isTrue(ClaimPattern.matches(text, text))
      assert.isFalse(ClaimPattern.matches(text, "abc"))
    }
  })

  it("ends in time for the longest pattern on a long value", () => {
    const wild = "a*".repeat(ClaimPattern.PATTERN_LENGTH_MAX / 2)
    const begun = performance.now()
    assert.isFalse(ClaimPattern.matches(`${wild}b`, "a".repeat(16_384)))
    assert.isBelow(performance.now() - begun, 10_000)
  })

  it("has the segments that hold no wildcard", () => {
    assert.strictEqual(ClaimPattern.fixedSegments("repo:acme/shop:**"), 3)
    assert.strictEqual(ClaimPattern.fixedSegments("repo:*/shop-*"), 1)
    assert.strictEqual(ClaimPattern.fixedSegments("::/*"), 0)
  })
})
