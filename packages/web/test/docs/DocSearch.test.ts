/** The search of the documentation: ranks, excerpts, marked words. */
import { assert, describe, it } from "vitest"
import * as DocSearch from "../../app/docs/DocSearch.js"

const section = (page: string, heading: string, text: string): DocSearch.DocSection => ({
  path: `${page.toLowerCase().replaceAll(" ", "-")}/`,
  anchor: heading.toLowerCase().replaceAll(" ", "-"),
  page,
  heading,
  text
})

const sections = [
  section("Backup and restore", "", "Two ways."),
  section("Backup and restore", "A dump", "pg_dump makes one; restore it into an empty database."),
  section("Words", "Policy", "A policy lists the evidence that an artifact needs."),
  section("Writing policies", "", "A policy is a YAML text."),
  section("Operating", "Upgrades", "Take a backup before an upgrade. Then restore nothing.")
]

const found = (query: string, limit = 10) =>
  DocSearch.search(sections, query, limit).map(({ section: { page, heading } }) =>
    heading === "" ? page : heading
  )

describe("a search", () => {
  it("finds sections with every word, titles before headings before text", () => {
    assert.deepStrictEqual(found("backup restore"), ["Backup and restore", "A dump", "Upgrades"])
    assert.deepStrictEqual(found("policy"), ["Policy", "Writing policies"])
    assert.deepStrictEqual(found("restore unicorn"), [])
  })

  it("finds beginnings and insides of words, in any case", () => {
    assert.deepStrictEqual(found("POLIC"), ["Policy", "Writing policies"])
    assert.deepStrictEqual(found("dump"), ["A dump"])
    assert.deepStrictEqual(found("g_dump"), ["A dump"])
  })

  it("has no results without a word, and not more than the limit", () => {
    for (const query of ["", "  ", "--"]) assert.deepStrictEqual(found(query), [])
    assert.lengthOf(found("a", 2), 2)
  })
})

describe("an excerpt", () => {
  const text = `${"word ".repeat(40)}needle ${"more ".repeat(40)}`

  it("is the text around the first word, cut at spaces", () => {
    const excerpt = DocSearch.excerptOf(text, ["needle"])
    assert.match(excerpt, /^… (?:word )+needle (?:more )+…$/)
    assert.isAtMost(excerpt.length, 170)
  })

  it("is the beginning if no word is there, and the whole of a short text", () => {
    assert.match(DocSearch.excerptOf(text, ["other"]), /^word /)
    assert.strictEqual(DocSearch.excerptOf("a short text", ["short"]), "a short text")
  })
})

describe("the pieces of a text", () => {
  it("are marked where a word is, and make the text again", () => {
    const pieces = DocSearch.piecesOf("Restore the backup", ["restore", "back"])
    assert.deepStrictEqual(pieces, [
      { text: "Restore", isMatch: true },
      { text: " the ", isMatch: false },
      { text: "back", isMatch: true },
      { text: "up", isMatch: false }
    ])
    assert.deepStrictEqual(DocSearch.piecesOf("", ["a"]), [])
  })
})
