import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, FastCheck } from "effect"
import type { IncomingRequest } from "../../src/shared/HttpMessage.js"
import * as RequestBody from "../../src/shared/internal/RequestBody.js"

/** Texts whose characters have one to four bytes, with a byte order mark. */
const text = FastCheck.string({ unit: FastCheck.constantFrom("a", "é", "→", "🦉", "\ufeff", "\n") })

/** Some bytes in some pieces. */
const cut = (bytes: Uint8Array, places: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const ends = [...places.map((place) => Math.floor(place * bytes.byteLength)), bytes.byteLength]
  ends.sort((left, right) => left - right)
  return ends.map((end, at) => bytes.slice(ends[at - 1] ?? 0, end))
}

const places = FastCheck.array(FastCheck.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 })

const requestOf = (pieces: ReadonlyArray<Uint8Array>): IncomingRequest => ({
  method: "PUT",
  url: "/",
  headers: () => [],
  remoteAddress: "",
  body: (async function* () {
    yield* pieces
  })()
})

const decodeWhole = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

describe("RequestBody", () => {
  it.prop(
    "reads the same text from a body in any pieces",
    { text, places },
    ({ text: said, places: at }) => {
      const bytes = new TextEncoder().encode(said)
      assert.deepStrictEqual(
        RequestBody.decodePieces(cut(bytes, at)),
        Either.right(decodeWhole(bytes) ?? "")
      )
    }
  )

  it.prop(
    "refuses bytes in pieces exactly when it refuses them whole",
    { bytes: FastCheck.uint8Array({ maxLength: 12 }), places },
    ({ bytes, places: at }) =>
      assert.strictEqual(
        Either.getOrUndefined(RequestBody.decodePieces(cut(bytes, at))),
        decodeWhole(bytes)
      ),
    { fastCheck: { numRuns: 2_000 } }
  )

  it.effect.prop(
    "joins the pieces of a body in their order, up to its limit",
    { text, places, spare: FastCheck.constantFrom(0, 1) },
    ({ text: said, places: at, spare }) =>
      Effect.gen(function* () {
        const bytes = new TextEncoder().encode(said)
        const read = (bytesMax: number) =>
          Effect.either(RequestBody.readBytes(requestOf(cut(bytes, at)), bytesMax))
        const whole = yield* read(bytes.byteLength + spare)
        assert.deepStrictEqual(Either.map(whole, Array.from), Either.right(Array.from(bytes)))
        if (bytes.byteLength > 0)
          assert.strictEqual(Either.isLeft(yield* read(bytes.byteLength - 1)), true)
      })
  )

  it.effect("returns bytes that were read, repeatedly", () =>
    Effect.gen(function* () {
      const again = RequestBody.withBytes(requestOf([]), new Uint8Array([1, 2]))
      for (const _ of [1, 2])
        assert.deepStrictEqual(Array.from(yield* RequestBody.readBytes(again, 2)), [1, 2])
      assert.strictEqual(Either.isLeft(yield* Effect.either(RequestBody.readBytes(again, 1))), true)
    })
  )
})
