import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as AttestationNamePattern from "../../src/compliance/AttestationNamePattern.js"
import * as Slices from "../../src/shared/Slices.js"

const pattern = (weight: number) => ({
  source: "a",
  weight,
  test: (text: string) => text.includes("a")
})

const isRefused = (weight: number, names: ReadonlyArray<string>) =>
  Either.isLeft(AttestationNamePattern.check(pattern(weight), names))

describe("AttestationNamePattern", () => {
  it("selects the names that match, in their order", () => {
    const select = (names: ReadonlyArray<string>) =>
      Slices.runSync(AttestationNamePattern.select(pattern(4), names))
    assert.deepStrictEqual(select(["unit", "scan", "lint", "audit"]), ["scan", "audit"])
    assert.deepStrictEqual(select([]), [])
  })

  it("is matched with 10,000 names, and with no more", () => {
    const names = Array.from({ length: AttestationNamePattern.NAMES_MAX }, () => "b")
    assert.isFalse(isRefused(1, names))
    assert.isTrue(isRefused(1, [...names, "b"]))
  })

  it("does so much work, and no more", () => {
    const weight = AttestationNamePattern.WORK_MAX / 10
    assert.isFalse(isRefused(weight, ["b".repeat(4), "b".repeat(6)]))
    assert.isTrue(isRefused(weight, ["b".repeat(4), "b".repeat(7)]))
  })
})
