/** The two forms of `Retry-After`, and invalid text. */
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { DateTime, Duration, FastCheck, Option } from "effect"
import * as RetryAfter from "../../src/outbound/internal/RetryAfter.js"

const now = DateTime.unsafeMake("2030-01-01T00:00:00Z")
const seconds = (text: string) => Option.map(RetryAfter.parse(text, now), Duration.toSeconds)

describe("RetryAfter", () => {
  it.prop("parses any number of seconds", { count: FastCheck.nat(999_999_999) }, ({ count }) => {
    deepStrictEqual(seconds(String(count)), Option.some(count))
  })

  it.prop("parses any date", { count: FastCheck.integer({ min: -1e6, max: 1e6 }) }, ({ count }) => {
    const text = new Date(DateTime.toEpochMillis(now) + count * 1000).toUTCString()
    deepStrictEqual(seconds(text), Option.some(Math.max(0, count)))
  })

  it.prop("never throws", { text: FastCheck.string() }, ({ text }) => {
    assert.isBoolean(Option.isSome(RetryAfter.parse(text, now)))
  })

  it.each(
    [
      "",
      "-1",
      "1.5",
      "1e3",
      "soon",
      "1000000000",
      " 5",
      "2030-01-01T00:00:05Z",
      "Tue, 99 Abc 2030 00:00:05 GMT"
    ].map((text) => [text])
  )("takes `%s` for no wish", (text) => {
    deepStrictEqual(seconds(text), Option.none())
  })
})
