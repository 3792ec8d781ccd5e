import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Either, FastCheck, Option, Schema } from "effect"
import * as SnapshotRange from "../../src/snapshot/SnapshotRange.js"

const number = FastCheck.integer({ min: 0, max: 20 })
const bound: FastCheck.Arbitrary<SnapshotRange.Bound> = FastCheck.oneof(
  number.map((n) => ({ _tag: "Index" as const, n })),
  number.map((n) => ({ _tag: "Index" as const, n: 0 - n })),
  number.map((n) => ({ _tag: "Behind" as const, n })),
  FastCheck.constant({ _tag: "Now" as const })
).map((one) => (one._tag === "Index" ? { ...one, n: one.n + 0 } : one))
const range = FastCheck.record({ from: bound, to: bound })
const latestIndex = FastCheck.nat(15)
const perPage = FastCheck.integer({ min: 1, max: 5 })

const indexes = (span: SnapshotRange.Span, reverse: boolean): ReadonlyArray<number> => {
  const rising = Array.from({ length: span.last - span.first + 1 }, (_, at) => span.first + at)
  return reverse ? rising : rising.reverse()
}
const resolved = (text: string, latest: number) =>
  Option.getOrNull(SnapshotRange.resolve(Either.getOrThrow(SnapshotRange.parse(text)), latest))

describe("SnapshotRange", () => {
  it.prop("reads back what it printed", { range }, (given) =>
    assert.deepStrictEqual(
      SnapshotRange.parse(SnapshotRange.print(given.range)),
      Either.right(given.range)
    )
  )

  it.prop(
    "never throws, whatever the text",
    {
      text: FastCheck.oneof(
        FastCheck.string(),
        FastCheck.string({ unit: FastCheck.constantFrom(..."12.~-NOWnow#@") })
      )
    },
    ({ text }) => {
      const parsed = SnapshotRange.parse(text)
      if (Either.isRight(parsed))
        assert.deepStrictEqual(SnapshotRange.parse(SnapshotRange.print(parsed.right)), parsed)
    }
  )

  it.prop(
    "EXPR-16: a span of existing snapshots, in any order of its ends",
    { range, latestIndex },
    (given) => {
      const span = SnapshotRange.resolve(given.range, given.latestIndex)
      const turned = { from: given.range.to, to: given.range.from }
      assert.deepStrictEqual(SnapshotRange.resolve(turned, given.latestIndex), span)
      assert.strictEqual(Option.isNone(span), given.latestIndex === 0)
      if (Option.isNone(span)) return
      const { first, last } = span.value
      assert.strictEqual(1 <= first && first <= last && last <= given.latestIndex, true)
    }
  )

  it.prop(
    "EXPR-16: pages together are the list, in both directions",
    { range, latestIndex, perPage, reverse: FastCheck.boolean() },
    (given) => {
      const span = Option.getOrNull(SnapshotRange.resolve(given.range, given.latestIndex))
      if (span === null) return
      const pages = Array.from({ length: 20 }, (_, at) =>
        SnapshotRange.pageOf(span, { page: at + 1, perPage: given.perPage, reverse: given.reverse })
      )
      assert.deepStrictEqual(
        pages.flatMap((page) =>
          Option.match(page, { onNone: () => [], onSome: (part) => indexes(part, given.reverse) })
        ),
        indexes(span, given.reverse)
      )
      const sizes = pages.map((page) =>
        Option.isSome(page) ? page.value.last - page.value.first + 1 : 0
      )
      assert.strictEqual(
        sizes.every((size) => size <= given.perPage),
        true
      )
    }
  )

  it.each([
    ["", 1, 5],
    ["1..NOW", 1, 5],
    ["1..now", 1, 5],
    ["3", 3, 5],
    ["~1", 4, 5],
    ["-2", 4, 5],
    ["NOW", 5, 5],
    ["3..", 3, 5],
    ["..3", 3, 5],
    ["..", 5, 5],
    ["~3..~1", 2, 4],
    ["4..2", 2, 4],
    ["0..99", 1, 5],
    ["-99..2", 1, 2],
    ["NOW..NOW", 5, 5]
  ])("`%s` of 5 is %i to %i", (text, first, last) =>
    assert.deepStrictEqual(resolved(text, 5), { first, last })
  )

  it("is empty without snapshots", () => assert.strictEqual(resolved("", 0), null))

  it("prints both of its ends", () => {
    assert.strictEqual(SnapshotRange.print(SnapshotRange.everything), "1..NOW")
    const text = "~3..-1"
    assert.strictEqual(SnapshotRange.print(Either.getOrThrow(SnapshotRange.parse(text))), text)
  })

  it.each([
    [1, false, 4, 5],
    [2, false, 2, 3],
    [1, true, 2, 3],
    [2, true, 4, 5]
  ])("page %i of 2 to 5 by two, reversed %s, is %i to %i", (page, reverse, first, last) =>
    deepStrictEqual(
      SnapshotRange.pageOf({ first: 2, last: 5 }, { page, perPage: 2, reverse }),
      Option.some({ first, last })
    )
  )

  it("has no page beyond its end", () => {
    for (const reverse of [true, false]) {
      const page = (number: number, perPage: number) =>
        SnapshotRange.pageOf({ first: 2, last: 5 }, { page: number, perPage, reverse })
      deepStrictEqual(page(3, 2), Option.none())
      deepStrictEqual(page(5, 1), Option.none())
      deepStrictEqual(page(2, 4), Option.none())
      assert.isTrue(Option.isSome(page(4, 1)))
    }
  })

  it("is published with both of its ends", () => {
    const isRange = Schema.is(SnapshotRange.SnapshotRange)
    assert.isTrue(isRange(SnapshotRange.everything))
    assert.isFalse(isRange({ from: SnapshotRange.everything.from }))
    assert.isFalse(isRange({ ...SnapshotRange.everything, to: { _tag: "At", instant: 0 } }))
  })

  it.each([
    ["latest", "latest"],
    ["1..x", "x"],
    ["#1..2", "#1"],
    ["1...2", ".2"],
    ["1..2..3", "2..3"],
    ["@{now}..1", "@{now}"],
    [" 1..2", " 1"],
    ["1..+2", "+2"],
    ["1234567890..2", "1234567890"]
  ])("refuses `%s` because of `%s`", (text, side) => {
    const error = Either.getOrThrow(Either.flip(SnapshotRange.parse(text)))
    assert.strictEqual(error._tag, "InvalidSnapshotRange")
    assert.strictEqual(error.bound, side)
    assert.strictEqual(error.message, `\`${side}\` is not a valid snapshot index`)
  })
})
