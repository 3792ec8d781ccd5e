import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import * as AttestationNamePattern from "../../src/compliance/AttestationNamePattern.js"

const pattern = (weight: number) => ({
  source: "a",
  weight,
  test: (text: string) => text.includes("a")
})

const isRefused = (weight: number, names: ReadonlyArray<string>) =>
  Effect.map(
    Effect.either(AttestationNamePattern.select(pattern(weight), names)),
    (found) => Either.isLeft(found) && found.left._tag === "NamePatternTooCostly"
  )

describe("AttestationNamePattern", () => {
  it.effect("selects the names that match, in their order", () =>
    Effect.gen(function* () {
      const names = ["unit", "scan", "lint", "audit"]
      assert.deepStrictEqual(yield* AttestationNamePattern.select(pattern(4), names), [
        "scan",
        "audit"
      ])
      assert.deepStrictEqual(yield* AttestationNamePattern.select(pattern(4), []), [])
    })
  )

  it.effect("is matched with 10,000 names, and with no more", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: AttestationNamePattern.NAMES_MAX }, () => "b")
      assert.isFalse(yield* isRefused(1, names))
      assert.isTrue(yield* isRefused(1, [...names, "b"]))
    })
  )

  it.effect("does so much work, and no more", () =>
    Effect.gen(function* () {
      const weight = AttestationNamePattern.WORK_MAX / 10
      assert.isFalse(yield* isRefused(weight, ["b".repeat(4), "b".repeat(6)]))
      assert.isTrue(yield* isRefused(weight, ["b".repeat(4), "b".repeat(7)]))
    })
  )
})
