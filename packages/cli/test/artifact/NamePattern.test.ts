/** Patterns for one name. */
import { assert, describe, it } from "vitest"
import * as NamePattern from "../../src/artifact/NamePattern.js"

const matches = (pattern: string, name: string): boolean | undefined => {
  const elements = NamePattern.compile(pattern)
  return elements === undefined ? undefined : NamePattern.matches(elements, name)
}

describe("NamePattern", () => {
  const ROWS: ReadonlyArray<readonly [string, string, boolean]> = [
    ["*.pyc", "a.pyc", true],
    ["*.pyc", ".pyc", true],
    ["*.pyc", "a.py", false],
    ["?", "ä", true],
    ["a?c", "ac", false],
    ["[a-c]x", "bx", true],
    ["[^a-c]x", "bx", false],
    ["[^a-c]x", "dx", true],
    ["[]a]x", "]x", true],
    ["\\*", "*", true],
    ["\\*", "a", false],
    ["a*b*c", "aXbYbZc", true],
    ["a*b*c", "aXbYbZ", false],
    ["{a,b}", "a", false],
    ["*", "", true]
  ]
  for (const [pattern, name, expected] of ROWS)
    it(`\`${pattern}\` ${expected ? "matches" : "does not match"} \`${name}\``, () => {
      assert.strictEqual(matches(pattern, name), expected)
    })

  it("refuses an open bracket and a backslash at the end", () => {
    assert.isUndefined(matches("[a", "a"))
    assert.isUndefined(matches("a\\", "a"))
  })

  it("takes no longer for many stars than for few", () => {
    assert.strictEqual(matches(`${"a*".repeat(200)}b`, "a".repeat(5_000)), false)
  })
})
