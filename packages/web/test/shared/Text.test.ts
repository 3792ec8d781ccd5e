/** Names of any characters: shortened without losing their end, and without hidden characters. */
import { FastCheck as fc } from "effect"
import { assert, describe, it } from "vitest"
import * as Reveal from "../../app/shared/Reveal.js"
import * as Shorten from "../../app/shared/Shorten.js"

describe("a shortened name", () => {
  it("keeps its end, and is never longer than allowed", () => {
    assert.strictEqual(Shorten.middle("registry.example.org/team/shop:10", 16), "regis…am/shop:10")
    assert.strictEqual(Shorten.middle("short", 16), "short")
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.integer({ min: 3, max: 40 }),
        (text, lengthMax) => {
          const short = Shorten.middle(text, lengthMax)
          assert.isAtMost([...short].length, lengthMax)
          if ([...text].length <= lengthMax) assert.strictEqual(short, text)
          else assert.strictEqual([...short].at(-1), [...text].at(-1))
        }
      )
    )
  })

  it("of an artifact loses its registry first, in whole parts", () => {
    const shorten = (lengthMax: number) =>
      Shorten.artifact("registry.example.org/team/shop:10", lengthMax)
    assert.deepStrictEqual([33, 32, 14, 13, 9, 8].map(shorten), [
      "registry.example.org/team/shop:10",
      "…/team/shop:10",
      "…/team/shop:10",
      "…/shop:10",
      "…/shop:10",
      "re…op:10"
    ])
    assert.strictEqual(Shorten.artifact("library.jar/", 6), "l…jar/")
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.integer({ min: 3, max: 40 }),
        (text, lengthMax) =>
          assert.isAtMost([...Shorten.artifact(text, lengthMax)].length, lengthMax)
      )
    )
  })

  it("groups numbers from 10,000 on", () => {
    assert.deepStrictEqual([9_999, 10_000, 1_234_567].map(Shorten.count), [
      "9999",
      "10,000",
      "1,234,567"
    ])
  })
})

describe("revealed text", () => {
  it("names control, bidirectional and zero-width characters", () => {
    assert.deepStrictEqual(Reveal.partsOf("a\u202Eb"), [
      { text: "a", isRevealed: false },
      { text: "U+202E", isRevealed: true },
      { text: "b", isRevealed: false }
    ])
    for (const hidden of [
      "\u0000",
      "\n",
      "\u200B",
      "\u2066",
      "\uFEFF",
      "\u2028",
      "\u{E0041}",
      "\ud800",
      "\u3164"
    ]) {
      assert.match(Reveal.plain(hidden), /^U\+[0-9A-F]{4,6}$/)
    }
  })

  it("leaves ordinary text alone, in every script", () => {
    for (const text of ["prod-eu", "größe", "東京", "שלום", "مرحبا", "🙂", "<b>&amp;</b>"]) {
      assert.deepStrictEqual(Reveal.partsOf(text), [{ text, isRevealed: false }])
    }
  })

  it("shows nothing that is hidden, for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        assert.notMatch(Reveal.plain(text), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u)
      })
    )
  })
})
