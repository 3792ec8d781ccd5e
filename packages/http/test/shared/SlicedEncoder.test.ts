/** Responses with long lists are encoded in slices, with the same value as at once. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { isPieces, textOf } from "../../src/shared/HttpMessage.js"
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
      const body = yield* print?.(value) ?? Effect.succeed("")
      assert.strictEqual(textOf(body), JSON.stringify(Schema.encodeSync(Answer)(value)))
    })
  )

  it.effect("has the result of encoding at once for a list, and for characters of any length", () =>
    Effect.gen(function* () {
      const List = Schema.Array(Schema.Struct({ name: Schema.String }))
      const print = SlicedEncoder.make(List.ast)
      const value = Array.from({ length: 20_000 }, (_, index) => ({ name: `ä€😀-${index}` }))
      const body = yield* print?.(value) ?? Effect.succeed("")
      assert.strictEqual(textOf(body), JSON.stringify(value))
    })
  )

  it.effect("gives a long text in pieces of bytes, and a short one as text", () =>
    Effect.gen(function* () {
      const print = SlicedEncoder.make(Answer.ast)
      const printed = (length: number) => print?.(answer(length)) ?? Effect.succeed("")
      const [long, short] = [yield* printed(9_000), yield* printed(20)]
      assert.isTrue(isPieces(long))
      assert.isAbove(long.length, 2)
      assert.isString(short)
    })
  )

  it("leaves short lists and other values to the other encoder", () => {
    const print = SlicedEncoder.make(Answer.ast)
    assert.isUndefined(print?.(answer(3)))
    assert.isDefined(print?.(answer(4)))
    assert.isUndefined(print?.("text"))
    assert.isUndefined(SlicedEncoder.make(Schema.Struct({ name: Schema.String }).ast))
  })
})
