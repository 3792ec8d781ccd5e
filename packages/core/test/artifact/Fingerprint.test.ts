import { assert, describe, it } from "@effect/vitest"
import { FastCheck, Schema } from "effect"
import * as Fingerprint from "../../src/artifact/Fingerprint.js"

const hex = (length: number) =>
  FastCheck.array(FastCheck.constantFrom(..."0123456789abcdef"), {
    minLength: length,
    maxLength: length
  }).map((digits) => digits.join(""))

const isWhole = Schema.is(Fingerprint.Fingerprint)
const isPrefix = Schema.is(Fingerprint.FingerprintPrefix)
const isReported = Schema.is(Fingerprint.ReportedFingerprint)

describe("Fingerprint", () => {
  it.prop(
    "every prefix of 5 or more characters is one of its fingerprint",
    { text: hex(64), length: FastCheck.integer({ min: 5, max: 64 }) },
    ({ text, length }) => {
      const prefix = Fingerprint.FingerprintPrefix.make(text.slice(0, length))
      assert.strictEqual(Fingerprint.startsWith(Fingerprint.Fingerprint.make(text), prefix), true)
    }
  )

  it.prop("accepts exactly 64 hexadecimal digits", { length: FastCheck.nat(130) }, ({ length }) => {
    const text = "0".repeat(length)
    assert.strictEqual(isWhole(text), length === 64)
    assert.strictEqual(isPrefix(text), length >= 5 && length <= 64)
    assert.strictEqual(isReported(text), length === 64 || length === 0)
  })

  it.prop("accepts no other text", { text: FastCheck.string() }, ({ text }) =>
    assert.strictEqual(isReported(text), text === "" || /^[a-f0-9]{64}$/.test(text))
  )

  it("distinguishes unknown from known", () => {
    assert.strictEqual(Fingerprint.isKnown(""), false)
    assert.strictEqual(Fingerprint.isKnown(Fingerprint.Fingerprint.make("a".repeat(64))), true)
  })

  it.each(["A".repeat(64), "g".repeat(64), ` ${"a".repeat(63)}`, `${"a".repeat(64)}\n`])(
    "refuses %j",
    (text) => assert.strictEqual(isReported(text), false)
  )

  it.each(["abcd", "ABCDE", "a".repeat(65), ""])("refuses the prefix %j", (text) =>
    assert.strictEqual(isPrefix(text), false)
  )
})
