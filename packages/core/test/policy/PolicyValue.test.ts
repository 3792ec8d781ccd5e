import { assert, describe, it } from "@effect/vitest"
import {
  compare,
  compareDecimals,
  compareTexts,
  type Decimal,
  decimal,
  equals,
  fromNumber,
  orderAgainst
} from "../../src/policy/PolicyValue.js"

/** Decimals in rising order; those of one line are the same number. */
const RISING = [
  ["-10000000000000000.5"],
  ["-10000000000000000"],
  ["-11"],
  ["-10", "-10.0", "-010"],
  ["-9.25"],
  ["-9.2", "-9.20"],
  ["-2"],
  ["-0.5"],
  ["-0.05"],
  ["0", "-0", "+0", "00", "0.0", "-0.00"],
  ["0.05"],
  ["0.5", "+0.5", "00.50"],
  ["1", "01", "+1", "1.0"],
  ["1.00000000000000000001"],
  ["1.09"],
  ["1.9"],
  ["2"],
  ["10", "10.00"],
  ["20"],
  ["100"],
  ["99999999999999"],
  ["999999999999999", "999999999999999.0"],
  ["999999999999999.5"],
  ["1000000000000000"],
  ["9007199254740992"],
  ["9007199254740993"],
  ["90071992547409920"]
]

const NOT_DECIMAL = ["", "-", "+", ".", ".5", "5.", "1e5", " 1", "1 ", "1.2.3", "--1", "0x1", "1_0"]

const read = (text: string): Decimal => decimal(text) ?? assert.fail(`${text} is a decimal`)

const pairs = <A>(groups: ReadonlyArray<ReadonlyArray<A>>) =>
  groups.flatMap((lefts, one) =>
    groups.flatMap((rights, other) =>
      lefts.flatMap((left) => rights.map((right) => [left, right, Math.sign(one - other)] as const))
    )
  )

describe("PolicyValue.decimal", () => {
  it("keeps significant digits, and the sign where there is one", () => {
    const table: ReadonlyArray<readonly [string, boolean, string, string]> = [
      ["7", false, "7", ""],
      ["+7", false, "7", ""],
      ["-7", true, "7", ""],
      ["007", false, "7", ""],
      ["-007.500", true, "7", "5"],
      ["700", false, "700", ""],
      ["0", false, "0", ""],
      ["000", false, "0", ""],
      ["-0", false, "0", ""],
      ["-0.00", false, "0", ""],
      ["-0.01", true, "0", "01"],
      ["0.010", false, "0", "01"],
      ["10.0", false, "10", ""]
    ]
    for (const [text, negative, whole, fraction] of table)
      assert.deepStrictEqual(decimal(text), { negative, whole, fraction }, text)
  })

  it("accepts plain decimals only", () => {
    for (const text of NOT_DECIMAL) assert.isUndefined(decimal(text), text)
  })

  it("orders numbers by value, in any spelling and length", () => {
    for (const [left, right, order] of pairs(RISING)) {
      assert.strictEqual(
        Math.sign(compareDecimals(read(left), read(right))),
        order,
        `${left} and ${right}`
      )
      assert.strictEqual(
        Math.sign(orderAgainst(read(right))(left) ?? Number.NaN),
        order,
        `${left} against ${right}`
      )
    }
  })

  it("has no order for texts that are no numbers", () => {
    for (const number of ["1", "0", "-1", "9007199254740993"])
      for (const text of [...NOT_DECIMAL, "12/", "12:", "/12", ":12", "v12"])
        assert.isUndefined(orderAgainst(read(number))(text), text)
  })
})

describe("PolicyValue.compareTexts", () => {
  const TEXTS = ["", "a", "ab", "abc", "b", "\ud7ff", "\ue000", "\uffff", "\u{10000}", "\u{1f600}"]

  it("orders by code points, those beyond the basic plane last", () => {
    for (const [left, right, order] of pairs(TEXTS.map((text) => [text])))
      assert.strictEqual(Math.sign(compareTexts(left, right)), order, `${left} and ${right}`)
  })

  it("agrees with comparing code points one by one", () => {
    const points = (text: string) => Array.from(text, (character) => character.codePointAt(0) ?? 0)
    const model = (left: string, right: string): number => {
      const [one, other] = [points(left), points(right)]
      const at = one.findIndex((point, index) => point !== other[index])
      if (at === -1) return Math.sign(one.length - other.length)
      return Math.sign((one[at] ?? 0) - (other[at] ?? -1))
    }
    const texts = TEXTS.flatMap((one) => TEXTS.map((other) => one + other))
    for (const left of texts)
      for (const right of texts)
        assert.strictEqual(Math.sign(compareTexts(left, right)), model(left, right))
  })
})

describe("PolicyValue.equals and compare", () => {
  it("compare a text as a number only with a number", () => {
    assert.isTrue(equals(read("1"), "1.0"))
    assert.isTrue(equals("01", read("1")))
    assert.isTrue(equals(read("1"), read("1.0")))
    assert.isFalse(equals(read("1"), "2"))
    assert.isFalse(equals(read("1"), "one"))
    assert.isFalse(equals("one", read("1")))
    assert.isFalse(equals("1", "1.0"))
    assert.isTrue(equals("1", "1"))
  })

  it("never make values of two kinds equal", () => {
    const values = ["", "true", "null", true, false, null, read("0"), read("1")]
    for (const left of values)
      for (const right of values) assert.strictEqual(equals(left, right), left === right)
  })

  it("order texts with texts and numbers with numeric texts", () => {
    assert.isBelow(compare("10", "9") ?? 0, 0)
    assert.isAbove(compare("10", read("9")) ?? 0, 0)
    assert.isBelow(compare(read("9"), "10") ?? 0, 0)
    assert.strictEqual(compare(read("9"), read("9.0")), 0)
  })

  it("take numbers of JavaScript for the decimals that they print", () => {
    for (const number of [0, -0, 1, -1.5, 0.1, 1e-7, -2.5e-9, 1e20, 1e21, 1.5e22, -12e30, 5e-324]) {
      const read = fromNumber(number)
      assert.isDefined(read)
      const sign = read?.negative ? "-" : ""
      assert.isTrue(Number(`${sign}${read?.whole}.${read?.fraction}`) === number, String(number))
    }
    for (const number of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
      assert.isUndefined(fromNumber(number))
  })

  it("have no order for anything else", () => {
    for (const other of ["x", true, false, null]) {
      assert.isUndefined(compare(read("1"), other))
      assert.isUndefined(compare(other, read("1")))
    }
    for (const [left, right] of [
      ["x", null],
      [null, "x"],
      [true, false],
      [null, null]
    ] as const)
      assert.isUndefined(compare(left, right))
  })
})
