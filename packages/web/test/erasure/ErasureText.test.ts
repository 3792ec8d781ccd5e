/** Erasures in words. */
import { assert, describe, it } from "vitest"
import * as ErasureText from "../../app/erasure/ErasureText.js"

const entries = [
  { entry: "9f02", pointers: ["/facts/content/git_commit_info/author", "/actor/name"] },
  { entry: "9f03", pointers: ["/facts/content/commits/0/author"] }
]

describe("erasures", () => {
  it("have a size", () => {
    assert.strictEqual(ErasureText.sizeText(entries), "3 members in 2 entries")
    assert.strictEqual(ErasureText.sizeText(entries.slice(1)), "1 member in 1 entry")
  })

  it("name each kind of member once, without indexes", () => {
    assert.strictEqual(ErasureText.namesText({ entries }), "author, name")
    const file = [{ entry: "9f04", pointers: ["/facts/content/attachments/0"] }]
    assert.strictEqual(ErasureText.namesText({ entries: file }), "attachments")
  })

  it("tell how much was read, and whether more is left", () => {
    const searched = { entries: 12_345, files: 1, complete: true, members: [] }
    assert.strictEqual(
      ErasureText.searchedText({ searched }),
      "12,345 entries and 1 attached file were read."
    )
    assert.include(
      ErasureText.searchedText({ searched: { ...searched, complete: false } }),
      "search again"
    )
    assert.strictEqual(ErasureText.searchedText({ searched: null }), "")
  })
})
