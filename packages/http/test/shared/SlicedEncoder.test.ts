/** Responses with long lists are encoded in slices, with the same value as at once. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as SlicedEncoder from "../../src/shared/internal/SlicedEncoder.js"

const Item = Schema.Struct({ at: Schema.DateFromString, name: Schema.String })
const Answer = Schema.Struct({
  total: Schema.NumberFromString,
  note: Schema.optional(Schema.String),
  items: Schema.Array(Item),
  more: Schema.Array(Schema.Number)
})

const answer = (length: number): typeof Answer.Type => ({
  total: length,
  items: Array.from({ length }, (_, index) => ({ at: new Date(index), name: `name-${index}` })),
  more: [1, 2]
})

describe("SlicedEncoder", () => {
  it.effect("has the result of encoding at once", () =>
    Effect.gen(function* () {
      const print = SlicedEncoder.make(Answer.ast)
      const value = answer(1_000)
      const text = yield* print?.(value) ?? Effect.succeed("")
      assert.strictEqual(text, JSON.stringify(Schema.encodeSync(Answer)(value)))
    })
  )

  it("leaves short lists and other values to the other encoder", () => {
    const print = SlicedEncoder.make(Answer.ast)
    assert.isUndefined(print?.(answer(255)))
    assert.isDefined(print?.(answer(256)))
    assert.isUndefined(print?.("text"))
    assert.isUndefined(SlicedEncoder.make(Schema.Array(Item).ast))
    assert.isUndefined(SlicedEncoder.make(Schema.Struct({ name: Schema.String }).ast))
  })
})
