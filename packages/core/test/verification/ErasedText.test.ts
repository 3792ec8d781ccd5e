/** Erased texts are gone from every value, and nothing else changes. */
import * as ErasedText from "@attestry/core/ErasedText"
import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"

const textsOf = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : []
}

describe("ErasedText", () => {
  it.prop(
    "leaves no text in a value, and every part is in its JSON before",
    { value: FastCheck.jsonValue(), text: FastCheck.string({ minLength: 3 }) },
    ({ value, text }) => {
      const holder = { author: `by ${text}.`, list: [text, value] }
      assert.include(JSON.stringify(holder), ErasedText.partOf(text))
      const left = ErasedText.erased(holder, [text])
      // WHY unless the mark has it: `ERASED` is a text too.
      if (!"**ERASED**".includes(text)) {
        const texts = textsOf(JSON.parse(JSON.stringify(left)))
        assert.isFalse(texts.some((each) => each.split("**ERASED**").join("\u0000").includes(text)))
      }
    }
  )

  it("replaces short texts only where they are a whole value", () => {
    assert.deepStrictEqual(ErasedText.erased({ a: "m", b: "more", c: [1, null] }, ["m"]), {
      a: "**ERASED**",
      b: "more",
      c: [1, null]
    })
    assert.strictEqual(ErasedText.partOf("m"), '"m"')
    assert.strictEqual(ErasedText.partOf('a"b'), 'a\\"b')
  })

  it("leaves longer words that have the text in them", () => {
    const texts = (value: string) => ErasedText.erased(value, ["ada", "<eve@x.org>"])
    assert.strictEqual(texts("adapter, by ada"), "adapter, by **ERASED**")
    assert.strictEqual(texts("canada ada ada-1 ada"), "canada **ERASED** **ERASED**-1 **ERASED**")
    assert.strictEqual(texts("by<eve@x.org>now"), "by**ERASED**now")
  })

  it("gives values the order of the members of another one", () => {
    const model = { b: [{ y: 1, x: 2 }], a: 1, gone: 1 }
    const value = { a: 3, b: [{ x: 4, y: 5 }, 6], new: 7 }
    const ordered = ErasedText.inOrderOf(model, value)
    assert.deepStrictEqual(ordered, value)
    assert.strictEqual(JSON.stringify(ordered), '{"b":[{"y":5,"x":4},6],"a":3,"new":7}')
  })

  it("gives copies no texts of objects", () => {
    assert.deepStrictEqual(ErasedText.copiedOf("x"), ["x"])
    assert.deepStrictEqual(ErasedText.copiedOf(["x", "", 1, { c: "y" }]), ["x"])
    assert.deepStrictEqual(ErasedText.copiedOf({ region: "prod" }), [])
  })

  it("finds a text as a whole, in a list, and as a part of addresses and values of free form", () => {
    const hook = "https://hooks.example.com/ada%40example.org/x"
    for (const [pointer, found, text, expected] of [
      ["/facts/content/author", "Ada", "Ada", true],
      ["/facts/content/author", "Ada King", "Ada", false],
      ["/targets/0/emails", ["ops@example.org", "ada@example.org"], "ada@example.org", true],
      ["/targets/0/emails", ["ops@example.org"], "ada@example.org", false],
      ["/targets/0/webhook", hook, "ada@example.org", true],
      ["/targets/0/webhook", "https://hooks.example.com/adapter", "ada", false],
      ["/targets/0/webhook", hook, "\ud800", false],
      ["/body/user_data", { owner: "Ada" }, "Ada", true],
      ["/user_data", { deep: [{ notes: "seen by Ada, later" }] }, "Ada", true],
      ["/user_data", { deep: [{ notes: "Adamant" }] }, "Ada", false],
      ["/user_data", { n: 1, _sd: ["Ada"] }, "Ada", false],
      ["/user_data/deep/message", "seen by Ada", "Ada", true],
      ["/report/annotations", { "by-Ada": "" }, "Ada", true],
      ["/facts/content/external_urls", { l: { href: "https://x/?u=a%40b.org" } }, "a@b.org", true],
      ["/body/jira_results/0/issue_fields", { assignee: { displayName: "Ada" } }, "Ada", true],
      ["/body/message", "seen by Ada", "Ada", false]
    ] as const)
      assert.strictEqual(ErasedText.has(pointer, found, text), expected, `${pointer} ${text}`)
  })

  it.prop(
    "finds in pieces of a file what it finds in the whole",
    {
      parts: FastCheck.array(FastCheck.constantFrom("Ada", "a", " ", "x", "da", "é", "%40", "@"), {
        maxLength: 12
      }),
      cuts: FastCheck.array(FastCheck.integer({ min: 0, max: 30 }), { maxLength: 6 }),
      text: FastCheck.constantFrom("Ada", "a@a", "@ @", "a x")
    },
    ({ parts, cuts, text }) => {
      const whole = parts.join("")
      const places = [0, ...cuts.sort((left, right) => left - right), whole.length]
      const scan = new ErasedText.Scan(text)
      for (const [at, begin] of places.slice(0, -1).entries())
        scan.accept(whole.slice(begin, Math.max(begin, places[at + 1] ?? 0)))
      assert.strictEqual(scan.end(), ErasedText.contains(whole, text), whole)
    }
  )

  it("does not complete a text with what follows", () => {
    const scan = new ErasedText.Scan("a x")
    scan.accept("a ")
    assert.isFalse(scan.end())
  })
})
