/** V-7: patterns of trust policies against their definition, which tries every run, and the characters read. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as WildcardPattern from "../../src/shared/internal/WildcardPattern.js"
import * as TrustPattern from "../../src/trust-policy/TrustPattern.js"

/** Whether a value fits by the definition; exponential. */
const model = (pattern: string, value: string): boolean => {
  if (pattern === "") return value === ""
  if (!pattern.startsWith("*"))
    return value !== "" && pattern[0] === value[0] && model(pattern.slice(1), value.slice(1))
  const [stars = ""] = /^\*+/.exec(pattern) ?? []
  const rest = pattern.slice(stars.length)
  for (let length = 0; length <= value.length; length++) {
    if (stars.length === 1 && value.slice(0, length).includes("/")) return false
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

/** A text that counts the characters that were read. */
class Counted implements WildcardPattern.Text {
  read = 0
  constructor(private readonly text: string) {}
  get length(): number {
    return this.text.length
  }
  charAt(at: number): string {
    this.read += 1
    return this.text.charAt(at)
  }
  startsWith(search: string, at?: number): boolean {
    this.read += search.length
    return this.text.startsWith(search, at)
  }
}

const readsOf = (given: string, text: string): number => {
  const counted = new Counted(text)
  WildcardPattern.matches(given, counted, "/")
  return counted.read
}

const SAN = "https://github.com/acme/shop/.github/workflows/release.yml@refs/tags/*"
const FITTING = "https://github.com/acme/shop/.github/workflows/release.yml@refs/tags/v1.0"

describe("a pattern of a trust policy", () => {
  it.prop(
    "matches what its definition says",
    { pattern, value },
    ({ pattern: given, value: text }) => {
      assert.strictEqual(TrustPattern.matches(given, text), model(given, text))
    },
    { fastCheck: { numRuns: 2_000 } }
  )

  it.prop(
    "is whole: a value that has more before or after a literal pattern does not fit",
    { literal: value, more: FastCheck.string({ minLength: 1, maxLength: 4 }) },
    ({ literal, more }) => {
      assert.isTrue(TrustPattern.matches(literal, literal))
      assert.isFalse(TrustPattern.matches(literal, `${literal}${more}`))
      assert.isFalse(TrustPattern.matches(literal, `${more}${literal}`))
    }
  )

  it.prop(
    "reads at most twice as much of a value that is twice as long",
    { pattern, value },
    ({ pattern: given, value: text }) => {
      const long = text.repeat(8)
      assert.isAtMost(readsOf(given, long + long), 2 * readsOf(given, long) + given.length ** 2)
      assert.isAtMost(readsOf(given, long), given.length * (long.length + 1))
    }
  )

  it("reads no more of a hostile value than lengths multiplied", () => {
    const hostile = `${"a*".repeat(32)}${"**a".repeat(32)}b`
    assert.isAtMost(readsOf(hostile, "a".repeat(1_000)), hostile.length * 1_001)
    assert.isFalse(TrustPattern.matches(hostile, "a".repeat(1_000)))
  })

  it("does not match an identity that goes on, or that contains the expected one", () => {
    assert.isTrue(TrustPattern.matches(SAN, FITTING))
    assert.isFalse(TrustPattern.matches(SAN, `${FITTING}/evil`))
    assert.isFalse(TrustPattern.matches(SAN, `https://evil.example/?${FITTING}`))
    const main = "https://github.com/acme/shop/.github/workflows/release.yml@refs/heads/main"
    assert.isFalse(TrustPattern.matches(main, `${main}.evil`))
  })

  it("takes no character for more than itself", () => {
    for (const text of [".", "a.c", "[a]", "(a|b)", "a?", "^a$", "\\d", "a+"]) {
      assert.isTrue(TrustPattern.matches(text, text))
      assert.isFalse(TrustPattern.matches(text, "abc"))
    }
  })

  it("fits no value that is too long", () => {
    assert.isTrue(TrustPattern.matches("**", "a".repeat(TrustPattern.VALUE_LENGTH_MAX)))
    assert.isFalse(TrustPattern.matches("**", "a".repeat(TrustPattern.VALUE_LENGTH_MAX + 1)))
  })

  it("names nothing if it is only wildcards", () => {
    for (const wild of ["*", "**", "***", "*/*", "**/*", "/*", "/**/"])
      assert.isTrue(TrustPattern.isOnlyWildcards(wild), wild)
    for (const named of ["", "/", "a*", "*@acme.example", "https://**", "*.*"])
      assert.isFalse(TrustPattern.isOnlyWildcards(named), named)
  })
})
