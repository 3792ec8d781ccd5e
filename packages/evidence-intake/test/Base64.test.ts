/** Base64 is read in both alphabets and in one spelling only. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Base64 from "../src/internal/Base64.js"

const decoded = (text: string): ReadonlyArray<number> | null => {
  const bytes = Base64.decode(text)
  return bytes === null ? null : [...bytes]
}

const toUrl = (text: string): string => text.replaceAll("+", "-").replaceAll("/", "_")

describe("Base64", () => {
  it.prop("reads both alphabets", { bytes: FastCheck.uint8Array() }, ({ bytes }) => {
    const text = Buffer.from(bytes).toString("base64")
    assert.deepStrictEqual(decoded(text), [...bytes])
    assert.deepStrictEqual(decoded(toUrl(text)), [...bytes])
  })

  it("reads nothing else", () => {
    for (const text of [
      "Zm9v\nYmFy",
      "Zm9v YmFy",
      "Zm9",
      "Zg",
      "Zg=",
      "Zh==",
      "Zg==\n",
      "-/8=",
      "Zm9v!",
      "=",
      "é"
    ])
      assert.isNull(Base64.decode(text), text)
  })

  it.prop("has one text for one value", { text: FastCheck.string() }, ({ text }) => {
    const bytes = Base64.decode(text)
    if (bytes === null) return
    const standard = Buffer.from(bytes).toString("base64")
    assert.include([standard, toUrl(standard)], text)
  })
})
