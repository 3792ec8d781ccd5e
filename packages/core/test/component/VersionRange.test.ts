/** Ranges select versions by their bounds, and every other text is refused. */
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import * as VersionOrder from "../../src/component/VersionOrder.js"
import * as VersionRange from "../../src/component/VersionRange.js"

const selected = (range: string, type: string, versions: ReadonlyArray<string>) => {
  const parsed = Either.getOrThrow(VersionRange.parse(range))
  return versions.filter((version) => VersionRange.matches(parsed, { type, version }))
}

const reasonOf = (range: string): string =>
  Either.match(VersionRange.parse(range), {
    onLeft: ({ reason }) => reason,
    onRight: () => "read"
  })

const VERSIONS = ["1.1.9", "1.2.0-rc.1", "1.2.0", "1.4.2", "1.4.3", "2.0.0", "10.0.0"]

const OPERATORS = ["=", "<", "<=", ">", ">="] as const

describe("VersionRange", () => {
  it.each([
    [">=1.2.0 <1.4.3", ["1.2.0", "1.4.2"]],
    [">=1.2.0,<1.4.3", ["1.2.0", "1.4.2"]],
    [" >= 1.2.0 , < 1.4.3 ", ["1.2.0", "1.4.2"]],
    ["<1.2.0 || >=2.0.0", ["1.1.9", "1.2.0-rc.1", "2.0.0", "10.0.0"]],
    ["=1.2.0||1.4.3", ["1.2.0", "1.4.3"]],
    [">1.4.2 <=2.0.0", ["1.4.3", "2.0.0"]],
    [">2.0.0 <1.0.0", []],
    [">=1.2 <2", ["1.2.0", "1.4.2", "1.4.3"]],
    ["2 || =v10", ["2.0.0", "10.0.0"]],
    [">=latest", []]
  ])("selects by %s", (range, expected) => {
    assert.deepStrictEqual(selected(range, "npm", VERSIONS), expected)
  })

  it("compares by the order of the type, and exactly without one", () => {
    assert.deepStrictEqual(selected("<1.10", "deb", ["1.9", "1:0"]), ["1.9"])
    assert.deepStrictEqual(selected(">=1 <3 || 4", "generic", ["1", "2", "4"]), ["4"])
    assert.deepStrictEqual(selected(">=1", "generic", ["1", "2"]), ["1"])
  })

  it.each([
    ["", "empty"],
    [" ", "empty"],
    ["1 ||", "empty"],
    ["|| 1", "empty"],
    [">=", "malformed"],
    ["1 >", "malformed"],
    [">>1", "malformed"],
    ["=>1", "malformed"],
    [">=1<2", "malformed"],
    [",1", "malformed"],
    ["1|2", "malformed"]
  ])("refuses `%s`", (range, reason) => {
    assert.strictEqual(reasonOf(range), reason)
  })

  it("reads 1,024 characters, and refuses one more", () => {
    const range = "1".repeat(VersionRange.CHARACTERS_MAX)
    assert.strictEqual(reasonOf(range), "read")
    assert.strictEqual(reasonOf(`${range}1`), "too_long")
    assert.include(new VersionRange.InvalidVersionRange({ reason: "too_long" }).message, "1024")
  })

  it.prop(
    "agrees with the order for every bound",
    {
      operator: FastCheck.constantFrom(...OPERATORS),
      bound: FastCheck.constantFrom(...VERSIONS),
      version: FastCheck.constantFrom(...VERSIONS)
    },
    ({ operator, bound, version }) => {
      const order = VersionOrder.compare("npm", version, bound)
      const allowed = [
        ...(operator.includes("=") ? [0] : []),
        ...(operator.includes("<") ? [-1] : []),
        ...(operator.includes(">") ? [1] : [])
      ]
      const isSelected = selected(`${operator}${bound}`, "npm", [version]).length === 1
      assert.strictEqual(isSelected, order !== null && allowed.includes(order))
    }
  )

  it.prop(
    "is total",
    { range: FastCheck.string({ unit: FastCheck.constantFrom(..."<>=|, 1.a") }) },
    ({ range }) => {
      assert.include(["read", "empty", "malformed"], reasonOf(range))
    }
  )
})
